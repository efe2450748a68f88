// The tool calls of one step: each is journaled before and after it is made, and each failure becomes a
// result for the model.

import { groupCalls } from '../../agent/call-groups.ts'
import { UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import type { Tool, ToolResult } from '../../agent/tool.ts'
import { redact } from '../../lib/redact.ts'
import { cutText } from '../../lib/text.ts'
import { CALLS_PER_TOOL_DEFAULT } from '../../limits/runs.ts'
import { redirectsOf, type ToolSettings } from '../approvals/call-facts.ts'
import { retryAfterApproval, hasApprovedCall } from '../approvals/retry-after-approval.ts'
import { gate, type GateThread } from '../approvals/gate.ts'
import type { Subject } from '../approvals/subject.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { barred, barredNote, barredText, type Barred } from '../../skills/view/tool-policy.ts'
import { skillNamed } from '../../skills/view/visibility.ts'
import { KNOWN_TOOLS } from '../../tools/builtins.ts'
import { repairNote } from '../../tools/deferred/read-call.ts'
import { toolFor } from '../../tools/sources.ts'
import type { Parts } from '../parts.ts'
import type { Execution, PinnedCatalog } from './execution.ts'
import type { JournalCall } from '../rows/journal.ts'
import { defers, rowOfCall, whyNotCalled } from './deferred-tools.ts'
import { stopLoop } from './repeats.ts'
import { finishCall, type FinishingThread } from './finish-call.ts'
import { deliverResult } from './deliver-result.ts'
import { readsFiles } from './untrusted-sources.ts'
import type { Run } from '../rows/run.ts'
import { beginServerWait } from '../waits/begin.ts'

type Thread = FinishingThread & GateThread & Parts<'ctx', 'allowedTools' | 'tools' | 'toolSettings'>

/**
 * Makes the unfinished calls in order. Adjacent `read` calls are made in parallel. A call with side effects
 * is made alone, after all calls before it and before all calls after it; the effect recorded in its
 * row counts. If a call waits, the calls after its group wait, too.
 */
export async function toolStep(thread: Thread, execution: Execution, run: Run): Promise<void> {
  const requestMessage = thread.transcript.last(run.id)
  if (!requestMessage) return
  const readSettings = (): ReturnType<Thread['ports']['toolSettings']> =>
    thread.ports.toolSettings(thread.row.data.workspace)
  const hasApproved = hasApprovedCall(thread, thread.journal.calls(run.id, requestMessage))
  const [pinnedCatalog, settingsResult] = await Promise.all([
    execution.pinned(run),
    hasApproved ? retryAfterApproval(execution, readSettings).catch(() => null) : readSettings(),
  ])
  const settings = settingsResult?.ok ? settingsResult.value : null
  const pinned = hasApproved ? withRetries(execution, pinnedCatalog) : pinnedCatalog
  // The calls are read again, because their state may have changed during that wait.
  for (const batch of groupCalls(thread.journal.calls(run.id, requestMessage))) {
    const callsToMake = batch.filter(({ state }) => state !== 'finished' && state !== 'waiting')
    await Promise.all(callsToMake.map((call) => makeCall(thread, execution, run, call, pinned, settings)))
    // A call of this batch waits. Even if its wait is already over, later calls must be made after that call.
    if (batch.some((call) => thread.journal.current(call).state !== 'finished')) break
  }
  execution.dropLiveCatalog()
  await checkpoint('results.appended', thread.ctx)
}

/** Adds retries while the catalog is unavailable. */
function withRetries(execution: Execution, pinned: PinnedCatalog): PinnedCatalog {
  const { tools } = pinned
  return { ...pinned, tools: { ...tools, live: () => retryAfterApproval(execution, () => tools.live()) } }
}

async function makeCall(
  thread: Thread,
  execution: Execution,
  run: Run,
  call: JournalCall,
  pinned: PinnedCatalog,
  settings: ToolSettings | null,
): Promise<void> {
  if (!execution.mayContinue()) return
  // Only tools frozen in the thread's row, or shown to the model in this thread, may run.
  const row = rowOfCall(thread, call)
  const lookup = toolFor(row, pinned.tools)
  const lookedUp = lookup instanceof Promise ? await lookup : lookup
  // If the run ended during that wait, it makes no more calls.
  if (lookup instanceof Promise && !execution.mayContinue()) return
  const deferred = call.through && row ? row : null
  const whyNot = deferred
    ? await whyNotCalled(thread, call, deferred, lookedUp, pinned.tools.context.deferred)
    : null
  if (deferred && !execution.mayContinue()) return
  const tool = lookedUp.ok && whyNot === null ? lookedUp.value : null
  const whyMissing = whyNot ?? (lookedUp.ok ? null : lookedUp.error)
  const barring = forbiddenBySkills(thread, run, call, pinned)
  const barredBy = barring instanceof Promise ? await barring : barring
  if (barring instanceof Promise && !execution.mayContinue()) return
  const repaired = call.through ? repairNote(call.name, call.through.repairs) : ''
  const finishRefused = (why: string | ToolResult): Promise<void> => {
    recordStart(thread, run, call, false)
    const result = typeof why === 'string' ? { content: why, isError: true } : why
    const answer = { result, fallback: null }
    return finishCall(thread, () => execution.holdsRun(), run, call, answer, false, repaired)
  }
  const refusal = whyRefused(thread, run, call, tool, barredBy, whyMissing)
  if (refusal !== null || !row || !tool) return finishRefused(refusal ?? '')
  const subject = { run, call, row, tool }
  const gateResult = gate(thread, execution, subject, settings)
  const decision = gateResult instanceof Promise ? await gateResult : gateResult
  if (decision.do === 'stay') return
  if (decision.do === 'refuse') return finishRefused(decision.message)
  if (gateResult instanceof Promise) {
    // Other calls may have reached the run's limit during that wait.
    const overLimit = whyOverLimit(thread, run, call)
    if (overLimit !== null) return finishRefused(overLimit)
  }
  recordStart(thread, run, call, true)
  // The start must be on disk before any side effect.
  if (call.effect !== 'read') await thread.log.sync()
  await checkpoint('tool.started', thread.ctx)
  // If the run ended during that wait, this call was not made.
  if (!execution.mayContinue()) {
    if (execution.holdsRun()) thread.journal.undoStart(call)
    return
  }
  const redirects = redirectsOf(thread, subject, settings)
  const uploads = readsFiles(row) ? thread.files.watchNewUploads() : null
  const rawResult = await perform(thread, execution, subject, redirects)
  const newUploads = uploads?.end() ?? []
  if (rawResult.pending) {
    await checkpoint('tool.ran', thread.ctx)
    return beginServerWait(thread, execution, call, rawResult.pending)
  }
  await deliverResult(thread, subject, rawResult, {
    mayWrite: () => execution.holdsRun(),
    secrets: execution.secrets,
    callsPerTool: settings?.calls_per_tool ?? CALLS_PER_TOOL_DEFAULT,
    newUploads,
    remark: repaired + (barredBy ? barredNote(barredBy) : ''),
  })
}

/**
 * The reason why skills loaded in earlier steps forbid this call, or null. Skills of this step are ignored,
 * because the model had not read them when it made the call.
 */
function forbiddenBySkills(
  thread: Thread,
  run: Run,
  call: JournalCall,
  { index, configuredNames }: Pick<PinnedCatalog, 'index' | 'configuredNames'>,
): Barred | null | Promise<Barred | null> {
  // Skills cannot forbid these tools.
  if (KNOWN_TOOLS.always.has(call.name)) return null
  const active = thread.loads
    .ofRun(run.id, call.message)
    .flatMap((load) => skillNamed(index, load.name) ?? [])
    .filter(({ allowed_tools, disallowed_tools }) => allowed_tools !== null || disallowed_tools.length > 0)
  if (active.length === 0) return null
  const listed = thread.row.data.tools.map(({ name }) => name)
  const judge = (offered: readonly string[]): Barred | null => barred(call.name, active, offered, KNOWN_TOOLS)
  if (!defers(thread)) return judge(listed)
  // Tools that came or were deferred since the run began count, too, so the names are read when they are needed.
  return configuredNames().then((names) => judge([...new Set([...listed, ...names, call.name])]))
}

/**
 * Returns the error result, or its text, if the call must not be made, otherwise null. `whyMissing` says why
 * its tool is missing, if known.
 */
function whyRefused(
  thread: Thread,
  run: Run,
  call: JournalCall,
  tool: Tool | null,
  barredBy: Barred | null,
  whyMissing: string | ToolResult | null,
): string | ToolResult | null {
  if (call.state === 'started' && call.effect === 'once') return UNKNOWN_OUTCOME
  const loop = stopLoop(thread, run.id, call)
  if (loop !== null) return loop
  if (!tool) return whyMissing ?? unavailable(thread, call)
  if (barredBy && thread.ports.allowedTools === 'enforce') return barredText(call.name, barredBy)
  return whyOverLimit(thread, run, call)
}

function whyOverLimit(thread: Thread, run: Run, call: JournalCall): string | null {
  const callsMax = run.options.budget.tool_calls
  const dispatched = (thread.runs.get(run.id)?.toolCalls ?? 0) + thread.journal.countOpenReads()
  if (call.state === 'planned' && dispatched >= callsMax)
    return `Not run: the run has used all of its ${callsMax} tool calls.`
  return null
}

function unavailable(thread: Thread, call: JournalCall): string {
  const name = cutText(call.name, 64)
  return thread.row.data.tools.some((row) => row.name === call.name)
    ? `The tool ${name} is no longer available. Continue without it.`
    : `There is no tool named ${name}. Use one of the tools in your list.`
}

/**
 * Records the start of a call. `dispatched` is true if it counts towards the run's limit, which a refused
 * call does not. A `read` call is counted with its result, which is written together with its start: after a
 * crash in between, the call is made again.
 */
function recordStart(thread: Thread, run: Run, call: JournalCall, dispatched: boolean): void {
  thread.journal.start(call, thread.ports.now(), dispatched)
  if (call.tries > 0) return
  if (dispatched && call.effect !== 'read') thread.runs.countToolCall(run.id)
  const started = {
    type: 'tool.started',
    tool_use_id: call.toolUseId,
    name: call.name,
    input: call.input,
  } as const
  if (call.effect === 'read') thread.log.appendLater(run.id, started)
  else thread.log.append(run.id, started)
}

/** Never throws: exceptions, timeouts and cancellations all become results that the model can act on. */
async function perform(
  thread: Thread,
  execution: Execution,
  { run, call, tool }: Subject,
  mayRedirect: ReturnType<typeof redirectsOf>,
): Promise<ToolResult> {
  const stop = new AbortController()
  const onAbort = (): void => stop.abort()
  execution.signal.addEventListener('abort', onAbort)
  let timedOut = false
  let isOver = false
  const startTimer = (): ReturnType<typeof setTimeout> =>
    setTimeout(() => {
      timedOut = true
      stop.abort()
    }, tool.timeoutMs)
  let timer = startTimer()
  // The time that a call waits for other calls does not count here; the run's own time limit still applies.
  const trackWait = async <T>(wait: Promise<T>): Promise<T> => {
    clearTimeout(timer)
    try {
      return await wait
    } finally {
      if (!isOver) timer = startTimer()
    }
  }
  const stopped = new Promise<ToolResult>((resolve) => {
    stop.signal.addEventListener('abort', () =>
      resolve({ content: stoppedText(call, tool, timedOut), isError: true }),
    )
  })
  const progress = (text: string): void => {
    if (execution.holdsRun())
      thread.log.send(run.id, { type: 'tool.progress', tool_use_id: call.toolUseId, text: redact(text) })
  }
  const { toolUseId } = call
  const { workspace, id } = thread.row.data
  // The key contains the number of the call's message, because a model may reuse an ID in a later message.
  const idempotencyKey = `${run.id}:${call.message}:${toolUseId}`
  try {
    const answer = tool.run(call.input, {
      runId: run.id,
      toolUseId,
      idempotencyKey,
      signal: stop.signal,
      progress,
      queue: { key: `${workspace}/${run.options.key}`, thread: id, trackWait: trackWait },
      ...(mayRedirect ? { mayRedirect } : {}),
    })
    return await Promise.race([answer, stopped])
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown error'
    return { content: `The tool ${call.name} failed: ${cutText(redact(detail), 500)}`, isError: true }
  } finally {
    isOver = true
    clearTimeout(timer)
    execution.signal.removeEventListener('abort', onAbort)
  }
}

function stoppedText(call: JournalCall, tool: Tool, timedOut: boolean): string {
  const why = timedOut
    ? `The tool did not respond within ${tool.timeoutMs / 1000} s.`
    : 'Stopped: the run was cancelled or ran out of time.'
  if (call.effect === 'once') return `${why} ${UNKNOWN_OUTCOME}`
  // Files change only when a result is written, and this call has none.
  if (call.effect === 'idempotent') return `${why} No files were changed. You may call it again.`
  return timedOut ? `${why} Try again with a smaller request, or continue without it.` : why
}
