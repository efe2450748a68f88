// What a call to the model costs its run: what the API reported of a whole answer; of any other call the most that it can
// have cost, so that the budget stays an upper bound.

import { cachedDiscount, costOf, priceAt } from '../../agent/cost.ts'
import { NO_TOKENS, NO_USAGE, addUsage, totalTokens, type Tokens, type Usage } from '../../agent/message.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { cachedBy, type SentPrompt } from '../../agent/prompt-cache.ts'
import { DEATH_NOTICED_MS } from './limits.ts'
import type { RunRecord } from '../../workspace/api.ts'
import type { ThreadPorts, Parts } from '../parts.ts'
import { recordOf } from '../rows/charged.ts'
import { lostSearches } from './paid-search.ts'
import type { Run } from '../rows/run.ts'

const MILLION = 1_000_000

type Open = Pick<
  Run,
  'openTokens' | 'openUsd' | 'openInput' | 'openCached' | 'openPrompt' | 'openSince' | 'openSeen'
>
type Thread = Parts<'row' | 'runs', 'models' | 'now'>

/** Output that the open call can have produced until `until`: never more than it was allowed. */
function producedBy(open: Open, facts: ModelFacts, until: number): number {
  const seconds = Math.max(0, until - open.openSince) / 1000
  return Math.min(open.openTokens - open.openInput, Math.ceil(seconds * facts.maxTokensPerSecond))
}

/**
 * The most that a call without an answer can have cost: its input, as the API reported it or else at its dearest but for what
 * is surely cached; its searches; and what its model can have produced until `until`. Of a model of which nothing is known
 * any more, all that was reserved. Pure.
 */
function mostOf(
  open: Open,
  facts: ModelFacts | null,
  until: number,
): { readonly tokens: number; readonly usd: number } {
  if (!facts) return { tokens: open.openTokens, usd: open.openUsd }
  const produced = producedBy(open, facts, until)
  if (open.openPrompt) {
    const most = { ...open.openPrompt.tokens, output_tokens: produced }
    return { tokens: totalTokens(most), usd: costOf(facts, most) }
  }
  const { openInput, openCached } = open
  const unused = open.openTokens - openInput - produced
  const { output } = priceAt(facts, openInput)
  const less = (unused * output) / MILLION + cachedDiscount(facts, openInput, openCached)
  return { tokens: open.openTokens - unused, usd: Math.max(0, open.openUsd - less) }
}

/**
 * When a call whose object died was over at the latest. Alive, the object would have written again that the call
 * goes on; and it was dead by now. A clock that went back since says nothing.
 */
function overBy({ openSince, openSeen }: Open, now: number): number {
  const latest = openSeen + DEATH_NOTICED_MS
  return now <= openSince ? latest : Math.min(now, latest)
}

/** What the API said that the open call used, before it was lost. */
function reportedOf({ openPrompt }: Open, facts: ModelFacts | null): Usage {
  if (!openPrompt) return NO_USAGE
  return { ...openPrompt.tokens, cost_usd: facts?.priced ? costOf(facts, openPrompt.tokens) : null }
}

function unanswered(
  { runs, out }: Pick<Thread, 'runs' | 'out'>,
  run: Run,
  until: number,
  usage: Usage,
): void {
  if (run.openSearches > 0) runs.searched(run.id, lostSearches)
  if (run.openTokens === 0) return
  const facts = out.models.resolve(run.model)?.facts ?? null
  runs.settle(run.id, { ...mostOf(run, facts, until), estimated: true }, usage)
}

function lost(thread: Thread, runId: string, untilOf: (run: Run) => number): void {
  const { row, runs, out } = thread
  const run = runs.get(runId)
  if (!run) return
  const usage = reportedOf(run, out.models.resolve(run.model)?.facts ?? null)
  unanswered(thread, run, untilOf(run), usage)
  const { contextTokens, usage: before } = row.data
  if (run.openTokens === 0 || !run.openPrompt) return
  row.used(contextTokens, addUsage(before, usage), cachedBy(run.openPrompt.sent, run.openPrompt.tokens))
}

/** Settles the open call of a run, and its searches, if there are any, which nobody will answer any more. */
export function chargeUnanswered(thread: Thread, runId: string): void {
  lost(thread, runId, () => thread.out.now())
}

/** The same where the object died meanwhile. */
export function chargeLost(thread: Thread, runId: string): void {
  lost(thread, runId, (run) => overBy(run, thread.out.now()))
}

/** What the workspace counts of a run that nothing goes on with: its thread is deleted. */
export function recordAtMost(left: Run, models: ThreadPorts['models'], now: number): RunRecord {
  const run = { ...left, ...lostSearches(left) }
  const record = recordOf(run)
  if (run.openTokens === 0) return record
  const facts = models.resolve(run.model)?.facts ?? null
  const { tokens, usd } = mostOf(run, facts, overBy(run, now))
  const { charged } = record
  return {
    ...record,
    usage: addUsage(record.usage, reportedOf(run, facts)),
    charged: { tokens: charged.tokens + tokens, usd: charged.usd + usd, estimated: true },
  }
}

/**
 * Settles the open call of a run. `reported` null: nobody knows what it used. `whole`: it gave its answer; else it may have
 * produced more than was reported. `sent`: its request, null where it is not known what the provider remembers of it.
 * Answers the usage with its price, null where that is a guess.
 */
export function charge(
  thread: Thread,
  runId: string,
  reported: Tokens | null,
  whole: boolean,
  sent: SentPrompt | null,
): Usage {
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
  // One that was turned away, or told nothing of its prompt, changes nothing in what is remembered.
  const cached = tokens > 0 ? cachedBy(sent, reported) : row.data.cachedPrompt
  row.used(whole ? length : contextTokens, addUsage(before, usage), cached)
  return usage
}

/** Thinking, tool input and text that had not come yet are billed, too. */
function atMost(run: Run, facts: ModelFacts, reported: Tokens, now: number): Tokens {
  const output = Math.max(reported.output_tokens, producedBy(run, facts, now))
  return { ...reported, output_tokens: output }
}
