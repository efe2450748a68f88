// A cache for immutable content in one isolate. Keys include the workspace, so that workspaces share nothing.

/**
 * Evicts the least recently used values first. Keeps the newest even if it alone exceeds the limit, because parsing it
 * for every request would use as much memory many times over.
 */
export interface WeightedCache<T> {
  get(key: string): T | undefined
  set(key: string, value: T, weight: number): void
}

export function weightedCache<T>(maxWeight: number): WeightedCache<T> {
  // A Map keeps insertion order: the first key is the least recently used.
  const values = new Map<string, { readonly value: T; readonly weight: number }>()
  let total = 0
  const remove = (key: string): void => {
    total -= values.get(key)?.weight ?? 0
    values.delete(key)
  }
  return {
    get(key) {
      const cachedValue = values.get(key)
      if (!cachedValue) return undefined
      values.delete(key)
      values.set(key, cachedValue)
      return cachedValue.value
    },
    set(key, value, weight) {
      remove(key)
      values.set(key, { value, weight })
      total += weight
      for (const oldest of values.keys()) {
        if (total <= maxWeight || oldest === key) return
        remove(oldest)
      }
    },
  }
}
