// Polls the servers that work on calls of a waiting run for their results. The run stays suspended meanwhile: it takes no slot of
// its key, and no execution holds it.

import { UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import type { Tool, ToolResult, ToolRow } from '../../agent/tool.ts'
import { logText } from '../../lib/redact.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { CALLS_PER_TOOL_DEFAULT } from '../../limits/runs.ts'
import { repairNote } from '../../tools/deferred/read-call.ts'
import { errorResult } from '../../tools/record/builtin.ts'
import { toolFor } from '../../tools/sources.ts'
import type { ThreadParts } from '../parts.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { currentCall } from '../rows/current-calls.ts'
import type { JournalCall } from '../rows/journal.ts'
import type { Run } from '../rows/run.ts'
import type { Wait } from '../rows/waits.ts'
import { SERVER_WAIT_MAX_MS } from '../waits/limits.ts'
import { nextPollAt } from '../waits/pause.ts'
import { rowOfCall } from './deferred-tools.ts'
import { deliverResult } from './deliver-result.ts'
import { Execution } from './execution.ts'
import { finishCall } from './finish-call.ts'

/**
 * Polls each server that is due, and ends the calls that have a result or have waited too long. Requests in progress are not
 * repeated: a second call of this function waits for them.
 */
export async function pollServers(thread: ThreadParts, run: Run): Promise<void> {
  if (thread.polling) return thread.polling.done
  const now = thread.ports.now()
  const due = thread.waits.ofRun(run.id).filter(({ reason, dueAt }) => reason === 'server' && dueAt <= now)
  if (due.length === 0) return
  const abort = new AbortController()
  const execution = new Execution(thread, run.id, run.epoch, abort.signal)
  const done = (async () => {
    try {
      await Promise.all(due.map((wait) => pollServer(thread, execution, run, wait)))
    } finally {
      thread.polling = null
      execution.end()
    }
  })()
  thread.polling = { abort, done }
  return done
}

/** After an error of Satchel's own, the server is polled again later. */
async function pollServer(thread: ThreadParts, execution: Execution, run: Run, wait: Wait): Promise<void> {
  const stillWaits = (): boolean =>
    !thread.closing && thread.runs.get(run.id)?.status === 'waiting' && thread.waits.has(wait)
  try {
    const call = currentCall(thread, wait)
    if (!call) return thread.waits.remove(wait)
    const outcome = await poll(thread, execution, run, call, wait)
    await checkpoint('server.polled', thread.ctx)
    if (!stillWaits()) return
    if (outcome.kind === 'ended') {
      const text = call.effect === 'read' ? outcome.why : `${outcome.why} ${UNKNOWN_OUTCOME}`
      const answer = { result: errorResult(text), fallback: null }
      await finishCall(thread, stillWaits, run, call, answer, true)
    } else if (outcome.result.pending) {
      const { state, pollAfterMs } = outcome.result.pending
      thread.waits.continue(wait, nextPollAt(wait, thread.ports.now(), pollAfterMs), state)
    } else
      await deliverResult(thread, { run, call, row: outcome.row, tool: outcome.tool }, outcome.result, {
        mayWrite: stillWaits,
        secrets: execution.secrets,
        callsPerTool: CALLS_PER_TOOL_DEFAULT,
        ...(call.through ? { remark: repairNote(call.name, call.through.repairs) } : {}),
      })
  } catch (error) {
    console.error(JSON.stringify({ at: 'thread.poll', run_id: run.id, error: logText(error) }))
    if (stillWaits()) thread.waits.continue(wait, nextPollAt(wait, thread.ports.now(), null), wait.state)
  }
}

type Outcome =
  | { readonly kind: 'answered'; readonly row: ToolRow; readonly tool: Tool; readonly result: ToolResult }
  /** The server is not polled again. */
  | { readonly kind: 'ended'; readonly why: string }

/** Rejects if the server cannot be polled now. */
async function poll(
  thread: ThreadParts,
  execution: Execution,
  run: Run,
  call: JournalCall,
  wait: Wait,
): Promise<Outcome> {
  const name = cutText(call.name, 64)
  if (wait.until <= thread.ports.now()) {
    const hours = SERVER_WAIT_MAX_MS / 3_600_000
    return {
      kind: 'ended',
      why: `The server of ${name} accepted the call but had no result after ${hours} hours.`,
    }
  }
  const found = await findTool(thread, execution, run, call)
  if (!found.ok) return { kind: 'ended', why: found.error }
  const { row, tool, check } = found.value
  const answer = check(call.input, wait.state, { signal: execution.signal })
  const result = await withTimeout(tool.timeoutMs, answer)
  if (result === null) throw new Error(`${name} did not respond in time.`)
  return { kind: 'answered', row, tool, result }
}

interface FoundTool {
  readonly row: ToolRow
  readonly tool: Tool
  readonly check: NonNullable<Tool['check']>
}

/** The tool as it is now. Rejects if the catalog cannot be read. */
async function findTool(
  thread: ThreadParts,
  execution: Execution,
  run: Run,
  call: JournalCall,
): Promise<Result<FoundTool, string>> {
  const { tools } = await execution.pinned(run)
  const live = await tools.live()
  if (!live.ok) throw new Error(live.error.detail)
  const row = rowOfCall(thread, call)
  const lookup = await toolFor(row, { ...tools, live: async () => live })
  const why = `The tool ${cutText(call.name, 64)} is no longer available, so its result cannot be fetched.`
  if (!row || !lookup.ok) return err(lookup.ok ? why : (lookup.error ?? why))
  const tool = lookup.value
  return tool.check ? ok({ row, tool, check: tool.check }) : err(why)
}
