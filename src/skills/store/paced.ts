// Adds pauses to the stores. Local stores respond without waiting, so that a thousand reads would block all other
// requests.

import type { Pace } from '../../lib/steps.ts'
import type { SkillStores } from './store.ts'

/** The same stores, but each request counts as work, and `pace` decides before which ones to pause. */
export function pacedStores({ bodies, blobs }: SkillStores, pace: Pace): SkillStores {
  const rested = async <T>(ask: () => Promise<T>): Promise<T> => {
    const rest = pace.did(A_QUESTION)
    if (rest) await rest
    return ask()
  }
  return {
    bodies: {
      get: (key) => rested(() => bodies.get(key)),
      put: (key, bytes) => rested(() => bodies.put(key, bytes)),
    },
    blobs: {
      get: (key) => rested(() => blobs.get(key)),
      open: (key, sha256, over) => rested(() => blobs.open(key, sha256, over)),
      has: (key, sha256) => rested(() => blobs.has(key, sha256)),
      put: (key, bytes, sha256) => rested(() => blobs.put(key, bytes, sha256)),
    },
  }
}

// Microseconds of this thread's time that one request to a local store takes.
const A_QUESTION = 2_000
