// Stores bytes that are sent before a commit, and lists those that a workspace still lacks. Never reads the bytes of
// another workspace.

import { sha256Hex } from '../../lib/bytes.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { STORE_CONCURRENCY } from '../../limits/skills.ts'
import { blobKey } from '../store/keys.ts'
import type { PublishDeps } from './write.ts'

type BlobDeps = Pick<PublishDeps, 'workspace' | 'stores' | 'catalog'>
type PutDeps = BlobDeps & Pick<PublishDeps, 'maxBytes'>

const STORE_DOWN = fail('overloaded', 'The store did not respond. Try again.', { retryAfterS: 2 })

/**
 * The addresses whose bytes must be sent before a commit can use them, each once, in order. Bytes that only the build
 * has are missing, too. Bytes that are not missing are kept for at least a day.
 */
export async function missingBlobs(
  addresses: readonly string[],
  { catalog, stores, workspace }: BlobDeps,
): Promise<Result<readonly string[]>> {
  const distinct = [...new Set(addresses)]
  const known = await catalog.known(distinct)
  if (!known.ok) return known
  const present = new Set(known.value.kept)
  try {
    // A staged blob may be missing: the request that staged it may have failed before it wrote the bytes.
    await inParallel(known.value.staged, STORE_CONCURRENCY, async (sha256) => {
      if (await stores.blobs.has(blobKey({ workspace }, sha256), sha256)) present.add(sha256)
    })
  } catch {
    return STORE_DOWN
  }
  return ok(distinct.filter((sha256) => !present.has(sha256)))
}

/**
 * Stores bytes and returns true if they are new. Failures: `invalid_request` if the bytes do not match the address,
 * `storage_full`, `overloaded`.
 */
export async function putBlob(
  sha256: string,
  bytes: Uint8Array<ArrayBuffer>,
  { catalog, stores, workspace, maxBytes }: PutDeps,
): Promise<Result<boolean>> {
  const actual = await sha256Hex(bytes)
  if (actual !== sha256)
    return fail(
      'invalid_request',
      `The SHA-256 of the body is ${actual}, which is not the one in the URL. Send the complete file.`,
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
    return STORE_DOWN
  }
}
