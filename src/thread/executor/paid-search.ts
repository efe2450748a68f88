// What searches of the search engine cost a run. The price of each search is reserved in the budget before it
// is sent, and charged or released afterwards. A search with an unknown outcome is charged.

import { err } from '../../lib/result.ts'
import type { Billed, WebSearch } from '../../tools/web/search/search.ts'
import type { ThreadPorts } from '../parts.ts'
import { leasedBudget } from '../rows/run-lease.ts'
import type { RunChange, Run } from '../rows/run.ts'
import { spentOf } from './budget.ts'
import { askForLease, whyNoMore, type LeaseHolder, type LeasingThread } from './lease.ts'

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
 * The search function of a run. It refuses once the budget or the lease does not cover another search.
 */
export function paidSearch(
  thread: LeasingThread,
  runId: string,
  holder: LeaseHolder,
  search: ReturnType<ThreadPorts['search']>,
): WebSearch | null {
  if (!search) return null
  const { runs } = thread
  const { send, usdPerSearch } = search
  let turn: Promise<string | null> = Promise.resolve(null)
  return async (...args) => {
    // Searches of one step run in parallel. Each asks for what is left after the ones before it.
    turn = turn.catch(() => null).then(() => reserve(thread, runId, holder, usdPerSearch))
    const refusal = await turn
    if (refusal !== null) return notSearched(refusal)
    const outcome = await send(...args)
    // If the run ended meanwhile, or resumed after a crash, the search has already been charged.
    if (holder.holdsRun())
      runs.change(runId, settleSearch(usdPerSearch, outcome.ok ? 'yes' : outcome.error.billed))
    return outcome
  }
}

/** Reserves a search, on disk before it is sent. Returns why it may not be made, or null. Never rejects. */
async function reserve(
  thread: LeasingThread,
  runId: string,
  holder: LeaseHolder,
  usd: number,
): Promise<string | null> {
  const { runs, ports } = thread
  const run = holder.holdsRun() ? runs.get(runId) : null
  if (!run) return RUN_ENDED
  const remaining = remainingUsd(run, ports.now())
  if (usd > remaining) return notCovered(usd, remaining)
  const isLeased = (current: Run): boolean =>
    usd <= remainingUsd(current, ports.now(), leasedBudget(current, run.options.budget, ports.now()))
  if (!isLeased(run)) {
    const unanswered = await askForLease(thread, run, { usd, tokens: 0 }, holder)
    const current = holder.holdsRun() ? runs.get(runId) : null
    if (!current) return RUN_ENDED
    if (!isLeased(current)) return unanswered ?? whyNoMore(current)
  }
  runs.change(runId, reserveSearch(usd))
  return null
}

const RUN_ENDED = 'the run has ended.'

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
