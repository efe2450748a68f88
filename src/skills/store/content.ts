// Connects the stores and the isolate's cache for one workspace. Holds only immutable, verified content.

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

/** Sets no expiry: keys are content addresses and never become stale. */
function kvStore(kv: KVNamespace): BodyStore {
  return {
    async get(key) {
      const buffer = await kv.get(key, 'arrayBuffer')
      return buffer === null ? null : new Uint8Array(buffer)
    },
    put: (key, bytes) => kv.put(key, bytes),
  }
}

/** `pace`: for work with hundreds of requests. */
export function skillStores(env: SkillBindings, pace?: Pace): SkillStores {
  const stores = { bodies: kvStore(env.SKILLS), blobs: r2Store(env.RESOURCES) }
  return pace ? pacedStores(stores, pace) : stores
}

/** Cheap enough to call for each request. Content that this isolate has read is cached. */
export function skillContent(env: SkillBindings, workspace: string, pace?: Pace): ContentReader {
  return contentReader(skillStores(env, pace), workspace, cache)
}
