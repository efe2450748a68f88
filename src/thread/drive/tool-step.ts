// The tool calls of one step: each journaled before it is made and after, each failure a result for the model.

import { imagesOf } from '../../agent/message.ts'
import { inOrder } from '../../agent/order.ts'
import { UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import { boundedResult, imageRoom, noImages, readable, type ImageRoom } from '../../agent/result.ts'
import type { Frame, Tool, ToolResult } from '../../agent/tool.ts'
import { redact } from '../../lib/redact.ts'
import { cutText } from '../../lib/text.ts'
import { TOOL_PREVIEW_CHARS } from '../../limits.ts'
import { appendResults } from './append-results.ts'
import { checkpoint } from '../checkpoint.ts'
import { alwaysAllowed, barred, barredNote, barredText, type Barred } from '../../skills/view/tool-policy.ts'
import { skillNamed } from '../../skills/view/visibility.ts'
import { loadedNote } from '../../skills/view/wrap.ts'
import { toolOf } from '../../tools/registry.ts'
import type { Parts } from '../parts.ts'
import type { Execution, Pinned } from './execution.ts'
import type { JournalCall } from '../rows/journal.ts'
import { loopFound, repeatRemark } from './repeats.ts'
import type { Run } from '../rows/run.ts'

type Thread = Parts<
  'ctx' | 'row' | 'runs' | 'log' | 'journal' | 'loads' | 'transcript' | 'atomically',
  'now' | 'newId' | 'allowedTools' | 'tools' | 'models'
>

/**
 * Runs what is not finished, in the order of the calls: neighbours that read side by side, one that acts alone, after
 * all before it and before all after it. What a call does to the world is what its row says.
 */
export async function toolStep(thread: Thread, execution: Execution, run: Run): Promise<void> {
  const asking = thread.transcript.last(run.id)
  if (!asking) return
  const pinned = await execution.pinned(run)
  for (const batch of inOrder(thread.journal.calls(run.id, asking))) {
    const open = batch.filter((call) => call.state !== 'finished')
    await Promise.all(open.map((call) => makeCall(thread, execution, run, call, pinned)))
  }
  execution.stepOver()
  await checkpoint('results.appended', thread.ctx)
}

async function makeCall(
  thread: Thread,
  execution: Execution,
  run: Run,
  call: JournalCall,
  { index, context }: Pinned,
): Promise<void> {
  if (!execution.goesOn()) return
  // As the thread was born: what has no row there is not run.
  const row = thread.row.data.tools.find(({ name }) => name === call.name)
  const tool = row ? toolOf(row, thread.out.tools(), context) : null
  const bar = barredNow(thread, run, call, index)
  const refusal = refuse(thread, run, call, tool, bar)
  if (refusal !== null || !tool) {
    begin(thread, run, call, false)
    return done(thread, execution, run, call, { content: refusal ?? '', isError: true }, false)
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
  const result = await perform(thread, execution, run, call, tool)
  await checkpoint('tool.ran', thread.ctx)
  await done(thread, execution, run, call, result, true, bar ? barredNote(bar) : '')
}

/** What the skills loaded in earlier steps have against this call; of this step's the model had read nothing yet. */
function barredNow(thread: Thread, run: Run, call: JournalCall, index: Pinned['index']): Barred | null {
  if (alwaysAllowed(call.name)) return null
  const active = thread.loads.of(run.id, call.message).flatMap((load) => skillNamed(index, load.name) ?? [])
  const offered = thread.row.data.tools.map(({ name }) => name)
  return barred(call.name, active, offered)
}

/** The words of an error result when the call must not be made. */
function refuse(
  thread: Thread,
  run: Run,
  call: JournalCall,
  tool: Tool | null,
  bar: Barred | null,
): string | null {
  if (call.state === 'started' && call.effect === 'once') return UNKNOWN_OUTCOME
  const loop = loopFound(thread, run.id, call)
  if (loop !== null) return loop
  if (!tool) return unavailable(thread, call)
  if (bar && thread.out.allowedTools === 'enforce') return barredText(call.name, bar)
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
  thread.journal.start(call, thread.out.now())
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
  run: Run,
  call: JournalCall,
  tool: Tool,
): Promise<ToolResult> {
  const stop = new AbortController()
  const onAbort = (): void => stop.abort()
  execution.signal.addEventListener('abort', onAbort)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    stop.abort()
  }, tool.timeoutMs)
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
  const idempotencyKey = `${run.id}:${toolUseId}`
  try {
    const asked = tool.run(call.input, {
      runId: run.id,
      toolUseId,
      idempotencyKey,
      signal: stop.signal,
      progress,
    })
    return await Promise.race([asked, stopped])
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown error'
    return { content: `The tool ${call.name} failed: ${cutText(redact(detail), 500)}`, isError: true }
  } finally {
    clearTimeout(timer)
    execution.signal.removeEventListener('abort', onAbort)
  }
}

function stoppedText(call: JournalCall, tool: Tool, timedOut: boolean): string {
  const why = timedOut
    ? `No answer within ${tool.timeoutMs / 1000} s.`
    : 'Stopped: the run was cancelled or ran out of time.'
  if (call.effect !== 'read') return `${why} ${UNKNOWN_OUTCOME}`
  return timedOut ? `${why} Try again with less, or go on without it.` : why
}

/** Writes a result down with its events, the last one of a step with the message of all; on disk before the model hears. */
async function done(
  thread: Thread,
  execution: Execution,
  run: Run,
  call: JournalCall,
  answered: ToolResult,
  made: boolean,
  remark = '',
): Promise<void> {
  if (!execution.holds()) return
  thread.atomically(() => {
    if (made && call.effect === 'read') thread.runs.toolCallMade(run.id)
    writeDone(thread, run, call, answered, remark)
    const asking = thread.transcript.last(run.id)
    const calls = asking ? thread.journal.calls(run.id, asking) : []
    if (calls.every(({ state }) => state === 'finished')) appendResults(thread, run.id)
  })
  // A call that acted must be known as finished before anything else happens. A reading one may be made again, and what
  // goes out next (the request to the model) is held back by the platform until its row is on disk.
  if (call.effect === 'read') thread.log.soon()
  else await thread.log.sync()
  await checkpoint('tool.finished', thread.ctx)
}

function writeDone(thread: Thread, run: Run, call: JournalCall, answered: ToolResult, remark: string): void {
  const at = thread.out.now()
  const result = onceOnly(thread, run, call, answered)
  // What a skill says reaches the model as it was published: its examples name fields that look like secrets.
  const verbatim = call.effect === 'read' && !result.isError
  const content = boundedResult(
    result.content,
    result.frame ?? NO_FRAME,
    repeatRemark(thread, run.id, call) + remark,
    typeof result.content === 'string' ? [] : roomFor(thread, run, result),
    verbatim ? undefined : redact,
  )
  const { startedAt } = thread.journal.now(call)
  thread.journal.finish(call, { ...result, content }, at)
  for (const note of result.notes ?? [])
    if (note.type === 'skill') {
      const { name, category, digest, via } = note
      thread.log.append(run.id, { type: 'skill.loaded', name, category, digest, via })
    }
  thread.log.append(run.id, {
    type: 'tool.completed',
    tool_use_id: call.toolUseId,
    name: call.name,
    is_error: result.isError,
    preview: redact(cutText(readable(content), TOOL_PREVIEW_CHARS)),
    duration_ms: Math.max(0, at - (startedAt ?? at)),
  })
}

/**
 * Writes the loads of a call down. Instructions that stand in the conversation already are not sent again: a note does.
 * Of calls that are made side by side the first to be written down brings them.
 */
function onceOnly(thread: Thread, run: Run, call: JournalCall, result: ToolResult): ToolResult {
  let kept = result
  for (const note of result.notes ?? []) {
    if (note.type !== 'skill') continue
    const { name, category, digest, via } = note
    const stands = note.body && thread.loads.stands({ name, category, digest })
    thread.loads.add(run.id, call.message, { name, category, digest, via, body: note.body && !stands })
    if (stands) kept = { content: loadedNote(note), isError: result.isError, notes: result.notes ?? [] }
  }
  return kept
}

const NO_FRAME: Frame = { before: '', after: '' }

/** The images that this result may still hold: calls made side by side are written down one by one. */
function roomFor(thread: Thread, run: Run, { isError }: ToolResult): readonly ImageRoom[] {
  if (isError) return noImages('an error is told in words')
  if (!thread.out.models.resolve(run.model)?.facts.capabilities.images)
    return noImages('this model cannot be shown images')
  const asking = thread.transcript.last(run.id)
  const calls = asking ? thread.journal.calls(run.id, asking) : []
  const step = calls.flatMap(({ content }) => (typeof content === 'string' ? [] : imagesOf(content)))
  return imageRoom(
    step,
    thread.transcript.forModel().flatMap(({ content }) => imagesOf(content)),
  )
}
