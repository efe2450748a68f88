// Counts the work of a rule between its pauses: `if (work.spend(units)) yield work.report()`.

export interface Work {
  /** Adds work. True when it is time to yield. */
  countWork(units: number): boolean
  /** The work since the last report, in microseconds (approximately). */
  report(): number
}

const TELL = 2_000

export function startWork(): Work {
  let done = 0
  return {
    countWork: (units) => (done += units) >= TELL,
    report() {
      const units = done
      done = 0
      return units
    },
  }
}
