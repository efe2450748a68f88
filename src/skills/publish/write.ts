// Writes the bytes of new versions to the stores, after staging them in the catalog. Readers see nothing of it.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { KnownTools } from '../format/tool-names.ts'
import type { Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { STORE_CONCURRENCY, STORE_TRIES } from '../../limits/skills.ts'
import { CATALOG_CALL_MAX_BYTES } from './limits.ts'
import type { Batch, CatalogApi, Changed, ChangeTerms } from '../catalog/api.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { blobKey, bodyKey } from '../store/keys.ts'
import type { SkillStores } from '../store/store.ts'

/** The ports of publishing. Each part takes those that it needs. */
export interface PublishDeps {
  readonly workspace: string
  readonly stores: SkillStores
  readonly content: ContentReader
  readonly catalog: CatalogApi
  /** Tool names that skills may use. */
  readonly tools: KnownTools
  /** How checks pause. */
  readonly pace: Pace
  /** The limit of bytes of the workspace's skills. */
  readonly maxBytes: () => Promise<Result<number>>
}

type WriteDeps = Pick<PublishDeps, 'workspace' | 'stores' | 'catalog' | 'maxBytes'>

export interface Writing {
  readonly sha256: string
  readonly kind: 'file' | 'body'
  readonly size: number
  /** Called one after the other, so that not all of them are in memory at once. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer> | null>
}

const DOWN = fail('overloaded', 'The stores did not take the files; nothing has changed. Try again.', {
  retryAfterS: 2,
})

/**
 * Stages them, then writes R2 before KV. Bytes known to be in R2 are not written again. Failures: `storage_full`,
 * `overloaded`.
 */
async function writeBlobs(all: readonly Writing[], deps: WriteDeps): Promise<Result<null>> {
  const { blobs, bodies } = deps.stores
  const scope = { workspace: deps.workspace }
  const writings = [...new Map(all.map((one) => [one.sha256, one])).values()]
  const max = await deps.maxBytes()
  if (!max.ok) return max
  const blobsOf = writings.map(({ sha256, kind, size }) => ({ sha256, kind, bytes: size }))
  const staged = await deps.catalog.stage(blobsOf, max.value)
  if (!staged.ok) return staged
  try {
    await inParallel(writings, STORE_CONCURRENCY, async ({ sha256, kind, bytes }) => {
      const key = blobKey(scope, sha256)
      const there = await blobs.has(key, sha256)
      if (there && kind === 'file') return
      const content = await bytes()
      if (!content) throw new Error('bytes to be written are gone')
      if (!there) await blobs.put(key, content, sha256)
      if (kind === 'body') await bodies.put(bodyKey(scope, sha256), content)
    })
    return ok(null)
  } catch {
    return DOWN
  }
}

/**
 * Asks the catalog first, so that a refused change writes nothing. Unless that was a dry run, writes the bytes, then
 * makes the change, and repeats both when the bytes were swept in between. A batch that is too large for a call is
 * stored as a blob, even for a dry run: it is unreferenced, so the sweep deletes it. Failures: those of
 * `CatalogApi.change`.
 */
export async function commitBatch(
  batch: Batch,
  writings: readonly Writing[],
  terms: ChangeTerms,
  deps: WriteDeps,
): Promise<Result<Changed>> {
  const json = utf8(JSON.stringify(batch))
  const large = json.byteLength > CATALOG_CALL_MAX_BYTES ? await sha256Hex(json) : null
  const batchBlob: readonly Writing[] =
    large === null
      ? []
      : [{ sha256: large, kind: 'file', size: json.byteLength, bytes: () => Promise.resolve(json) }]
  const operation = { kind: 'commit', batch: large === null ? batch : { sha256: large } } as const
  const sent = large === null ? ok(null) : await writeBlobs(batchBlob, deps)
  if (!sent.ok) return sent
  const rehearsed = await deps.catalog.change({ ...terms, operation, dryRun: true })
  if (!rehearsed.ok || terms.dryRun) return rehearsed
  for (let attempt = 1; attempt <= STORE_TRIES; attempt++) {
    const written = await writeBlobs([...writings, ...batchBlob], deps)
    if (!written.ok) return written
    const done = await deps.catalog.change({ ...terms, operation })
    if (done.ok || done.error.retryAfterS !== 0) return done
  }
  return DOWN
}
