// What strangers may fetch: each shared skill with the digest of the bytes it is served as. An archive is packed once,
// kept in R2, and its digest remembered by the catalog (docs/decisions/0035-a-shared-version-is-packed-once.md).

import { joinBytes, sha256Hex } from '../../lib/bytes.ts'
import { redact } from '../../lib/redact.ts'
import { err, fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import {
  CHANGED_NAMES_LISTED,
  SHARE_CALL_FILES,
  SHARE_CALL_VERSIONS,
  SHARE_PACK_BYTES,
  SHARE_PACK_FILES,
} from '../../limits.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { tarGzPacker } from '../package/archive-pack.ts'
import { streamArchive } from '../package/archive-stream.ts'
import { unpackablePaths } from '../package/sharing.ts'
import type { IndexEntry, ManifestFile, SkillIndex } from '../skill.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { artifactKey } from '../store/keys.ts'
import type { SkillStores } from '../store/store.ts'
import { sharedSkills } from '../view/visibility.ts'
import type { CatalogApi, SharedVersion } from './api.ts'

export interface ShareDeps {
  readonly workspace: string
  readonly build: string
  readonly stores: Pick<SkillStores, 'blobs'>
  readonly content: Pick<ContentReader, 'manifest' | 'file'>
  readonly catalog: Pick<CatalogApi, 'sharedVersions' | 'keepShared'>
  /** Names of this index that cannot be packed, as far as is known: not tried again. Grows. */
  readonly unfit: Set<string>
}

export interface Shared {
  readonly entry: IndexEntry
  readonly as: SharedVersion
}

/**
 * The shared skills of an index, in its order. One that cannot be packed is left out and logged, so that it hides no
 * other. Null: some of it changed meanwhile; begin with what is live now. Failures: `overloaded` while there is more to pack than one request may (ask again: what was packed stays),
 * the catalog's, and a silent store's.
 */
export async function sharedList(
  index: SkillIndex,
  deps: ShareDeps,
): Promise<Result<readonly Shared[] | null>> {
  const entries = sharedSkills(index)
  const known = await listedBefore(entries, deps)
  if (!known.ok) return known
  const missing = entries.filter(({ name }) => !known.value.has(name) && !deps.unfit.has(name))
  const { now, later } = inBudget(missing)
  const fresh: SharedVersion[] = []
  const leftOut: string[] = []
  for (const entry of now) {
    const made = await shareable(entry, deps)
    if (made.ok) fresh.push(made.value)
    else if (made.error.retryAfterS !== undefined) return made
    else {
      deps.unfit.add(entry.name)
      leftOut.push(`${entry.name}: ${redact(made.error.detail)}`)
    }
  }
  if (leftOut.length > 0) {
    const line = { at: 'share', left_out: leftOut.length, skills: leftOut.slice(0, CHANGED_NAMES_LISTED) }
    console.warn(JSON.stringify(line))
  }
  for (const part of parts(fresh, ({ files }) => files.length)) {
    const kept = await deps.catalog.keepShared(deps.build, part)
    if (!kept.ok) return kept
    for (const version of kept.value) known.value.set(version.name, version)
  }
  if (fresh.some(({ name }) => !known.value.has(name))) return ok(null)
  if (later > 0)
    return fail('overloaded', `${later} more skills are to be packed before the list is whole. Try again.`, {
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

/** As many as one call carries, by their file lists. */
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

/** As many as one request may pack, one at least; a skill of one file costs nothing. */
function inBudget(missing: readonly IndexEntry[]): { readonly now: readonly IndexEntry[]; later: number } {
  let [files, bytes] = [0, 0]
  const now = missing.filter((entry) => {
    if (entry.files === 1) return true
    const isFirst = files === 0
    files += entry.files
    bytes += entry.bytes
    return isFirst || (files <= SHARE_PACK_FILES && bytes <= SHARE_PACK_BYTES)
  })
  return { now, later: missing.length - now.length }
}

/** Failure without `retryAfterS`: this version can never be shared. */
async function shareable(entry: IndexEntry, deps: ShareDeps): Promise<Result<SharedVersion>> {
  const { name, category, digest } = entry
  const version = { name, category, digest }
  if (entry.files === 1) return ok({ ...version, sha256: entry.body, files: [SKILL_FILE] })
  const manifest = await deps.content.manifest(entry)
  if (!manifest.ok) return manifest
  if (unpackablePaths(manifest.value).length > 0)
    return fail('invalid_skill', 'Some of its paths are too long for an archive.')
  const packed = await archiveOf(entry, manifest.value, deps)
  if (!packed.ok) return packed
  const sha256 = await sha256Hex(packed.value)
  try {
    await deps.stores.blobs.put(artifactKey(deps.workspace, sha256), packed.value, sha256)
  } catch {
    return fail('overloaded', 'The store did not take an archive. Try again.', { retryAfterS: 2 })
  }
  return ok({ ...version, sha256, files: manifest.value.map((file) => file.path) })
}

/** The whole archive, because its digest is its address; of the files only what is being packed is in memory. */
async function archiveOf(
  entry: IndexEntry,
  files: readonly ManifestFile[],
  { content }: ShareDeps,
): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const addresses = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const broken: Failure[] = []
  const read = (path: string) => content.file(entry, addresses.get(path) ?? '')
  const packed = await streamArchive(tarGzPacker(), addresses.keys(), read, (why) => broken.push(why))
  if (!packed.ok) return packed
  try {
    const pieces: Uint8Array[] = []
    const reader = packed.value.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value)
      // Seconds of packing, between which everybody else is served: reads ahead alone let nobody in.
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    return ok(joinBytes(pieces))
  } catch (error) {
    const [why] = broken
    if (why) return err(why)
    throw error
  }
}
