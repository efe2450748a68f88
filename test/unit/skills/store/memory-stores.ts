// Stores in memory, which record the requested keys and fail when a test says so.

import { sha256Hex } from '../../../../src/lib/bytes.ts'
import type { SkillStores } from '../../../../src/skills/store/store.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface MemoryStores {
  readonly stores: SkillStores
  readonly kv: Map<string, Bytes>
  readonly r2: Map<string, Bytes>
  /** The keys that were read from either store, in order. */
  readonly reads: string[]
  /** While a number is above zero, each read decrements it and throws. */
  readonly faults: { kv: number; r2: number }
}

export function memoryStores(): MemoryStores {
  const kv = new Map<string, Bytes>()
  const r2 = new Map<string, Bytes>()
  const reads: string[] = []
  const faults = { kv: 0, r2: 0 }
  const get = (store: 'kv' | 'r2', key: string): Promise<Bytes | null> => {
    reads.push(key)
    if (faults[store]-- > 0) return Promise.reject(new Error('internal error'))
    return Promise.resolve((store === 'kv' ? kv : r2).get(key) ?? null)
  }
  const stores: SkillStores = {
    bodies: {
      get: (key) => get('kv', key),
      put: async (key, bytes) => void kv.set(key, bytes),
    },
    blobs: {
      get: (key) => get('r2', key),
      open: (key) => get('r2', key),
      has: async (key, sha256) => (await sha256Hex(r2.get(key) ?? '')) === sha256,
      put: async (key, bytes) => void r2.set(key, bytes),
    },
  }
  return { stores, kv, r2, reads, faults }
}
