// Lists the publicly downloadable skills, each with the hash of the bytes that are served. An archive is packed once
// and stored in R2; the catalog stores its hash (docs/decisions/0035-a-shared-version-is-packed-once.md).

import { redact } from '../../lib/redact.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { CHANGED_NAMES_LISTED_MAX } from '../../limits/skills.ts'
import {
  SHARE_CALL_FILES_MAX,
  SHARE_CALL_VERSIONS_MAX,
  SHARE_PACK_MAX_BYTES,
  SHARE_PACK_FILES_MAX,
} from './limits.ts'
import { SKILL_FILE } from '../format/finding.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import { sharedSkills } from '../view/visibility.ts'
import type { CatalogApi, SharedVersion } from '../catalog/api.ts'
import { writeArtifact, type ArtifactDeps } from './artifacts.ts'

export interface ShareDeps extends ArtifactDeps {
  readonly build: string
  readonly catalog: Pick<CatalogApi, 'sharedVersions' | 'keepShared' | 'stage'>
}

export interface Shared {
  readonly entry: IndexEntry
  readonly as: SharedVersion
}

/**
 * The shared skills of an index, in index order. A skill that cannot be packed is left out and logged, so that the
 * others are still listed. Null if some skills changed in the meantime: the caller should start again with the live
 * index. Failures: those of the catalog and the stores, and `overloaded` while more skills need packing than one
 * request may pack. Packed archives are kept, so that a retry makes progress.
 */
export async function sharedList(
  index: SkillIndex,
  deps: ShareDeps,
): Promise<Result<readonly Shared[] | null>> {
  const entries = sharedSkills(index)
  const known = await findListed(entries, deps)
  if (!known.ok) return known
  const packing = await packMissing(
    entries.filter((entry) => !known.value.has(entry.name) && !deps.unpackable.has(entry)),
    deps,
  )
  if (!packing.ok) return packing
  const { newVersions, deferred } = packing.value
  for (const batch of batches(newVersions, ({ files }) => files.length)) {
    const kept = await deps.catalog.keepShared(deps.build, batch)
    if (!kept.ok) return kept
    for (const version of kept.value) known.value.set(version.name, version)
  }
  if (newVersions.some(({ name }) => !known.value.has(name))) return ok(null)
  if (deferred > 0)
    return fail(
      'overloaded',
      `${deferred} more skills must be packed before the list is complete. Try again shortly.`,
      {
        retryAfterS: 1,
      },
    )
  return ok(
    entries.flatMap((entry) => {
      const as = known.value.get(entry.name)
      return as ? [{ entry, as }] : []
    }),
  )
}

async function findListed(
  entries: readonly IndexEntry[],
  { catalog }: ShareDeps,
): Promise<Result<Map<string, SharedVersion>>> {
  const known = new Map<string, SharedVersion>()
  for (const batch of batches(entries, ({ files }) => files)) {
    const names = batch.map(({ name, category, digest }) => ({ name, category, digest }))
    const found = await catalog.sharedVersions(names)
    if (!found.ok) return found
    for (const version of found.value) known.set(version.name, version)
  }
  return ok(known)
}

/** Splits items into batches that fit in one call, by number and by the size of their file lists. */
function* batches<T>(items: readonly T[], filesOf: (item: T) => number): Generator<readonly T[]> {
  let batch: T[] = []
  let files = 0
  for (const item of items) {
    files += filesOf(item)
    if (batch.length === SHARE_CALL_VERSIONS_MAX || (batch.length > 0 && files > SHARE_CALL_FILES_MAX)) {
      yield batch
      batch = []
      files = filesOf(item)
    }
    batch.push(item)
  }
  if (batch.length > 0) yield batch
}

interface PackResult {
  readonly newVersions: readonly SharedVersion[]
  /** Number of skills that were not packed because the request's budget was used up. */
  readonly deferred: number
}

/**
 * Packs as many skills as one request may, at least one. Remembers, logs and leaves out those that cannot be packed.
 */
async function packMissing(missing: readonly IndexEntry[], deps: ShareDeps): Promise<Result<PackResult>> {
  const newVersions: SharedVersion[] = []
  const leftOut: { readonly name: string; readonly why: string }[] = []
  let [files, bytes, deferred] = [0, 0, 0]
  for (const entry of missing) {
    const isSingleFile = entry.files === 1
    const isWithinBudget =
      files + entry.files <= SHARE_PACK_FILES_MAX && bytes + entry.bytes <= SHARE_PACK_MAX_BYTES
    if (!isSingleFile && files > 0 && !isWithinBudget) {
      deferred++
      continue
    }
    const packing = isSingleFile ? ok(singleFileVersion(entry)) : await writeArtifact(entry, deps)
    if (packing.ok) {
      newVersions.push(packing.value)
      files += isSingleFile ? 0 : entry.files
      bytes += isSingleFile ? 0 : entry.bytes
    } else if (packing.error.retryAfterS !== undefined) return packing
    else {
      // The attempt cost only a read or two, however many files the skill has.
      files++
      deps.unpackable.add(entry)
      leftOut.push({ name: entry.name, why: redact(packing.error.detail) })
    }
  }
  if (leftOut.length > 0) logLeftOut(leftOut)
  return ok({ newVersions, deferred })
}

function singleFileVersion({ name, category, digest, body }: IndexEntry): SharedVersion {
  return { name, category, digest, sha256: body, files: [SKILL_FILE] }
}

/** Logs the names, and only the first reason: hundreds of reasons would exceed a log line, and they seldom differ. */
function logLeftOut(leftOut: readonly { readonly name: string; readonly why: string }[]): void {
  const skills = leftOut.slice(0, CHANGED_NAMES_LISTED_MAX).map(({ name }) => name)
  console.warn(JSON.stringify({ at: 'share', left_out: leftOut.length, skills, first: leftOut[0]?.why }))
}
