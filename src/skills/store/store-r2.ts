// BlobStore over R2. Never overwrites bytes that R2 vouches for.

import { hex } from '../../lib/bytes.ts'
import type { BlobStore } from './store.ts'

export function r2Store(bucket: R2Bucket): BlobStore {
  return {
    async get(key) {
      const object = await bucket.get(key)
      return object === null ? null : new Uint8Array(await object.arrayBuffer())
    },
    async has(key, sha256) {
      const sum = (await bucket.head(key))?.checksums.sha256
      return sum !== undefined && hex(new Uint8Array(sum)) === sha256
    },
    async put(key, bytes, sha256) {
      await bucket.put(key, bytes, { sha256 })
    },
  }
}
