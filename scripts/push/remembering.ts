// Wraps a target so that it remembers which keys exist. A server that pushes each edit then lists its growing store only
// once. Use this only for stores from which nobody deletes keys.

import type { PushTarget } from './push.ts'

/**
 * `present` contains the keys that are known to exist. The wrapper adds all keys that it finds or sends. If `present` is
 * empty, the wrapper first asks the target.
 */
export function rememberKeys(target: PushTarget, present: Set<string>): PushTarget {
  const isEmpty = present.size === 0
  const knownKeys = async (
    ask: PushTarget['hasKv'],
    keys: readonly string[],
  ): Promise<ReadonlySet<string>> => {
    if (isEmpty) for (const key of await ask(keys)) present.add(key)
    return present
  }
  return {
    hasKv: async (keys) => knownKeys((unknownKeys) => target.hasKv(unknownKeys), keys),
    hasBlobs: async (keys) => knownKeys((unknownKeys) => target.hasBlobs(unknownKeys), keys),
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
