// The tool calls of one step: each journaled before it is made and after, each failure a result for the model.

import { groupCalls } from '../../agent/order.ts'
import { UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import type { Tool, ToolResult } from '../../agent/tool.ts'
import { redact } from '../../lib/redact.ts'
import { cutText } from '../../lib/text.ts'
import { redirectsOf, type ToolSettings } from '../approvals/facts.ts'
import { askAgain, yesWaits } from '../approvals/ask-again.ts'
import { gate, type GateThread } from '../approvals/gate.ts'
import type { Subject } from '../approvals/subject.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { barred, barredNote, barredText, type Barred } from '../../skills/view/tool-policy.ts'
import { skillNamed } from '../../skills/view/visibility.ts'
import { KNOWN_TOOLS } from '../../tools/builtins.ts'
import { toolFor } from '../../tools/sources.ts'
import type { Parts } from '../parts.ts'
import type { Execution, Pinned } from './execution.ts'
import type { JournalCall } from '../rows/journal.ts'
import { loopFound } from './repeats.ts'
import { callDone, type DoneThread } from './call-done.ts'
import { readsFiles, sourcesIn } from './sources-in.ts'
import { spilled } from './spill.ts'
import type { Run } from '../rows/run.ts'

type Thread = DoneThread & GateThread & Parts<'ctx', 'allowedTools' | 'tools' | 'toolSettings'>

/**
 * Runs what is not finished, in the order of the calls: neighbours that read side by side, one that acts alone, after
 * all before it and before all after it. What a call does to the world is what its row says. One that has to wait for a
 * person holds up those behind its own group.
 */
export async function toolStep(thread: Thread, execution: Execution, run: Run): Promise<void> {
  const asking = thread.transcript.last(run.id)
  if (!asking) return
  const ask = (): ReturnType<Thread['out']['toolSettings']> =>
    thread.out.toolSettings(thread.row.data.workspace)
  const patient = yesWaits(thread, thread.journal.calls(run.id, asking))
  const [known, holds] = await Promise.all([
    execution.pinned(run),
    patient ? askAgain(execution, ask).catch(() => null) : ask(),
  ])
  const settings = holds?.ok ? holds.value : null
  const pinned = patient ? withRetries(execution, known) : known
  // As they stand after that wait.
  for (const batch of groupCalls(thread.journal.calls(run.id, asking))) {
    const open = batch.filter(({ state }) => state !== 'finished' && state !== 'waiting')
    await Promise.all(open.map((call) => makeCall(thread, execution, run, call, pinned, settings)))
    // It waits for a person, who may have answered already: what is behind it comes after it all the same.
    if (batch.some((call) => thread.journal.now(call).state !== 'finished')) break
  }
  execution.stepOver()
  await checkpoint('results.appended', thread.ctx)
}

/** The same, with a catalog that is asked again where it is away. */
function withRetries(execution: Execution, pinned: Pinned): Pinned {
  const { tools } = pinned
  return { ...pinned, tools: { ...tools, live: () => askAgain(execution, () => tools.live()) } }
}

async function makeCall(
  thread: Thread,
  execution: Execution,
  run: Run,
  call: JournalCall,
  pinned: Pinned,
  settings: ToolSettings | null,
): Promise<void> {
  if (!execution.goesOn()) return
  // As the thread was born: what has no row there is not run.
  const row = thread.row.data.tools.find(({ name }) => name === call.name)
  const looked = toolFor(row, pinned.tools)
  const found = looked instanceof Promise ? await looked : looked
  // That may have been a wait: a run that has to end meanwhile makes no more calls.
  if (looked instanceof Promise && !execution.goesOn()) return
  const tool = found.ok ? found.value : null
  const gone = found.ok ? null : found.error
  const bar = barredNow(thread, run, call, pinned.index)
  const refused = (words: string): Promise<void> => {
    begin(thread, run, call, false)
    const answer = { result: { content: words, isError: true }, otherwise: null }
    return callDone(thread, execution, run, call, answer, false)
  }
  const refusal = refuse(thread, run, call, tool, bar, gone)
  if (refusal !== null || !row || !tool) return refused(refusal ?? '')
  const subject = { run, call, row, tool }
  const asked = gate(thread, execution, subject, settings)
  const passed = asked instanceof Promise ? await asked : asked
  if (passed.do === 'stay') return
  if (passed.do === 'refuse') return refused(passed.words)
  if (asked instanceof Promise) {
    // That was a wait: others may have used up what the run may make.
    const late = overLid(thread, run, call)
    if (late !== null) return refused(late)
  }
  begin(thread, run, call, true)
  // Before the world can change it must be on disk that we may have changed it.
  if (call.effect !== 'read') await thread.log.sync()
  await checkpoint('tool.started', thread.ctx)
  // That was a wait: a run that has to end meanwhile makes no more calls, and this one was never made.
  if (!execution.goesOn()) {
    if (execution.holds()) thread.journal.callOff(call)
    return
  }
  const redirects = redirectsOf(thread, subject, settings)
  const uploads = readsFiles(row) ? thread.files.watchNews() : null
  const performed = await perform(thread, execution, subject, redirects)
  const readable = uploads?.end() ?? []
  const result = await execution.secrets.masked(performed)
  await checkpoint('tool.ran', thread.ctx)
  const untrusted = sourcesIn(thread, subject, result, readable)
  const answer = tool.bounded
    ? { result: { ...result, untrusted }, otherwise: null }
    : await spilled(thread, call, { ...result, untrusted })
  await callDone(thread, execution, run, call, answer, true, bar ? barredNote(bar) : '')
}

/** What the skills loaded in earlier steps have against this call; of this step's the model had read nothing yet. */
function barredNow(thread: Thread, run: Run, call: JournalCall, index: Pinned['index']): Barred | null {
  // Then there is no need to ask which skills are active.
  if (KNOWN_TOOLS.always.has(call.name)) return null
  const active = thread.loads.of(run.id, call.message).flatMap((load) => skillNamed(index, load.name) ?? [])
  const offered = thread.row.data.tools.map(({ name }) => name)
  return barred(call.name, active, offered, KNOWN_TOOLS)
}

/** The words of an error result when the call must not be made. `gone`: why there is no tool for it, where that is known. */
function refuse(
  thread: Thread,
  run: Run,
  call: JournalCall,
  tool: Tool | null,
  bar: Barred | null,
  gone: string | null,
): string | null {
  if (call.state === 'started' && call.effect === 'once') return UNKNOWN_OUTCOME
  const loop = loopFound(thread, run.id, call)
  if (loop !== null) return loop
  if (!tool) return gone ?? unavailable(thread, call)
  if (bar && thread.out.allowedTools === 'enforce') return barredText(call.name, bar)
  return overLid(thread, run, call)
}

function overLid(thread: Thread, run: Run, call: JournalCall): string | null {
  const allowed = run.options.budget.tool_calls
  const made = (thread.runs.get(run.id)?.toolCalls ?? 0) + thread.journal.reading()
  if (call.state === 'planned' && made >= allowed)
    return `Not run: the run may make ${allowed} tool calls, and has.`
  return null
}

function unavailable(thread: Thread, call: JournalCall): string {
  const name = cutText(call.name, 64)
  return thread.row.data.tools.some((row) => row.name === call.name)
    ? `The tool ${name} is not available any more. Go on without it.`
    : `There is no tool named ${name}. Use one of the tools you were given.`
}

/**
 * `made`: it counts towards the run's limit; a refused call does not. A call that reads is counted with its result, in whose
 * rows its beginning stands as well: should it die before, it is made anew.
 */
function begin(thread: Thread, run: Run, call: JournalCall, made: boolean): void {
  thread.journal.start(call, thread.out.now(), made)
  if (call.tries > 0) return
  if (made && call.effect !== 'read') thread.runs.toolCallMade(run.id)
  const started = {
    type: 'tool.started',
    tool_use_id: call.toolUseId,
    name: call.name,
    input: call.input,
  } as const
  if (call.effect === 'read') thread.log.appendLater(run.id, started)
  else thread.log.append(run.id, started)
}

/** Never throws: a throw, a timeout and a stop are all results that the model can act on. */
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
  // Others' calls are no time of this one; the run's own limit on time still holds.
  const waiting = async <T>(wait: Promise<T>): Promise<T> => {
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
    if (execution.holds())
      thread.log.show(run.id, { type: 'tool.progress', tool_use_id: call.toolUseId, text: redact(text) })
  }
  const { toolUseId } = call
  const { workspace, id } = thread.row.data
  // With the number of its message: a model may use an id again in a later one.
  const idempotencyKey = `${run.id}:${call.message}:${toolUseId}`
  try {
    const asked = tool.run(call.input, {
      runId: run.id,
      toolUseId,
      idempotencyKey,
      signal: stop.signal,
      progress,
      queue: { key: `${workspace}/${run.options.key}`, thread: id, waiting },
      ...(mayRedirect ? { mayRedirect } : {}),
    })
    return await Promise.race([asked, stopped])
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
    ? `No answer within ${tool.timeoutMs / 1000} s.`
    : 'Stopped: the run was cancelled or ran out of time.'
  if (call.effect === 'once') return `${why} ${UNKNOWN_OUTCOME}`
  // Files change with the result alone, and this one has none.
  if (call.effect === 'idempotent') return `${why} Of its files nothing was changed; it may be called again.`
  return timedOut ? `${why} Try again with less, or go on without it.` : why
}
