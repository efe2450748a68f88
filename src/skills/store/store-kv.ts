// BodyStore over Workers KV. Never sets an expiry: keys are content addresses and stay right for ever.

import type { BodyStore } from './store.ts'

export function kvStore(kv: KVNamespace): BodyStore {
  return {
    async get(key) {
      const buffer = await kv.get(key, 'arrayBuffer')
      return buffer === null ? null : new Uint8Array(buffer)
    },
    put: (key, bytes) => kv.put(key, bytes),
  }
}
