// Fetches the locked packages that are not cached and lays them into the static files. A failure changes no static file.

import { ok } from '../../src/lib/result.ts'
import { buildAssets } from '../assets/build.ts'
import { buildRuntimes } from '../runtimes/build.ts'
import { fetchLocked } from '../packages/fetch-locked.ts'
import { layOut } from '../packages/laid-out.ts'
import { LANGUAGES, readPackageLock } from '../packages/lock.ts'

import type { IndexAddresses } from '../packages/open-index.ts'
import type { PackageResult } from '../packages/problem.ts'

/** Builds the packages of a checkout. Without any, does nothing. Returns their number. */
export async function buildPackages(
  root: string,
  addresses: IndexAddresses,
  say: (line: string) => void,
): Promise<PackageResult<number>> {
  const lock = await readPackageLock(root)
  if (!lock.ok) return lock
  const count = LANGUAGES.reduce((sum, language) => sum + Object.keys(lock.value[language]).length, 0)
  if (count === 0) return ok(0)
  const fetched = await fetchLocked(root, lock.value, addresses)
  if (!fetched.ok) return fetched
  const checked = await layOut(root, lock.value)
  if (!checked.ok) return checked
  await buildRuntimes(root, false, say)
  await buildAssets(root)
  return ok(count)
}
