// Stores that pause for other requests: local stores answer without a wait, so a thousand reads would block everything
// else.

import type { Pace } from '../../lib/steps.ts'
import type { SkillStores } from './store.ts'

/** The same stores. Each request counts as work, and some of them pause first. */
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

// Time that a request takes on this thread with local stores, in microseconds.
const A_QUESTION = 2_000
