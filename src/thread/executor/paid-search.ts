// What searches of the search engine cost a run: each is reserved in its budget before it is sent, and charged or
// released after. A search with an unknown outcome is charged.

import { err } from '../../lib/result.ts'
import type { Billed, WebSearch } from '../../tools/web/search/search.ts'
import type { ThreadPorts, Parts } from '../parts.ts'
import type { RunChange, Run } from '../rows/run.ts'
import { spentOf } from './budget.ts'

function begun(price: number): (run: Run) => RunChange {
  return ({ openSearches, openSearchUsd }) => ({
    openSearches: openSearches + 1,
    openSearchUsd: openSearchUsd + price,
  })
}

function over(price: number, billed: Billed): (run: Run) => RunChange {
  return (run) => {
    // Sums of prices do not return to exactly 0.
    const openSearchUsd = run.openSearches > 1 ? Math.max(0, run.openSearchUsd - price) : 0
    const open = { openSearches: Math.max(0, run.openSearches - 1), openSearchUsd }
    if (billed === 'no') return open
    const estimated = run.estimated || (billed === 'perhaps' && price > 0)
    return { ...open, ...charged(run, 1, price), estimated }
  }
}

function charged(run: Run, searches: number, usd: number): RunChange {
  return {
    searches: run.searches + searches,
    searchUsd: run.searchUsd + usd,
    usedUsd: run.usedUsd + usd,
  }
}

/** Charges searches in progress that nothing waits for any more: the engine may bill them. */
export function lostSearches(run: Run): RunChange {
  const { openSearches, openSearchUsd } = run
  const estimated = run.estimated || openSearchUsd > 0
  return { ...charged(run, openSearches, openSearchUsd), openSearches: 0, openSearchUsd: 0, estimated }
}

/** The search of a run; refused once the budget does not cover another. `holds`: this execution still holds the run. */
export function paidSearch(
  { runs, out }: Parts<'runs', 'now'>,
  runId: string,
  holds: () => boolean,
  search: ReturnType<ThreadPorts['search']>,
): WebSearch | null {
  if (!search) return null
  const { ask, price } = search
  return async (...args) => {
    const run = holds() ? runs.get(runId) : null
    if (!run) return notMade('the run is over.')
    const left = leftOf(run, out.now())
    if (price > left) return notMade(unpaid(price, left))
    // On disk before the request leaves the object.
    runs.searched(runId, begun(price))
    const found = await ask(...args)
    // A run that ended meanwhile, or resumed after a crash, has already been charged.
    if (holds()) runs.searched(runId, over(price, found.ok ? 'yes' : found.error.billed))
    return found
  }
}

function notMade(why: string): Awaited<ReturnType<WebSearch>> {
  return err({ text: `Not made: ${why}`, foreign: false, billed: 'no' })
}

function leftOf(run: Run, now: number): number {
  const { usedUsd, openUsd } = spentOf(run, now)
  return run.options.budget.usd - usedUsd - openUsd
}

function unpaid(price: number, left: number): string {
  return `a search costs $${price}, and $${Math.max(0, left).toFixed(4)} of the run's budget are left. Continue with what you have, or ask the user to raise budget.usd.`
}
