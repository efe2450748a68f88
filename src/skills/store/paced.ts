// Stores that let others have their turn: local ones answer without a wait, so whoever asks a thousand times is all that runs.

import type { Pace } from '../../lib/steps.ts'
import type { SkillStores } from './store.ts'

/** The same stores; each question counts as work, and some of them rest first. */
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

// What a question takes of this thread where the stores are local, in microseconds.
const A_QUESTION = 2_000
