// Stores bytes sent ahead of a commit, and lists those that a workspace lacks. Never looks at another workspace's
// bytes.

import { sha256Hex } from '../../lib/bytes.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { STORE_CONCURRENCY } from '../../limits/skills.ts'
import { blobKey } from '../store/keys.ts'
import type { PublishDeps } from './write.ts'

type BlobDeps = Pick<PublishDeps, 'workspace' | 'stores' | 'catalog'>
type PutDeps = BlobDeps & Pick<PublishDeps, 'maxBytes'>

const DOWN = fail('overloaded', 'The store did not answer. Try again.', { retryAfterS: 2 })

/**
 * The addresses whose bytes must be sent before a commit can name them, each once, in order. Bytes of the build count
 * as missing. The others are kept for at least a day.
 */
export async function missingBlobs(
  addresses: readonly string[],
  { catalog, stores, workspace }: BlobDeps,
): Promise<Result<readonly string[]>> {
  const distinct = [...new Set(addresses)]
  const known = await catalog.known(distinct)
  if (!known.ok) return known
  const there = new Set(known.value.kept)
  try {
    // Staging is no proof: its request may have died before the bytes were written.
    await inParallel(known.value.staged, STORE_CONCURRENCY, async (sha256) => {
      if (await stores.blobs.has(blobKey({ workspace }, sha256), sha256)) there.add(sha256)
    })
  } catch {
    return DOWN
  }
  return ok(distinct.filter((sha256) => !there.has(sha256)))
}

/** True: new here. Failure: `invalid_request` when the bytes do not match the address, `storage_full`, `overloaded`. */
export async function putBlob(
  sha256: string,
  bytes: Uint8Array<ArrayBuffer>,
  { catalog, stores, workspace, maxBytes }: PutDeps,
): Promise<Result<boolean>> {
  const real = await sha256Hex(bytes)
  if (real !== sha256)
    return fail(
      'invalid_request',
      `The body's sha-256 is ${real}, not the one in the address. Send it whole.`,
    )
  const key = blobKey({ workspace }, sha256)
  try {
    const max = await maxBytes()
    if (!max.ok) return max
    const staged = await catalog.stage([{ sha256, kind: 'file', bytes: bytes.byteLength }], max.value)
    if (!staged.ok) return staged
    if (await stores.blobs.has(key, sha256)) return ok(false)
    await stores.blobs.put(key, bytes, sha256)
    return ok(true)
  } catch {
    return DOWN
  }
}
