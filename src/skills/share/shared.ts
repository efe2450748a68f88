// The publicly downloadable skills, each with the digest of its served bytes. An archive is packed once and stored in
// R2; the catalog stores its digest (docs/decisions/0035-a-shared-version-is-packed-once.md).

import { redact } from '../../lib/redact.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { CHANGED_NAMES_LISTED } from '../../limits/skills.ts'
import { SHARE_CALL_FILES, SHARE_CALL_VERSIONS, SHARE_PACK_BYTES, SHARE_PACK_FILES } from './limits.ts'
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
 * The shared skills of an index, in order. One that cannot be packed is left out and logged, so that the others are
 * still listed. Null: some changed meanwhile; start again with the live index. Failures: `overloaded` while more must
 * be packed than one request may (retry: packed archives are kept), the catalog's, and a store that does not answer.
 */
export async function sharedList(
  index: SkillIndex,
  deps: ShareDeps,
): Promise<Result<readonly Shared[] | null>> {
  const entries = sharedSkills(index)
  const known = await listedBefore(entries, deps)
  if (!known.ok) return known
  const made = await packed(
    entries.filter((entry) => !known.value.has(entry.name) && !deps.unfit.has(entry)),
    deps,
  )
  if (!made.ok) return made
  const { fresh, later } = made.value
  for (const part of parts(fresh, ({ files }) => files.length)) {
    const kept = await deps.catalog.keepShared(deps.build, part)
    if (!kept.ok) return kept
    for (const version of kept.value) known.value.set(version.name, version)
  }
  if (fresh.some(({ name }) => !known.value.has(name))) return ok(null)
  if (later > 0)
    return fail('overloaded', `${later} more skills must be packed before the list is complete. Try again.`, {
      retryAfterS: 1,
    })
  return ok(
    entries.flatMap((entry) => {
      const as = known.value.get(entry.name)
      return as ? [{ entry, as }] : []
    }),
  )
}

async function listedBefore(
  entries: readonly IndexEntry[],
  { catalog }: ShareDeps,
): Promise<Result<Map<string, SharedVersion>>> {
  const known = new Map<string, SharedVersion>()
  for (const part of parts(entries, ({ files }) => files)) {
    const names = part.map(({ name, category, digest }) => ({ name, category, digest }))
    const found = await catalog.sharedVersions(names)
    if (!found.ok) return found
    for (const version of found.value) known.set(version.name, version)
  }
  return ok(known)
}

/** As many as fit in one call, by the size of their file lists. */
function* parts<T>(all: readonly T[], filesOf: (one: T) => number): Generator<readonly T[]> {
  let part: T[] = []
  let files = 0
  for (const one of all) {
    files += filesOf(one)
    if (part.length === SHARE_CALL_VERSIONS || (part.length > 0 && files > SHARE_CALL_FILES)) {
      yield part
      part = []
      files = filesOf(one)
    }
    part.push(one)
  }
  if (part.length > 0) yield part
}

interface Packed {
  readonly fresh: readonly SharedVersion[]
  /** How many exceeded the budget. */
  readonly later: number
}

/** Packs as many as one request may, at least one. Those that cannot be packed are remembered, logged and left out. */
async function packed(missing: readonly IndexEntry[], deps: ShareDeps): Promise<Result<Packed>> {
  const fresh: SharedVersion[] = []
  const leftOut: { readonly name: string; readonly why: string }[] = []
  let [files, bytes, later] = [0, 0, 0]
  for (const entry of missing) {
    const isOne = entry.files === 1
    const fits = files + entry.files <= SHARE_PACK_FILES && bytes + entry.bytes <= SHARE_PACK_BYTES
    if (!isOne && files > 0 && !fits) {
      later++
      continue
    }
    const made = isOne ? ok(asOneFile(entry)) : await writeArtifact(entry, deps)
    if (made.ok) {
      fresh.push(made.value)
      files += isOne ? 0 : entry.files
      bytes += isOne ? 0 : entry.bytes
    } else if (made.error.retryAfterS !== undefined) return made
    else {
      // It took a read or two, however many files it has.
      files++
      deps.unfit.add(entry)
      leftOut.push({ name: entry.name, why: redact(made.error.detail) })
    }
  }
  if (leftOut.length > 0) logLeftOut(leftOut)
  return ok({ fresh, later })
}

function asOneFile({ name, category, digest, body }: IndexEntry): SharedVersion {
  return { name, category, digest, sha256: body, files: [SKILL_FILE] }
}

/** Logs names and only the first reason: hundreds of reasons exceed a log line and seldom differ. */
function logLeftOut(leftOut: readonly { readonly name: string; readonly why: string }[]): void {
  const skills = leftOut.slice(0, CHANGED_NAMES_LISTED).map(({ name }) => name)
  console.warn(JSON.stringify({ at: 'share', left_out: leftOut.length, skills, first: leftOut[0]?.why }))
}
