// Stores bytes that are too large for a thread's rows in R2, under `<workspace>/<thread>/<random token>`. No text written by a user
// becomes part of a key.

import { DELETED_KEYS_MAX } from './limits.ts'
import { pumpSlowly, writeSlowly } from './pump.ts'

export interface FileStore {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Stores exactly `bytes` bytes, which come in parts. Rejects if reading a part does. */
  putParts(key: string, bytes: number, parts: AsyncIterable<Uint8Array>): Promise<void>
  /** Null if there is no such object. */
  get(key: string): Promise<Uint8Array | null>
  /** Null if there is no such object. The range must be within it. */
  getRange(key: string, offset: number, length: number): Promise<Uint8Array | null>
  /** Streams an object to another key, with pauses between pieces. Returns false if there is no object to copy. */
  copy(from: string, to: string): Promise<boolean>
  remove(keys: readonly string[]): Promise<void>
  /**
   * Discards the parts of a multipart upload. Never rejects: most such uploads have already ended, and R2 aborts the others after a
   * week.
   */
  abort(key: string, upload: string): Promise<void>
  /** Removes some of the objects under a prefix. Returns false if there were none. */
  removeSome(prefix: string): Promise<boolean>
}

/** A store in R2. Its methods reject if the platform fails, unless noted. */
export function r2Files(bucket: R2Bucket): FileStore {
  return {
    async put(key, bytes) {
      await bucket.put(key, bytes)
    },
    async putParts(key, bytes, parts) {
      const { readable, writable } = new FixedLengthStream(bytes)
      const put = bucket.put(key, readable)
      await writeSlowly(parts, writable, put)
      await put
    },
    async get(key) {
      const object = await bucket.get(key)
      return object && new Uint8Array(await object.arrayBuffer())
    },
    async getRange(key, offset, length) {
      const object = await bucket.get(key, { range: { offset, length } })
      return object && new Uint8Array(await object.arrayBuffer())
    },
    async copy(from, to) {
      const object = await bucket.get(from)
      if (!object) return false
      const { readable, writable } = new FixedLengthStream(object.size)
      const put = bucket.put(to, readable)
      await pumpSlowly(object.body, writable, put)
      await put
      return true
    },
    async remove(keys) {
      for (let start = 0; start < keys.length; start += DELETED_KEYS_MAX)
        await bucket.delete(keys.slice(start, start + DELETED_KEYS_MAX))
    },
    async abort(key, upload) {
      await bucket
        .resumeMultipartUpload(key, upload)
        .abort()
        .catch(() => undefined)
    },
    async removeSome(prefix) {
      const { objects } = await bucket.list({ prefix, limit: DELETED_KEYS_MAX })
      if (objects.length === 0) return false
      await bucket.delete(objects.map(({ key }) => key))
      return true
    },
  }
}

/** The key prefix of a thread's objects. It is unambiguous, because workspace names contain no slashes. */
export function prefixOf(workspace: string, threadId: string): string {
  return `${workspace}/${threadId}/`
}
