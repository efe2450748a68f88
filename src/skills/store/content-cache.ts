// What one isolate keeps of immutable content. Keys carry the workspace, so nothing crosses between tenants.

/**
 * Least recently used goes first. The newest stays even where it is heavier than the whole bound, alone: to parse it again
 * for each request would hold as much, many times.
 */
export interface WeightedCache<T> {
  get(key: string): T | undefined
  set(key: string, value: T, weight: number): void
}

export function weightedCache<T>(maxWeight: number): WeightedCache<T> {
  // A Map keeps insertion order: the first key is always the one used longest ago.
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
