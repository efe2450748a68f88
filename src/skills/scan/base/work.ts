// Counts the work of a rule between its rests: `if (work.did(units)) yield work.told()`.

export interface Work {
  /** True when it is time to say so. */
  did(units: number): boolean
  /** What was done since the last time, in units of about a microsecond. */
  told(): number
}

const TELL = 2_000

export function startWork(): Work {
  let done = 0
  return {
    did: (units) => (done += units) >= TELL,
    told() {
      const units = done
      done = 0
      return units
    },
  }
}
