// Counts the work of a rule between its pauses: `if (work.did(units)) yield work.report()`.

export interface Work {
  /** True when it is time to report. */
  did(units: number): boolean
  /** The work since the last report, in units of about a microsecond. */
  report(): number
}

const TELL = 2_000

export function startWork(): Work {
  let done = 0
  return {
    did: (units) => (done += units) >= TELL,
    report() {
      const units = done
      done = 0
      return units
    },
  }
}
