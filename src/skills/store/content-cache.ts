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
  const kept = new Map<string, { readonly value: T; readonly weight: number }>()
  let total = 0
  const drop = (key: string): void => {
    total -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (!found) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set(key, value, weight) {
      drop(key)
      kept.set(key, { value, weight })
      total += weight
      for (const oldest of kept.keys()) {
        if (total <= maxWeight || oldest === key) return
        drop(oldest)
      }
    },
  }
}
