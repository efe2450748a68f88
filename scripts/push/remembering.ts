// A target that remembers which keys exist: a server that pushes each edit must not list a growing store every
// time. Only for stores that nobody else empties meanwhile.

import type { PushTarget } from './push.ts'

/** `present`: keys that are known to exist; may be empty. Grows with keys that are found or sent. */
export function remembering(target: PushTarget, present: Set<string>): PushTarget {
  const fresh = present.size === 0
  const known = async (ask: PushTarget['hasKv'], keys: readonly string[]): Promise<ReadonlySet<string>> => {
    if (fresh) for (const key of await ask(keys)) present.add(key)
    return present
  }
  return {
    hasKv: async (keys) => known((unknownKeys) => target.hasKv(unknownKeys), keys),
    hasBlobs: async (keys) => known((unknownKeys) => target.hasBlobs(unknownKeys), keys),
    async putKv(entries) {
      await target.putKv(entries)
      for (const { key } of entries) present.add(key)
    },
    async putBlobs(entries) {
      await target.putBlobs(entries)
      for (const { key } of entries) present.add(key)
    },
  }
}
