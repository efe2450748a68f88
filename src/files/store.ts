// Stores bytes that are too large for a thread's rows in R2, under `<workspace>/<thread>/<random object id>`. Nothing
// that a user wrote becomes part of a key.

import { DELETE_KEYS_MAX } from './limits.ts'
import { pumpSlowly } from './pump.ts'

export interface FileStore {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Null: not found. */
  get(key: string): Promise<Uint8Array | null>
  /** Streams with pauses between pieces. False: nothing to copy. */
  copy(from: string, to: string): Promise<boolean>
  remove(keys: readonly string[]): Promise<void>
  /**
   * Removes the parts of an upload. Never rejects: most uploads are over already, and R2 aborts the others itself after
   * a week.
   */
  abort(key: string, upload: string): Promise<void>
  /** Removes some objects under a prefix. False: none was left. */
  removeSome(prefix: string): Promise<boolean>
}

/** Rejects when the platform fails. */
export function r2Files(bucket: R2Bucket): FileStore {
  return {
    async put(key, bytes) {
      await bucket.put(key, bytes)
    },
    async get(key) {
      const found = await bucket.get(key)
      return found && new Uint8Array(await found.arrayBuffer())
    },
    async copy(from, to) {
      const found = await bucket.get(from)
      if (!found) return false
      const { readable, writable } = new FixedLengthStream(found.size)
      const put = bucket.put(to, readable)
      await pumpSlowly(found.body, writable, put)
      await put
      return true
    },
    async remove(keys) {
      for (let at = 0; at < keys.length; at += DELETE_KEYS_MAX)
        await bucket.delete(keys.slice(at, at + DELETE_KEYS_MAX))
    },
    async abort(key, upload) {
      await bucket
        .resumeMultipartUpload(key, upload)
        .abort()
        .catch(() => undefined)
    },
    async removeSome(prefix) {
      const { objects } = await bucket.list({ prefix, limit: DELETE_KEYS_MAX })
      if (objects.length === 0) return false
      await bucket.delete(objects.map(({ key }) => key))
      return true
    },
  }
}

/** The prefix of a thread's objects. It is unambiguous: the name of a workspace contains no slash. */
export function prefixOf(workspace: string, threadId: string): string {
  return `${workspace}/${threadId}/`
}
