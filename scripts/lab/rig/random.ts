// Reproducible random numbers: the same seed gives the same numbers. Not for secrets.

export interface Chance {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  /** An integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number
  /** True with a probability of `share`. */
  yes(share: number): boolean
}

/** The generator mulberry32, whose 32 bits of state are enough to distribute kills and faults. */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    yes: (share) => next() < share,
  }
}
