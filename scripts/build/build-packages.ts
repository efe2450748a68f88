// Fetches locked packages that are not cached, and adds them to the static files. If it fails, the static files are
// unchanged.

import { ok } from '../../src/lib/result.ts'
import { buildAssets } from '../assets/build.ts'
import { buildRuntimes } from '../runtimes/build.ts'
import { fetchLocked } from '../packages/fetch-locked.ts'
import { layOut } from '../packages/laid-out.ts'
import { LANGUAGES, readPackageLock } from '../packages/lock.ts'

import type { IndexAddresses } from '../packages/open-index.ts'
import type { PackageResult } from '../packages/problem.ts'

/** Adds the packages of a checkout to its static files. Does nothing if there are none. Returns their number. */
export async function buildPackages(
  root: string,
  addresses: IndexAddresses,
  say: (line: string) => void,
): Promise<PackageResult<number>> {
  const laidOut = await layOutPackages(root, addresses, say)
  if (laidOut.ok && laidOut.value > 0) await buildAssets(root)
  return laidOut
}

/** Like `buildPackages`, but only fetches the packages and builds their packs, not the other static files. */
export async function layOutPackages(
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
  return ok(count)
}
