// What searches of the search engine cost a run. The price of each search is reserved in the budget before it
// is sent, and charged or released afterwards. A search with an unknown outcome is charged.

import { err } from '../../lib/result.ts'
import type { Billed, WebSearch } from '../../tools/web/search/search.ts'
import type { ThreadPorts } from '../parts.ts'
import { leasedBudget } from '../rows/run-lease.ts'
import type { RunChange, Run } from '../rows/run.ts'
import { spentOf } from './budget.ts'
import { askForLease, whyNoMore, type LeasingThread } from './lease.ts'

function reserveSearch(usdPerSearch: number): (run: Run) => RunChange {
  return ({ openSearches, openSearchUsd }) => ({
    openSearches: openSearches + 1,
    openSearchUsd: openSearchUsd + usdPerSearch,
  })
}

function settleSearch(usdPerSearch: number, billed: Billed): (run: Run) => RunChange {
  return (run) => {
    // Adding and subtracting prices does not always return to exactly 0.
    const openSearchUsd = run.openSearches > 1 ? Math.max(0, run.openSearchUsd - usdPerSearch) : 0
    const open = { openSearches: Math.max(0, run.openSearches - 1), openSearchUsd }
    if (billed === 'no') return open
    const estimated = run.estimated || (billed === 'perhaps' && usdPerSearch > 0)
    return { ...open, ...addSearches(run, 1, usdPerSearch), estimated }
  }
}

function addSearches(run: Run, searches: number, usd: number): RunChange {
  return {
    searches: run.searches + searches,
    searchUsd: run.searchUsd + usd,
    usedUsd: run.usedUsd + usd,
  }
}

/** Charges searches in progress whose results are no longer awaited, because the engine may bill them. */
export function chargeLostSearches(run: Run): RunChange {
  const { openSearches, openSearchUsd } = run
  const estimated = run.estimated || openSearchUsd > 0
  return { ...addSearches(run, openSearches, openSearchUsd), openSearches: 0, openSearchUsd: 0, estimated }
}

/**
 * The search function of a run. It refuses once the budget does not cover another search. `holdsRun` tells
 * whether this execution still holds the run.
 */
export function paidSearch(
  thread: LeasingThread,
  runId: string,
  holdsRun: () => boolean,
  search: ReturnType<ThreadPorts['search']>,
): WebSearch | null {
  if (!search) return null
  const { runs, ports } = thread
  const { send, usdPerSearch } = search
  return async (...args) => {
    const run = holdsRun() ? runs.get(runId) : null
    if (!run) return notSearched('the run has ended.')
    const remaining = remainingUsd(run, ports.now())
    if (usdPerSearch > remaining) return notSearched(notCovered(usdPerSearch, remaining))
    const { budget } = run.options
    if (usdPerSearch > remainingUsd(run, ports.now(), leasedBudget(run, budget, ports.now()))) {
      await askForLease(thread, run, { usd: usdPerSearch, tokens: 0 }, holdsRun)
      const current = holdsRun() ? runs.get(runId) : null
      if (!current) return notSearched('the run has ended.')
      const leased = leasedBudget(current, budget, ports.now())
      if (usdPerSearch > remainingUsd(current, ports.now(), leased)) return notSearched(whyNoMore(current))
    }
    // The reservation is on disk before the request is sent.
    runs.change(runId, reserveSearch(usdPerSearch))
    const outcome = await send(...args)
    // If the run ended meanwhile, or resumed after a crash, the search has already been charged.
    if (holdsRun()) runs.change(runId, settleSearch(usdPerSearch, outcome.ok ? 'yes' : outcome.error.billed))
    return outcome
  }
}

function notSearched(why: string): Awaited<ReturnType<WebSearch>> {
  return err({ text: `Not searched: ${why}`, mayBeUntrusted: false, billed: 'no' })
}

function remainingUsd(run: Run, now: number, budget = run.options.budget): number {
  const { usedUsd, openUsd } = spentOf(run, now)
  return budget.usd - usedUsd - openUsd
}

function notCovered(usdPerSearch: number, remaining: number): string {
  return `a search costs $${usdPerSearch}, and $${Math.max(0, remaining).toFixed(4)} of the run's budget is left. Continue with what you have, or ask the user to raise budget.usd.`
}
