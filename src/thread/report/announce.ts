// Announces runs to endpoints outside: writes the events of a run for its callback and for the workspace's endpoints, and
// passes them on to the objects that send them.

import { textOf } from '../../agent/message.ts'
import type { Callback, EventType, OutgoingEvent } from '../../callbacks/api.ts'
import { endpointOver } from '../../callbacks/is-under.ts'
import { utf8 } from '../../lib/bytes.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { cutBytes } from '../../lib/text.ts'
import { CALLBACK_ANSWER_MAX_BYTES, CALLBACK_BODY_MAX_BYTES } from './limits.ts'
import type { Parts, ThreadPorts } from '../parts.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { deleteOutgoing, firstOutgoing, insertOutgoing, type OutboxRow } from '../rows/outbox.ts'
import type { Run } from '../rows/run.ts'
import { pendingWait } from '../waits/details.ts'
import { receiptOf } from './receipt.ts'

type Thread = Parts<'ctx' | 'row' | 'loads' | 'journal' | 'approvals' | 'waits' | 'transcript', 'now'>

/** A listener of the workspace, or the callback of a run. */
type Target = Pick<Callback, 'events' | 'answer'> & Pick<OutboxRow, 'endpoint' | 'url'>

interface Announcement {
  readonly type: EventType
  readonly id: string
  readonly at: number
  /** If `short` is true, the body contains nothing that may be long or unreadable. */
  body(thread: Thread, run: Run, withAnswer: boolean, short: boolean): string
}

const END_TYPES: Readonly<Partial<Record<Run['status'], EventType>>> = {
  completed: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
}

function eventId(run: Run, suffix: string): string {
  return `evt_${run.id.replace('run_', '')}_${suffix}`
}

/** The end of a run, or null if it has not ended. */
function endOf(run: Run): Announcement | null {
  const type = END_TYPES[run.status]
  if (type === undefined || run.endedAt === null) return null
  return { type, id: eventId(run, run.status), at: run.endedAt, body: endBody }
}

function endBody(thread: Thread, run: Run, withAnswer: boolean, short: boolean): string {
  const message = withAnswer && !short ? thread.transcript.answer(run.id) : null
  const text = message ? textOf(message) : ''
  const shown = cutBytes(text, CALLBACK_ANSWER_MAX_BYTES)
  const bodyWith = (isShort: boolean): string =>
    JSON.stringify({
      type: END_TYPES[run.status],
      timestamp: rfc3339(run.endedAt ?? 0),
      data: {
        ...locationOf(thread, run),
        receipt: receiptOf(thread, run, isShort),
        ...(withAnswer ? { answer: { text: shown, cut: shown !== text } } : {}),
      },
    })
  const body = bodyWith(short)
  return utf8(body).length <= CALLBACK_BODY_MAX_BYTES ? body : bodyWith(true)
}

/** A wait for approvals, or null if the run does not wait for any. `change` numbers the thread's sets of approvals. */
function waitOf(thread: Thread, run: Run, change: number): Announcement | null {
  const wait = pendingWait(thread, run.id)
  if (run.status !== 'waiting' || wait?.details.reason !== 'approval') return null
  const at = thread.ports.now()
  const body = (): string =>
    JSON.stringify({
      type: 'run.waiting',
      timestamp: rfc3339(at),
      data: { ...locationOf(thread, run), waiting: wait.details },
    })
  return { type: 'run.waiting', id: eventId(run, `waiting_${change}`), at, body }
}

function locationOf({ row }: Thread, run: Run): object {
  const thread = `/v1/threads/${row.data.id}`
  const links = { thread, run: `${thread}/runs/${run.id}`, messages: `${thread}/messages` }
  return { thread_id: row.data.id, run_id: run.id, status: run.status, metadata: row.data.metadata, links }
}

function write(
  thread: Thread,
  run: Run,
  announcement: Announcement | null,
  targets: readonly Target[],
  short = false,
): void {
  if (announcement === null) return
  const { id, type } = announcement
  for (const { endpoint, events, answer, url } of targets)
    if (events.includes(type)) {
      const event: OutgoingEvent = { id, type, url, body: announcement.body(thread, run, answer, short) }
      insertOutgoing(thread.ctx.storage.sql, endpoint, event)
    }
}

function callbackOf(run: Run): readonly Target[] {
  return run.options.callback ? [{ ...run.options.callback, endpoint: null }] : []
}

function targetsOf(listeners: readonly Listener[]): readonly Target[] {
  return listeners.map(({ id, events, answer }) => ({ endpoint: id, url: null, events, answer }))
}

interface Listener {
  readonly id: string
  readonly events: readonly EventType[]
  readonly answer: boolean
}

/** Writes the end of a run for its own callback. Must be called in the block that ends the run. */
export function announceEnd(thread: Thread, run: Run, short: boolean): void {
  if (run.options.callback) write(thread, run, endOf(run), callbackOf(run), short)
}

/** Writes the end of a run for the workspace's endpoints, once the workspace has counted it. */
export function announceToListeners(thread: Thread, run: Run, listeners: readonly Listener[] | null): void {
  if (listeners !== null) write(thread, run, endOf(run), targetsOf(listeners))
}

/** Writes that a run waits, for its callback and for the workspace's endpoints. */
export function announceWait(
  thread: Thread,
  run: Run | null,
  change: number,
  listeners: readonly Listener[] | null,
): void {
  if (run === null || (listeners === null && !run.options.callback)) return
  const targets = [...callbackOf(run), ...targetsOf(listeners ?? [])]
  write(thread, run, waitOf(thread, run, change), targets)
}

/** The endpoint that signs a callback; null if it was deleted meanwhile. Rejects if the workspace cannot be read. */
async function endpointOf(
  ports: Pick<ThreadPorts, 'workspace'>,
  workspace: string,
  url: string,
): Promise<string | null> {
  const endpoints = await ports.workspace(workspace).listEndpoints()
  if (!endpoints.ok) throw new Error(endpoints.error.detail)
  return endpointOver(url, endpoints.value)?.id ?? null
}

/**
 * Passes all written events on. An endpoint that was deleted meanwhile gets none. Returns true when none are left.
 * Rejects if an object cannot be reached.
 */
export async function passOn(
  ctx: DurableObjectState,
  ports: Pick<ThreadPorts, 'endpoint' | 'workspace'>,
  workspace: string,
): Promise<boolean> {
  const { sql } = ctx.storage
  for (let event = firstOutgoing(sql); event !== null; event = firstOutgoing(sql)) {
    const { ord, id, type, url, body } = event
    const endpoint = event.endpoint ?? (await endpointOf(ports, workspace, url ?? ''))
    const recorded =
      endpoint !== null && (await ports.endpoint(workspace, endpoint).add(workspace, { id, type, url, body }))
    if (recorded && !recorded.ok && recorded.error.code !== 'not_found') return false
    await checkpoint('event.passed', ctx)
    deleteOutgoing(sql, ord)
  }
  return true
}
