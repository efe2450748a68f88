// Connects the Worker's bindings to the stores and the isolate's cache.

import type { Pace } from '../../lib/steps.ts'
import { contentReader, isolateCache, type ContentReader } from './content-reader.ts'
import { pacedStores } from './paced.ts'
import type { BodyStore, SkillStores } from './store.ts'
import { r2Store } from './store-r2.ts'

const cache = isolateCache()

export interface SkillBindings {
  readonly SKILLS: KVNamespace
  readonly RESOURCES: R2Bucket
}

/** BodyStore over KV. Sets no expiry, because keys are content addresses and never become stale. */
function kvStore(kv: KVNamespace): BodyStore {
  return {
    async get(key) {
      const buffer = await kv.get(key, 'arrayBuffer')
      return buffer === null ? null : new Uint8Array(buffer)
    },
    put: (key, bytes) => kv.put(key, bytes),
  }
}

/** The stores. Pass `pace` for work with hundreds of requests. */
export function skillStores(env: SkillBindings, pace?: Pace): SkillStores {
  const stores = { bodies: kvStore(env.SKILLS), blobs: r2Store(env.RESOURCES) }
  return pace ? pacedStores(stores, pace) : stores
}

/** A content reader for a workspace. All readers of an isolate share its cache, so creating one is cheap. */
export function skillContent(env: SkillBindings, workspace: string, pace?: Pace): ContentReader {
  return contentReader(skillStores(env, pace), workspace, cache)
}
