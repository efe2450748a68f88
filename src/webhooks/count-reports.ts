// Counts what becomes of deliveries or events, and reports it to the workspace in batches, so that a delivery needs no call of
// its own. An object that ends loses what it has not reported.

import { objects, type Env } from '../env/env.ts'
import { CountedSeries } from '../lib/counted-series.ts'
import type { DeliveryKind } from '../workspace/count-api.ts'
import { COUNTS_REPORT_DELAY_MS } from './limits.ts'

interface CountingObject {
  readonly env: Env
  readonly kind: DeliveryKind
  /** Null if it is not configured. */
  readonly source: () => { readonly id: string; readonly workspace: string } | null
  /** How many of its deliveries or events wait. */
  readonly countWaiting: () => number
}

export class CountReports {
  readonly #object: CountingObject
  readonly #counted = new CountedSeries()
  #isScheduled = false

  constructor(object: CountingObject) {
    this.#object = object
  }

  count(state: string, times = 1): void {
    if (times > 0) this.#counted.add(times, 'deliveries', this.#object.kind, state)
    this.reportSoon()
  }

  /** Must be called while something waits, because the workspace does not store how much does. */
  reportSoon(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => void this.report(), COUNTS_REPORT_DELAY_MS)
  }

  /** Never throws: what could not be reported goes with the next report. */
  async report(): Promise<void> {
    this.#isScheduled = false
    const { env, kind, source, countWaiting } = this.#object
    const counts = this.#counted.take()
    try {
      // Its tables may be gone.
      const from = source()
      if (!from) return
      const waiting = { kind, source: from.id, count: countWaiting() }
      await objects(env).workspace(from.workspace).count({ counts, waiting })
    } catch {
      this.#counted.addAll(counts)
    }
  }
}
