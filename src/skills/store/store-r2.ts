// BlobStore over R2.

import { hex } from '../../lib/bytes.ts'
import { checkedStream } from './checked-stream.ts'
import type { BlobStore } from './store.ts'

export function r2Store(bucket: R2Bucket): BlobStore {
  return {
    async get(key) {
      const object = await bucket.get(key)
      return object === null ? null : new Uint8Array(await object.arrayBuffer())
    },
    async open(key, sha256, maxBytes) {
      const object = await bucket.get(key)
      if (object === null) return null
      if (object.size <= maxBytes) return new Uint8Array(await object.arrayBuffer())
      // Objects pushed by wrangler have no SHA-256 in R2.
      return hasVerifiedHash(object, sha256) ? object.body : checkedStream(object.body, sha256)
    },
    async has(key, sha256) {
      const object = await bucket.head(key)
      return object !== null && hasVerifiedHash(object, sha256)
    },
    async put(key, bytes, sha256) {
      await bucket.put(key, bytes, { sha256 })
    },
  }
}

function hasVerifiedHash({ checksums }: R2Object, sha256: string): boolean {
  return checksums.sha256 !== undefined && hex(new Uint8Array(checksums.sha256)) === sha256
}
