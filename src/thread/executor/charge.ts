// What a model call costs its run. A complete response costs the usage that the API reported; any other call
// costs the most that it can have cost, so that the charged amount is always an upper bound.

import { cachedDiscount, costOf, priceAt } from '../../agent/cost.ts'
import { NO_TOKENS, NO_USAGE, addUsage, totalTokens, type Tokens, type Usage } from '../../agent/message.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { toCachedPrompt, type SentPrompt } from '../../agent/prompt-cache.ts'
import { OPEN_CALL_DEAD_MS } from './limits.ts'
import type { RunRecord } from '../../workspace/run-api.ts'
import type { ThreadPorts, Parts } from '../parts.ts'
import { recordOf } from '../rows/run-charges.ts'
import { chargeLostSearches } from './paid-search.ts'
import type { Run } from '../rows/run.ts'

const MILLION = 1_000_000

type OpenCallFields = Pick<
  Run,
  'openTokens' | 'openUsd' | 'openInput' | 'openCached' | 'openPrompt' | 'openSince' | 'openSeen'
>
type Thread = Parts<'row' | 'runs', 'models' | 'now'>

/**
 * The number of output tokens that the open call can have produced until `until`, at most the number it was
 * allowed.
 */
function maxProducedTokens(open: OpenCallFields, facts: ModelFacts, until: number): number {
  const seconds = Math.max(0, until - open.openSince) / 1000
  return Math.min(open.openTokens - open.openInput, Math.ceil(seconds * facts.maxTokensPerSecond))
}

/**
 * The maximum that a call without a response can have cost. Its input costs what the API reported; if that is
 * unknown, the highest price except for what is certainly cached. Added are its searches, and the output that
 * its model can have produced until `until`. For an unknown model, it is everything that was reserved. Pure.
 */
function maximumCostOf(
  open: OpenCallFields,
  facts: ModelFacts | null,
  until: number,
): { readonly tokens: number; readonly usd: number } {
  if (!facts) return { tokens: open.openTokens, usd: open.openUsd }
  const outputTokens = maxProducedTokens(open, facts, until)
  if (open.openPrompt) {
    const maximum = { ...open.openPrompt.tokens, output_tokens: outputTokens }
    return { tokens: totalTokens(maximum), usd: costOf(facts, maximum) }
  }
  const { openInput, openCached } = open
  const unusedTokens = open.openTokens - openInput - outputTokens
  const { output: outputUsdPerMillion } = priceAt(facts, openInput)
  const notSpentUsd =
    (unusedTokens * outputUsdPerMillion) / MILLION + cachedDiscount(facts, openInput, openCached)
  return { tokens: open.openTokens - unusedTokens, usd: Math.max(0, open.openUsd - notSpentUsd) }
}

/**
 * The latest time at which a call whose object died can have ended. A live object would have renewed the row
 * that says the call is in progress, and the object is dead by now. A clock that was set back since then is
 * ignored.
 */
function latestEndOf({ openSince, openSeen }: OpenCallFields, now: number): number {
  const latest = openSeen + OPEN_CALL_DEAD_MS
  return now <= openSince ? latest : Math.min(now, latest)
}

/** The usage that the API reported for the open call before it was lost. */
function reportedUsage({ openPrompt }: OpenCallFields, facts: ModelFacts | null): Usage {
  if (!openPrompt) return NO_USAGE
  return { ...openPrompt.tokens, cost_usd: facts?.priced ? costOf(facts, openPrompt.tokens) : null }
}

function settleUnanswered(
  { runs, ports }: Pick<Thread, 'runs' | 'ports'>,
  run: Run,
  until: number,
  usage: Usage,
): void {
  if (run.openSearches > 0) runs.change(run.id, chargeLostSearches)
  if (run.openTokens === 0) return
  const facts = ports.models.resolve(run.model)?.facts ?? null
  runs.settle(run.id, { ...maximumCostOf(run, facts, until), estimated: true }, usage)
}

function settleOpenCall(thread: Thread, runId: string, untilOf: (run: Run) => number): void {
  const { row, runs, ports } = thread
  const run = runs.get(runId)
  if (!run) return
  const usage = reportedUsage(run, ports.models.resolve(run.model)?.facts ?? null)
  settleUnanswered(thread, run, untilOf(run), usage)
  const { contextTokens, usage: before } = row.data
  if (run.openTokens === 0 || !run.openPrompt) return
  row.setUsage(
    contextTokens,
    addUsage(before, usage),
    toCachedPrompt(run.openPrompt.sent, run.openPrompt.tokens),
  )
}

/** Settles a run's open call and searches, if any, that will get no answer. */
export function chargeUnanswered(thread: Thread, runId: string): void {
  settleOpenCall(thread, runId, () => thread.ports.now())
}

/** Does the same as chargeUnanswered, for a call whose object died. */
export function chargeLost(thread: Thread, runId: string): void {
  settleOpenCall(thread, runId, (run) => latestEndOf(run, thread.ports.now()))
}

/** Returns what the workspace records for a run that will not continue because its thread is deleted. */
export function recordWithMaximum(
  storedRun: Run,
  user: string | null,
  models: ThreadPorts['models'],
  now: number,
): RunRecord {
  const run = { ...storedRun, ...chargeLostSearches(storedRun) }
  const record = recordOf(run, user, [], now)
  if (run.openTokens === 0) return record
  const facts = models.resolve(run.model)?.facts ?? null
  const { tokens, usd } = maximumCostOf(run, facts, latestEndOf(run, now))
  const { charged } = record
  return {
    ...record,
    usage: addUsage(record.usage, reportedUsage(run, facts)),
    charged: { tokens: charged.tokens + tokens, usd: charged.usd + usd, estimated: true },
  }
}

/**
 * Settles the open call of a run. `reported` is null if its usage is unknown. `isComplete` is true if the
 * response is complete; otherwise the call may have produced more than was reported. `sent` is the request,
 * or null if it is unknown what the provider cached of it. Returns the usage with its price; the price is
 * null if it is an estimate.
 */
export function charge(
  thread: Thread,
  runId: string,
  reported: Tokens | null,
  isComplete: boolean,
  sent: SentPrompt | null,
): Usage {
  const { row, runs, ports } = thread
  const run = runs.get(runId)
  const facts = run && ports.models.resolve(run.model)?.facts
  const { contextTokens, usage: before } = row.data
  if (!run || !facts || reported === null) {
    const unknownUsage = isComplete ? { ...NO_TOKENS, cost_usd: null } : NO_USAGE
    if (run) settleUnanswered(thread, run, ports.now(), unknownUsage)
    row.setUsage(contextTokens, addUsage(before, unknownUsage))
    return unknownUsage
  }
  const tokens = totalTokens(reported)
  const usd = costOf(facts, reported)
  const usage = { ...reported, cost_usd: facts.priced || tokens === 0 ? usd : null }
  const maximum = isComplete || tokens === 0 ? reported : upperBoundOf(run, facts, reported, ports.now())
  const cost = { tokens: totalTokens(maximum), usd: costOf(facts, maximum) }
  runs.settle(runId, { ...cost, estimated: tokens > 0 && !(isComplete && facts.priced) }, usage)
  // The usage also tells how long the conversation is, unless the response contains searches: for each search, the
  // model reads the conversation again.
  const conversationTokens = reported.web_search_requests === undefined ? tokens : 0
  // A call that was rejected, or for which the API reported no prompt usage, does not change what is known
  // about the cache.
  const cachedPrompt = tokens > 0 ? toCachedPrompt(sent, reported) : row.data.cachedPrompt
  row.setUsage(isComplete ? conversationTokens : contextTokens, addUsage(before, usage), cachedPrompt)
  return usage
}

/**
 * The upper bound includes thinking, tool input and text that had not arrived yet, because they are billed,
 * too.
 */
function upperBoundOf(run: Run, facts: ModelFacts, reported: Tokens, now: number): Tokens {
  const output = Math.max(reported.output_tokens, maxProducedTokens(run, facts, now))
  return { ...reported, output_tokens: output }
}
