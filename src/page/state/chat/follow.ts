// Follows one run to its end, reconnecting if the connection is lost. Applies its events to the turn once per frame.

import type { Event } from '../../../agent/events.ts'
import type { Client } from '../../../client/client.ts'
import { isServerDown } from '../../../client/failures.ts'
import type { ChatRequest, ClientFailure, Listener } from '../../../client/types.ts'
import { CLIENT_RETRY_FIRST_MS } from '../../../limits/requests.ts'
import { describeFailure } from '../../lib/failure.ts'
import { AWAY_RETRY_MS } from '../../lib/limits.ts'
import type { Ports } from '../../lib/platform.ts'
import { applyEvent, hasEnded, type RunState } from '../../run/state.ts'
import type { Turn } from './turn.ts'

export interface FollowContext {
  readonly client: Client
  readonly ports: Pick<Ports, 'beforeNextFrame' | 'wait'>
  readonly signal: AbortSignal
  /** Called when the server has assigned the run's IDs. */
  readonly onStarted: (ids: { readonly threadId: string; readonly runId: string }) => void
  /** Called when a step has ended and another one follows. */
  readonly onStepCompleted: () => void
  /** Called when the run's status changes. */
  readonly onStatusChanged: (run: RunState) => void
}

/**
 * Sends a message and follows its answer. Resolves when the run has ended, when the user has left the thread, or when the run
 * could not start, in which case the turn's `connection` is `refused`.
 */
export async function ask(turn: Turn, request: ChatRequest, context: FollowContext): Promise<void> {
  const reader = createReader(turn, context)
  const result = await context.client.chat(request, turn.sendKey, abortOnceAssigned(reader.listener, context))
  reader.flush()
  if (result.ok) return
  const { threadId, runId } = reader.ids()
  if (threadId === null || runId === null) {
    turn.trouble.value = describeFailure('The message was not sent', result.error)
    turn.connection.value = 'refused'
    return
  }
  if (context.signal.aborted || (await recordFailure(turn, result.error, context))) return
  await followToEnd(turn, threadId, runId, context, reader)
}

/**
 * Makes leaving the thread stop the answer's stream, but not the sending: after an aborted send, nobody knows whether the
 * message arrived.
 */
function abortOnceAssigned(listener: Listener, { signal }: FollowContext): Listener {
  const controller = new AbortController()
  let isAssigned = false
  signal.addEventListener('abort', () => isAssigned && controller.abort())
  return {
    ...listener,
    signal: controller.signal,
    onStarted(ids) {
      isAssigned = true
      listener.onStarted?.(ids)
      if (signal.aborted) controller.abort()
    },
  }
}

/** Follows a running run from its first event. */
export async function follow(
  turn: Turn,
  threadId: string,
  runId: string,
  context: FollowContext,
): Promise<void> {
  return followToEnd(turn, threadId, runId, context, createReader(turn, context))
}

/** Follows the run and reconnects until it ends or the user leaves the thread. The run itself continues without a reader. */
async function followToEnd(
  turn: Turn,
  threadId: string,
  runId: string,
  context: FollowContext,
  reader: Reader,
): Promise<void> {
  const { client, signal } = context
  while (!signal.aborted) {
    const seq = reader.seq()
    const result = await client.follow(threadId, runId, seq < 0 ? null : seq, reader.listener)
    reader.flush()
    if (result.ok || signal.aborted || hasEnded(turn.run.peek())) return
    if (await recordFailure(turn, result.error, context)) return
  }
}

/** Records a failure in the turn. Returns true if it is final; false, after a pause, if the server may become reachable again. */
async function recordFailure(turn: Turn, failure: ClientFailure, { ports }: FollowContext): Promise<boolean> {
  turn.trouble.value = describeFailure('The answer could not be followed', failure)
  turn.connection.value = isServerDown(failure) ? 'away' : 'broken'
  if (!isServerDown(failure)) return true
  await ports.wait(AWAY_RETRY_MS)
  return false
}

interface Reader {
  readonly listener: Listener
  ids(): { readonly threadId: string | null; readonly runId: string | null }
  /** The sequence number of the last event received. */
  seq(): number
  /** Applies the received events immediately. */
  flush(): void
}

/** Collects events and applies them together, because they arrive faster than frames are drawn. */
function createReader(
  turn: Turn,
  { ports, signal, onStarted, onStepCompleted, onStatusChanged }: FollowContext,
): Reader {
  let state = turn.run.peek()
  let ids: { threadId: string | null; runId: string | null } = { threadId: null, runId: state.runId || null }
  let isFrameRequested = false
  const flush = (): void => {
    isFrameRequested = false
    if (signal.aborted) return
    const previous = turn.run.peek().status
    turn.run.value = state
    if (state.status !== previous) onStatusChanged(state)
  }
  return {
    ids: () => ids,
    seq: () => state.seq,
    flush,
    listener: {
      signal,
      onStarted: (started) => {
        ids = started
        if (state.runId === '') state = { ...state, runId: started.runId }
        flush()
        onStarted(started)
      },
      onReconnect: (waitMs) => {
        // A first reconnect does not mean that the server is unreachable. While a run waits, which can take days, its idle
        // connection is closed occasionally.
        if (waitMs <= CLIENT_RETRY_FIRST_MS || state.status === 'waiting') return
        if (turn.connection.peek() === 'good') turn.connection.value = 'away'
      },
      onEvent: (event: Event) => {
        if (turn.connection.peek() !== 'good') turn.connection.value = 'good'
        const previous = state
        state = applyEvent(state, event)
        if (state === previous) return
        if (event.type === 'message.completed' && event.model_stop === 'tool_use') onStepCompleted()
        if (isFrameRequested) return
        isFrameRequested = true
        ports.beforeNextFrame(flush)
      },
    },
  }
}
