// Writes the bytes of new versions to the stores after staging them in the catalog, then commits the versions.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { InstalledNames } from '../check/package-findings.ts'
import type { KnownTools } from '../format/tool-names.ts'
import type { Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { STORE_CONCURRENCY, STORE_ATTEMPTS_MAX } from '../../limits/skills.ts'
import { CATALOG_CALL_MAX_BYTES } from './limits.ts'
import type { Batch, CatalogApi, Changed, ChangeTerms } from '../catalog/api.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { blobKey, bodyKey } from '../store/keys.ts'
import type { SkillStores } from '../store/store.ts'

/** The ports of publishing, of which each function uses some. */
export interface PublishDeps {
  readonly workspace: string
  readonly stores: SkillStores
  readonly content: ContentReader
  readonly catalog: CatalogApi
  /** The tool names that skills may use. */
  readonly tools: KnownTools
  /** The packages that scripts can import; without it, they are not known. */
  readonly installed?: () => Promise<InstalledNames>
  /** Loads what the scan parses code with. */
  readonly loadGrammars: () => Promise<Result<null>>
  /** Decides when checks pause. */
  readonly pace: Pace
  /** Maximum bytes of all skills in the workspace. */
  readonly maxBytes: () => Promise<Result<number>>
}

type WriteDeps = Pick<PublishDeps, 'workspace' | 'stores' | 'catalog' | 'maxBytes'>

export interface Writing {
  readonly sha256: string
  readonly kind: 'file' | 'body'
  readonly size: number
  /** Returns the bytes, or null if they are gone. Called only when they are written, to save memory. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer> | null>
}

const STORE_DOWN = fail(
  'overloaded',
  'The stores did not accept the files; nothing was changed. Try again.',
  {
    retryAfterS: 2,
  },
)

/**
 * Stages the bytes, then writes them to R2 and, for bodies, to KV. Skips bytes that R2 has already. Failures:
 * `storage_full`, `overloaded`.
 */
async function writeBlobs(requested: readonly Writing[], deps: WriteDeps): Promise<Result<null>> {
  const { blobs, bodies } = deps.stores
  const scope = { workspace: deps.workspace }
  const writings = [...new Map(requested.map((writing) => [writing.sha256, writing])).values()]
  const max = await deps.maxBytes()
  if (!max.ok) return max
  const blobsOf = writings.map(({ sha256, kind, size }) => ({ sha256, kind, bytes: size }))
  const staged = await deps.catalog.stage(blobsOf, max.value)
  if (!staged.ok) return staged
  try {
    await inParallel(writings, STORE_CONCURRENCY, async ({ sha256, kind, bytes }) => {
      const key = blobKey(scope, sha256)
      const isStored = await blobs.has(key, sha256)
      if (isStored && kind === 'file') return
      const content = await bytes()
      if (!content) throw new Error('bytes to be written are gone')
      if (!isStored) await blobs.put(key, content, sha256)
      if (kind === 'body') await bodies.put(bodyKey(scope, sha256), content)
    })
    return ok(null)
  } catch {
    return STORE_DOWN
  }
}

/**
 * Writes bytes and commits a batch. Makes a dry run first, so that nothing is written for a change that the catalog
 * refuses. Repeats writing and committing if the bytes were swept in between. A batch that is too large for one call is
 * stored as a blob, even for a dry run; nothing refers to it, so the sweep deletes it. Failures: those of
 * `CatalogApi.change`.
 */
export async function commitBatch(
  batch: Batch,
  writings: readonly Writing[],
  terms: ChangeTerms,
  deps: WriteDeps,
): Promise<Result<Changed>> {
  const json = utf8(JSON.stringify(batch))
  const batchAddress = json.byteLength > CATALOG_CALL_MAX_BYTES ? await sha256Hex(json) : null
  const batchBlob: readonly Writing[] =
    batchAddress === null
      ? []
      : [{ sha256: batchAddress, kind: 'file', size: json.byteLength, bytes: () => Promise.resolve(json) }]
  const operation = {
    kind: 'commit',
    batch: batchAddress === null ? batch : { sha256: batchAddress },
  } as const
  const batchWritten = batchAddress === null ? ok(null) : await writeBlobs(batchBlob, deps)
  if (!batchWritten.ok) return batchWritten
  const dryRun = await deps.catalog.change({ ...terms, operation, dryRun: true })
  if (!dryRun.ok || terms.dryRun) return dryRun
  for (let attempt = 1; attempt <= STORE_ATTEMPTS_MAX; attempt++) {
    const written = await writeBlobs([...writings, ...batchBlob], deps)
    if (!written.ok) return written
    const done = await deps.catalog.change({ ...terms, operation })
    if (done.ok || done.error.retryAfterS !== 0) return done
  }
  return STORE_DOWN
}
