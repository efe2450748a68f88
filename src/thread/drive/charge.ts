// What a call to the model costs its run: what the API reported of a whole answer; of any other call the most that it can
// have cost, so that the budget stays an upper bound.

import { costOf, priceAt } from '../../agent/cost.ts'
import { NO_TOKENS, NO_USAGE, addUsage, totalTokens, type Tokens, type Usage } from '../../agent/message.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { DEATH_NOTICED_MS } from './limits.ts'
import type { RunRecord } from '../../workspace/api.ts'
import type { Outside, Parts } from '../parts.ts'
import { recordOf } from '../rows/charged.ts'
import { lostSearches } from './paid-search.ts'
import type { Run } from '../rows/run.ts'

const MILLION = 1_000_000

type Open = Pick<Run, 'openTokens' | 'openUsd' | 'openInput' | 'openSince' | 'openSeen'>
type Thread = Parts<'row' | 'runs', 'models' | 'now'>

/** Output that the open call can have produced until `until`: never more than it was allowed. */
function producedBy(open: Open, facts: ModelFacts, until: number): number {
  const seconds = Math.max(0, until - open.openSince) / 1000
  return Math.min(open.openTokens - open.openInput, Math.ceil(seconds * facts.maxTokensPerSecond))
}

/**
 * The most that a call without an answer can have cost: its whole input, its searches, and what its model can have produced
 * until `until`. Of a model of which nothing is known any more, all that was reserved. Pure.
 */
function mostOf(
  open: Open,
  facts: ModelFacts | null,
  until: number,
): { readonly tokens: number; readonly usd: number } {
  if (!facts) return { tokens: open.openTokens, usd: open.openUsd }
  const unused = open.openTokens - open.openInput - producedBy(open, facts, until)
  const { output } = priceAt(facts, open.openInput)
  return { tokens: open.openTokens - unused, usd: Math.max(0, open.openUsd - (unused * output) / MILLION) }
}

/**
 * When a call whose object died was over at the latest. Alive, the object would have written at its next alarm that the call
 * goes on; and it was dead by now. A clock that went back since says nothing.
 */
function overBy({ openSince, openSeen }: Open, now: number): number {
  const latest = openSeen + DEATH_NOTICED_MS
  return now <= openSince ? latest : Math.min(now, latest)
}

type Books = Pick<Thread, 'runs' | 'out'>

function unanswered({ runs, out }: Books, run: Run, until: number, usage = NO_USAGE): void {
  if (run.openSearches > 0) runs.searched(run.id, lostSearches)
  if (run.openTokens === 0) return
  const facts = out.models.resolve(run.model)?.facts ?? null
  runs.settle(run.id, { ...mostOf(run, facts, until), estimated: true }, usage)
}

/** Settles the open call of a run, and its searches, if there are any, which nobody will answer any more. */
export function chargeUnanswered(thread: Books, runId: string): void {
  const run = thread.runs.get(runId)
  if (run) unanswered(thread, run, thread.out.now())
}

/** The same where the object died meanwhile. */
export function chargeLost(thread: Books, runId: string): void {
  const run = thread.runs.get(runId)
  if (run) unanswered(thread, run, overBy(run, thread.out.now()))
}

/** What the workspace counts of a run that nothing goes on with: its thread is deleted. */
export function recordAtMost(left: Run, models: Outside['models'], now: number): RunRecord {
  const run = { ...left, ...lostSearches(left) }
  const record = recordOf(run)
  if (run.openTokens === 0) return record
  const { tokens, usd } = mostOf(run, models.resolve(run.model)?.facts ?? null, overBy(run, now))
  const { charged } = record
  return { ...record, charged: { tokens: charged.tokens + tokens, usd: charged.usd + usd, estimated: true } }
}

/**
 * Settles the open call of a run. `reported` null: nobody knows what it used. `whole`: it gave its answer; else it may have
 * produced more than was reported. Answers the usage with its price, null where that is a guess.
 */
export function charge(thread: Thread, runId: string, reported: Tokens | null, whole: boolean): Usage {
  const { row, runs, out } = thread
  const run = runs.get(runId)
  const facts = run && out.models.resolve(run.model)?.facts
  const { contextTokens, usage: before } = row.data
  if (!run || !facts || reported === null) {
    const unknown = whole ? { ...NO_TOKENS, cost_usd: null } : NO_USAGE
    if (run) unanswered(thread, run, out.now(), unknown)
    row.used(contextTokens, addUsage(before, unknown))
    return unknown
  }
  const tokens = totalTokens(reported)
  const usd = costOf(facts, reported)
  const usage = { ...reported, cost_usd: facts.priced || tokens === 0 ? usd : null }
  const most = whole || tokens === 0 ? reported : atMost(run, facts, reported, out.now())
  const cost = { tokens: totalTokens(most), usd: costOf(facts, most) }
  runs.settle(runId, { ...cost, estimated: tokens > 0 && !(whole && facts.priced) }, usage)
  // An answer also says how long the conversation is by now; but for one with searches, which read it once more for each.
  const length = reported.web_search_requests === undefined ? tokens : 0
  row.used(whole ? length : contextTokens, addUsage(before, usage))
  return usage
}

/** Thinking, tool input and text that had not come yet are billed, too. */
function atMost(run: Run, facts: ModelFacts, reported: Tokens, now: number): Tokens {
  const output = Math.max(reported.output_tokens, producedBy(run, facts, now))
  return { ...reported, output_tokens: output }
}
