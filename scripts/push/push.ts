// Sends what a store lacks of a build, in the order that keeps every reader whole. Knows no store.

import { utf8 } from '../../src/lib/bytes.ts'
import { PUSH_BATCH_BYTES, PUSH_BATCH_ENTRIES } from '../../src/limits.ts'
import { blobKey, bodyKey, indexKey } from '../../src/skills/store/keys.ts'
import type { Build } from '../build/build.ts'

interface KvEntry {
  readonly key: string
  readonly value: string
}
interface BlobEntry {
  readonly key: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A place that keeps builds. Keys are content addresses, so what is present is right. Rejects when it cannot. */
export interface PushTarget {
  /** Which of these keys are there. */
  hasKv(keys: readonly string[]): Promise<ReadonlySet<string>>
  putKv(entries: readonly KvEntry[]): Promise<void>
  hasBlobs(keys: readonly string[]): Promise<ReadonlySet<string>>
  putBlobs(entries: readonly BlobEntry[]): Promise<void>
}

export interface Pushed {
  /** Objects sent to R2 and entries sent to KV; both 0 when everything was there. */
  readonly blobs: number
  readonly kv: number
  readonly bytes: number
}

/** Called after each batch: `done` of `all` things that were missing. */
export type Progress = (done: number, all: number) => void

/**
 * R2 first, then the bodies in KV, the index last: whoever finds an index finds all that it names. Stopped
 * halfway, the next push goes on where this one ended.
 */
export async function pushBuild(
  build: Build,
  target: PushTarget,
  progress: Progress = () => {},
): Promise<Pushed> {
  const indexBlob = blobKey('build', build.digest)
  const blobs = [...build.blobs].map(([sha256, bytes]) => ({ key: blobKey('build', sha256), bytes }))
  const bodies = [...build.bodies].map(([sha256, value]) => ({ key: bodyKey('build', sha256), value }))
  const kv = [...bodies, { key: indexKey(build.digest), value: build.indexText }]
  const [presentBlobs, presentKv] = [
    await target.hasBlobs(blobs.map(({ key }) => key)),
    await target.hasKv(kv.map(({ key }) => key)),
  ]
  const newBlobs = blobs.filter(({ key }) => !presentBlobs.has(key))
  const newKv = kv.filter(({ key }) => !presentKv.has(key))
  const all = newBlobs.length + newKv.length
  let done = 0
  const sent = (count: number): void => progress((done += count), all)
  // The index is an object of R2 too; there as well it comes after the files.
  for (const last of [false, true]) {
    for (const batch of batches(
      newBlobs.filter(({ key }) => (key === indexBlob) === last),
      sizeOfBlob,
    )) {
      await target.putBlobs(batch)
      sent(batch.length)
    }
  }
  const index = indexKey(build.digest)
  for (const last of [false, true])
    for (const batch of batches(
      newKv.filter(({ key }) => (key === index) === last),
      sizeOfEntry,
    )) {
      await target.putKv(batch)
      sent(batch.length)
    }
  const bytes = newBlobs.reduce((sum, entry) => sum + sizeOfBlob(entry), 0)
  return { blobs: newBlobs.length, kv: newKv.length, bytes }
}

function sizeOfBlob(entry: BlobEntry): number {
  return entry.bytes.length
}

function sizeOfEntry(entry: KvEntry): number {
  return utf8(entry.value).length
}

function batches<T>(entries: readonly T[], sizeOf: (entry: T) => number): T[][] {
  const all: T[][] = []
  let bytes = 0
  for (const entry of entries) {
    const batch = all.at(-1)
    bytes += sizeOf(entry)
    if (batch && batch.length < PUSH_BATCH_ENTRIES && bytes <= PUSH_BATCH_BYTES) batch.push(entry)
    else {
      all.push([entry])
      bytes = sizeOf(entry)
    }
  }
  return all
}
