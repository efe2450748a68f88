// Counts the work of a rule between its pauses: `if (work.countWork(units)) yield work.report()`.

export interface Work {
  /** Adds work. True when it is time to yield. */
  countWork(units: number): boolean
  /** The work since the last report, in microseconds (approximately). */
  report(): number
}

/** Microseconds of work after which a rule yields. */
const YIELD_UNITS = 2_000

export function startWork(): Work {
  let spentUnits = 0
  return {
    countWork: (units) => (spentUnits += units) >= YIELD_UNITS,
    report() {
      const units = spentUnits
      spentUnits = 0
      return units
    },
  }
}
