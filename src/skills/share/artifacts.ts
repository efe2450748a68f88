// Packs skill versions into archives for public download and stores each under the SHA-256 of its bytes. Does not
// decide who may download them.

import { joinBytes, sha256Hex } from '../../lib/bytes.ts'
import { redact } from '../../lib/redact.ts'
import { err, fail, ok, type Failure, type Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { streamArchive } from '../package/archive-stream.ts'
import { unpackablePaths } from '../package/sharing.ts'
import type { ManifestFile } from '../skill.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { blobKey } from '../store/keys.ts'
import type { SkillStores } from '../store/store.ts'
import type { CatalogApi, SharedVersion, VersionName } from '../catalog/api.ts'
import type { UnpackableVersions } from './unpackable.ts'

export interface ArtifactDeps {
  readonly workspace: string
  readonly stores: Pick<SkillStores, 'blobs'>
  readonly content: Pick<ContentReader, 'manifest' | 'file'>
  readonly catalog: Pick<CatalogApi, 'stage'>
  /** Versions that recently could not be packed, so that they are skipped for a while. */
  readonly unpackable: UnpackableVersions
  readonly pace: Pace
}

type Bytes = Uint8Array<ArrayBuffer>

/** Packs a version and stores the archive. A failure without `retryAfterS` is permanent. */
export async function writeArtifact(
  { name, category, digest }: VersionName,
  deps: ArtifactDeps,
): Promise<Result<SharedVersion>> {
  const version = { name, category, digest }
  const manifest = await deps.content.manifest(version)
  if (!manifest.ok) return manifest
  if (unpackablePaths(manifest.value).length > 0)
    return fail('invalid_skill', "Some of the skill's paths are too long for an archive.")
  const packed = await packArchive(version, manifest.value, deps)
  if (!packed.ok) return packed
  const sha256 = await sha256Hex(packed.value)
  const written = await storeArchive(sha256, packed.value, deps)
  return written.ok ? ok({ ...version, sha256, files: manifest.value.map((file) => file.path) }) : written
}

/**
 * Restores the archive of a listed version after the store lost its bytes. A failure without `retryAfterS` is
 * permanent: either the new bytes differ from the listed ones, or the version's files are lost too. Unsharing the skill
 * and sharing it again fixes both.
 */
export async function repairArtifact(version: SharedVersion, deps: ArtifactDeps): Promise<Result<Bytes>> {
  if (deps.unpackable.has(version)) return lost(version)
  const manifest = await deps.content.manifest(version)
  const packed = manifest.ok ? await packArchive(version, manifest.value, deps) : manifest
  if (packed.ok && (await sha256Hex(packed.value)) === version.sha256) {
    const written = await storeArchive(version.sha256, packed.value, deps)
    return written.ok ? packed : written
  }
  if (!packed.ok && packed.error.retryAfterS !== undefined) return packed
  deps.unpackable.add(version)
  const why = packed.ok ? 'the repacked archive has different bytes' : redact(packed.error.detail)
  console.warn(JSON.stringify({ at: 'share', lost: version.name, sha256: version.sha256, why }))
  return lost(version)
}

function lost({ name }: SharedVersion): Result<never> {
  return fail(
    'catalog_broken',
    `The archive of "${name}" is lost and cannot be restored. Unshare the skill, then share it again.`,
  )
}

async function storeArchive(sha256: string, bytes: Bytes, deps: ArtifactDeps): Promise<Result<null>> {
  try {
    const staged = await deps.catalog.stage([{ sha256, kind: 'archive', bytes: bytes.byteLength }], null)
    if (!staged.ok) return staged
    await deps.stores.blobs.put(blobKey({ workspace: deps.workspace }, sha256), bytes, sha256)
    return ok(null)
  } catch {
    return fail('overloaded', 'The store did not accept an archive. Try again.', { retryAfterS: 2 })
  }
}

/** Holds the complete archive in memory, because its address is the hash of its bytes, but only one file at a time. */
async function packArchive(
  version: VersionName,
  files: readonly ManifestFile[],
  { content, pace }: ArtifactDeps,
): Promise<Result<Bytes>> {
  const addresses = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const readFailures: Failure[] = []
  const read = (path: string) => content.file(version, addresses.get(path) ?? '')
  const { tarGzPacker } = await import('../package/archive-pack.ts')
  const packed = await streamArchive(
    tarGzPacker(),
    addresses.keys(),
    read,
    (why) => readFailures.push(why),
    pace,
  )
  if (!packed.ok) return packed
  try {
    const chunks: Uint8Array[] = []
    const reader = packed.value.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value)
    return ok(joinBytes(chunks))
  } catch (error) {
    const [why] = readFailures
    if (why) return err(why)
    throw error
  }
}
