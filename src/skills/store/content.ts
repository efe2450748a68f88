// Wires stores and the isolate's cache for one workspace. Holds only immutable, verified content.

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

/** Never sets an expiry: keys are content addresses and stay right for ever. */
function kvStore(kv: KVNamespace): BodyStore {
  return {
    async get(key) {
      const buffer = await kv.get(key, 'arrayBuffer')
      return buffer === null ? null : new Uint8Array(buffer)
    },
    put: (key, bytes) => kv.put(key, bytes),
  }
}

/** `pace`: of work that asks hundreds of times. */
export function skillStores(env: SkillBindings, pace?: Pace): SkillStores {
  const stores = { bodies: kvStore(env.SKILLS), blobs: r2Store(env.RESOURCES) }
  return pace ? pacedStores(stores, pace) : stores
}

/** Cheap: call it for each request. What was read before by this isolate is not read again. */
export function skillContent(env: SkillBindings, workspace: string, pace?: Pace): ContentReader {
  return contentReader(skillStores(env, pace), workspace, cache)
}
