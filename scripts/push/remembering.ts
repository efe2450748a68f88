// A target that asks its store once and then remembers: a server that pushes each edit must not list a store that
// grows with every edit. Only for stores that nobody else empties meanwhile.

import type { PushTarget } from './push.ts'

/** `present`: the keys that are known to be there; empty: nothing is known yet. Grows with what is found and sent. */
export function remembering(target: PushTarget, present: Set<string>): PushTarget {
  const fresh = present.size === 0
  const known = async (ask: PushTarget['hasKv'], keys: readonly string[]): Promise<ReadonlySet<string>> => {
    if (fresh) for (const key of await ask(keys)) present.add(key)
    return present
  }
  return {
    hasKv: async (keys) => known((asked) => target.hasKv(asked), keys),
    hasBlobs: async (keys) => known((asked) => target.hasBlobs(asked), keys),
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
