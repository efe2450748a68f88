// How messages that steer a run reach it: they join it before its next model call, or become the next run if it ends
// before that.

import { appendAsk } from './append-ask.ts'
import { steeredContent } from './message-blocks.ts'
import { mayCallAgain } from './plan-call.ts'
import type { Parts } from '../parts.ts'
import { insertAsk, type Run } from '../rows/run.ts'

type JoiningThread = Parts<
  'ctx' | 'row' | 'runs' | 'log' | 'transcript' | 'steered' | 'files' | 'sources' | 'approvals',
  'now' | 'newId' | 'models'
>

/**
 * Adds the messages after the results that were just appended. They stay pending if the run makes no further call,
 * for example because it was cancelled or has asked the person something.
 */
export function joinAfterResults(thread: JoiningThread, runId: string): void {
  if (thread.steered.pending(runId).length === 0) return
  const run = thread.runs.get(runId)
  if (run && run.cancel === null && !run.awaitsInput && mayCallAgain(thread, run))
    joinSteered(thread, runId, 'steered_with_results')
}

/** Adds the pending messages to the transcript, in one block with their events. */
export function joinSteered(
  thread: JoiningThread,
  runId: string,
  kind: 'steered' | 'steered_with_results',
): void {
  const { ctx, log, transcript, steered, files } = thread
  for (const { ask } of steered.take(runId)) {
    const newUploads = files.newUploads()
    const content = steeredContent(ask, newUploads)
    const { id, seq } = appendAsk(thread, runId, { ask, content, newUploads, kind })
    insertAsk(ctx.storage.sql, id, ask)
    const message = transcript.message(seq)
    if (message) log.append(runId, { type: 'run.steered', message })
  }
}

/**
 * Turns the messages that could not join the run into one queued run, which starts next. Returns its ID, or null if there
 * are none. Must be called in the block that ends the run.
 */
export function nextRunOf(
  { row, runs, log, steered, ports }: Parts<'row' | 'runs' | 'log' | 'steered', 'now' | 'newId'>,
  run: Run,
): string | null {
  const messages = steered.take(run.id)
  const [first] = messages
  if (!first) return null
  const id = ports.newId('run')
  const context = Object.assign({}, ...messages.map(({ ask }) => ask.context)) as Run['ask']['context'] // all are of this type
  const ask = { ...first.ask, message: messages.flatMap(({ ask: { message } }) => message), context }
  const firstSeq = log.append(id, { type: 'run.accepted', status: 'queued' })
  const { catalogVersion, catalogIndex } = run
  const catalog = { catalogVersion, catalogIndex, model: row.data.model }
  const at = { acceptedAt: ports.now(), firstSeq }
  runs.insert({ ...first, id, ask, status: 'queued', jumpsQueue: true, ...catalog, ...at })
  return id
}
