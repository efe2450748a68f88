// Adds pauses to the stores. Local stores respond without waiting, so a thousand reads would block all other
// requests.

import type { Pace } from '../../lib/steps.ts'
import type { SkillStores } from './store.ts'

/** The same stores, but each request counts as work, and `pace` decides before which ones to pause. */
export function pacedStores({ bodies, blobs }: SkillStores, pace: Pace): SkillStores {
  const withPause = async <T>(request: () => Promise<T>): Promise<T> => {
    const pause = pace.countWork(US_PER_REQUEST)
    if (pause) await pause
    return request()
  }
  return {
    bodies: {
      get: (key) => withPause(() => bodies.get(key)),
      put: (key, bytes) => withPause(() => bodies.put(key, bytes)),
    },
    blobs: {
      get: (key) => withPause(() => blobs.get(key)),
      open: (key, sha256, maxBytes) => withPause(() => blobs.open(key, sha256, maxBytes)),
      has: (key, sha256) => withPause(() => blobs.has(key, sha256)),
      put: (key, bytes, sha256) => withPause(() => blobs.put(key, bytes, sha256)),
    },
  }
}

// Microseconds of this thread's time that one request to a local store takes.
const US_PER_REQUEST = 2_000
