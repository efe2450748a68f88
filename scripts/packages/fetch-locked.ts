// Fetches archives of locked packages that are not cached. Accepts only archives with the locked digest.

import { ok } from '../../src/lib/result.ts'
import { cacheArchive, cachedArchive, sha256OfArchive } from './archive-cache.ts'
import { LANGUAGES, type Language, type LockedPackage, type PackageLock } from './lock.ts'
import { openIndex, type IndexAddresses } from './open-index.ts'
import { problem, type PackageResult } from './problem.ts'

/** Fetches missing archives. Returns their number. */
export async function fetchLocked(
  root: string,
  lock: PackageLock,
  addresses: IndexAddresses,
): Promise<PackageResult<number>> {
  let fetched = 0
  for (const language of LANGUAGES)
    for (const [name, locked] of Object.entries(lock[language])) {
      if (await cachedArchive(root, locked.sha256)) continue
      const done = await fetchArchive(root, language, name, locked, addresses)
      if (!done.ok) return done
      fetched += 1
    }
  return ok(fetched)
}

async function fetchArchive(
  root: string,
  language: Language,
  name: string,
  { version, file, sha256 }: LockedPackage,
  addresses: IndexAddresses,
): Promise<PackageResult<null>> {
  const opened = openIndex(root, language, addresses)
  if (!opened.ok) return opened
  const { index, http } = opened.value
  const candidates = await index.candidates(name)
  if (!candidates.ok) return candidates
  const candidate = candidates.value.find((one) => one.file === file)
  if (!candidate)
    return problem(
      'package_unknown',
      `The index no longer has ${name} ${version}. Choose another version: npm run packages -- add ${language === 'node' ? 'npm:' : ''}${name}.`,
    )
  const got = await http.archive(candidate.url)
  if (!got.ok) return got
  const found = sha256OfArchive(got.value)
  if (found !== sha256)
    return problem(
      'package_changed',
      `${file} of ${name} is not the locked file: its sha-256 is ${found} instead of ${sha256}. Nothing was unpacked. Find out why the index changed it before you add it again.`,
    )
  await cacheArchive(root, got.value)
  return ok(null)
}
