// Sends the missing objects of a build to a store, in an order in which no reader ever misses an object. Independent of
// the store.

import { fromUtf8, utf8 } from '../../src/lib/bytes.ts'
import { PUSH_BATCH_MAX_BYTES, PUSH_BATCH_MAX_ENTRIES } from './limits.ts'
import { SCAN_CONCURRENCY } from '../lib/limits.ts'
import { blobKey, bodyKey, indexKey } from '../../src/skills/store/keys.ts'
import type { BuildBlob } from '../skill-folders/blob.ts'
import { memoryBlob } from '../skill-folders/blob.ts'
import type { Build } from '../build/build.ts'
import { mapBounded } from '../lib/pool.ts'

interface KvEntry {
  readonly key: string
  readonly value: string
}
interface BlobEntry {
  readonly key: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A store of builds. Keys are content addresses, so an existing entry is always correct. Rejects on failure. */
export interface PushTarget {
  /** Returns at least those of these keys that exist; it may return other existing keys too. */
  hasKv(keys: readonly string[]): Promise<ReadonlySet<string>>
  putKv(entries: readonly KvEntry[]): Promise<void>
  hasBlobs(keys: readonly string[]): Promise<ReadonlySet<string>>
  putBlobs(entries: readonly BlobEntry[]): Promise<void>
}

export interface PushTotals {
  /** Numbers of objects sent to R2 and of entries sent to KV; both 0 if nothing was missing. */
  readonly blobs: number
  readonly kv: number
  readonly bytes: number
}

/** Called after each batch with the number of objects that were sent, and of all objects to send. */
export type Progress = (done: number, all: number) => void

/**
 * Sends the missing objects: first those in R2, then the bodies in KV, and last the index (its root, if it has shards),
 * so that everything in an index can be found. After an interruption, the next push continues.
 */
export async function pushBuild(
  build: Build,
  target: PushTarget,
  progress: Progress = () => {},
): Promise<PushTotals> {
  const index = indexKey(build.digest)
  const indexBlob = blobKey('build', build.digest)
  const blobs = [...build.blobs].map(([sha256, blob]) => lazyEntry(blobKey('build', sha256), blob))
  const bodies = [...build.bodies].map((sha256) => {
    const blob = build.blobs.get(sha256)
    if (!blob)
      throw new Error(
        `The build lists the body ${sha256} but does not contain it. This is a bug in build.ts.`,
      )
    return lazyEntry(bodyKey('build', sha256), blob)
  })
  const texts = [...build.indexShards, [build.digest, build.indexText] as const]
  const indexes = texts.map(([sha256, text]) => lazyEntry(indexKey(sha256), memoryBlob(utf8(text))))
  const kv = [...bodies, ...indexes]
  const [presentBlobs, presentKv] = [
    await target.hasBlobs(blobs.map(({ key }) => key)),
    await target.hasKv(kv.map(({ key }) => key)),
  ]
  const newBlobs = blobs.filter(({ key }) => !presentBlobs.has(key))
  const newKv = kv.filter(({ key }) => !presentKv.has(key))
  const all = newBlobs.length + newKv.length
  let done = 0
  const reportSent = (count: number): void => progress((done += count), all)
  // R2 also contains the index, which is sent after all other objects there too.
  for (const isLast of [false, true])
    for (const batch of batches(newBlobs.filter(({ key }) => (key === indexBlob) === isLast))) {
      await target.putBlobs(
        await mapBounded(batch, SCAN_CONCURRENCY, async ({ key, read }) => ({ key, bytes: await read() })),
      )
      reportSent(batch.length)
    }
  for (const isLast of [false, true])
    for (const batch of batches(newKv.filter(({ key }) => (key === index) === isLast))) {
      await target.putKv(await mapBounded(batch, SCAN_CONCURRENCY, readEntry))
      reportSent(batch.length)
    }
  const bytes = newBlobs.reduce((sum, { size }) => sum + size, 0)
  return { blobs: newBlobs.length, kv: newKv.length, bytes }
}

/** An object whose bytes are read only when it is sent, because a build may be larger than the memory. */
interface LazyEntry {
  readonly key: string
  readonly size: number
  readonly read: BuildBlob['read']
}

function lazyEntry(key: string, blob: BuildBlob): LazyEntry {
  return { key, size: blob.size, read: async () => blob.read() }
}

async function readEntry({ key, read }: LazyEntry): Promise<KvEntry> {
  const value = fromUtf8(await read())
  // A build contains no skill whose text is invalid.
  if (value === null) throw new Error(`The value of ${key} is not UTF-8. This is a bug in build.ts.`)
  return { key, value }
}

function batches(entries: readonly LazyEntry[]): LazyEntry[][] {
  const all: LazyEntry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const batch = all.at(-1)
    bytes += entry.size
    if (batch && batch.length < PUSH_BATCH_MAX_ENTRIES && bytes <= PUSH_BATCH_MAX_BYTES) batch.push(entry)
    else {
      all.push([entry])
      bytes = entry.size
    }
  }
  return all
}
