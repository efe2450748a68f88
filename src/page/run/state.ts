// Builds the state of one run from its events. Pure. Whether events are repeated, merged or resumed after a restart, every reader
// gets the same transcript.

import type { Event, Problem, Receipt, RunStatus } from '../../agent/events.ts'
import type { TodoItem } from '../../agent/todos.ts'
import { COMPACTED_TEXT, describeCatalogChange } from '../../client/run-text.ts'
import { nameOf, threadPath, presentedBy, withArtifact, type Artifact } from './files.ts'
import {
  isDenial,
  isMessage,
  itemsOf,
  noteItem,
  toolItem,
  withApproval,
  withDecision,
  withDelta,
  withMessage,
  withoutUnstored,
  withSkill,
  withTool,
  type Item,
  type ToolItem,
} from './items.ts'
import { steeredItem } from './steered-item.ts'

export interface RunState {
  /** '' until the server has assigned it. */
  readonly runId: string
  /** The sequence number of the last event applied; -1 if none has been applied. */
  readonly seq: number
  readonly status: RunStatus
  readonly started: {
    readonly model: string
    readonly catalogVersion: number
    readonly demo: boolean
  } | null
  /** The newest event that says what the run waits for; null if it does not wait. */
  readonly wait: Extract<Event, { readonly type: 'run.waiting' }> | null
  /** What the page shows for the run, in display order. */
  readonly items: readonly Item[]
  /** Files that the answer presents. */
  readonly artifacts: readonly Artifact[]
  /** Sizes in bytes of the files that the run wrote, by path. */
  readonly sizes: ReadonlyMap<string, number>
  /** The newest plan that the run wrote; null if it wrote none. */
  readonly plan: readonly TodoItem[] | null
  /** Set if the thread got its title during the run. */
  readonly title: string | null
  /** True if the output limit cut the last message off, so that the next step continues it. */
  readonly isCut: boolean
  readonly stopReason: string | null
  readonly receipt: Receipt | null
  /** For a run that was copied from another thread, and has no receipt here: the time from its first message to its last, in ms. */
  readonly copiedMs: number | null
  readonly error: Problem | null
  /** The error after which the model is being called again, or null. */
  readonly retry: { readonly detail: string; readonly attempt: number } | null
}

export function newRun(runId: string): RunState {
  return {
    runId,
    seq: -1,
    status: 'queued',
    started: null,
    wait: null,
    items: [],
    artifacts: [],
    sizes: new Map(),
    plan: null,
    title: null,
    isCut: false,
    stopReason: null,
    receipt: null,
    copiedMs: null,
    error: null,
    retry: null,
  }
}

export function hasEnded({ status }: Pick<RunState, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** The state after an event. Returns the same object for an event of another run or one that was already applied. */
export function applyEvent(state: RunState, event: Event): RunState {
  if (event.run_id !== state.runId || event.seq <= state.seq) return state
  const next = { ...state, seq: event.seq }
  const seq = event.from ?? event.seq
  switch (event.type) {
    case 'run.accepted':
      return { ...next, status: event.status }
    case 'run.started': {
      const { model, catalog_version: catalogVersion, demo } = event
      return { ...next, status: 'running', started: { model, catalogVersion, demo } }
    }
    case 'run.waiting':
      return { ...next, status: 'waiting', wait: event }
    case 'run.resumed':
      return { ...next, status: 'running', wait: null }
    case 'run.steered':
      return { ...next, items: [...next.items, steeredItem(event.message, seq)] }
    case 'approval.requested':
      return { ...next, items: withApproval(next.items, event, seq) }
    case 'approval.decided':
      return { ...next, items: withDecision(next.items, event) }
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      return withEnd(next, event)
    case 'text.delta':
      return { ...next, retry: null, items: withDelta(next.items, event, 'text', seq, next.isCut) }
    case 'thinking.delta':
      return { ...next, retry: null, items: withDelta(next.items, event, 'thinking', seq) }
    case 'message.completed':
      return {
        ...next,
        retry: null,
        isCut: event.model_stop === 'max_tokens',
        items: withMessage(next.items, event.step, event.message, seq),
      }
    case 'step.restarted':
      return {
        ...next,
        items: withoutUnstored(next.items, event, seq),
        artifacts: next.artifacts.filter((artifact) => artifact.seq < seq),
      }
    case 'tool.started':
    case 'tool.progress':
    case 'tool.completed':
      return { ...next, items: applyToolEvent(next.items, event, seq) }
    case 'skill.loaded':
      return { ...next, items: withSkill(next.items, event, seq) }
    case 'skills.changed':
      return withNote(next, describeCatalogChange(event))
    case 'input.requested': {
      const { kind, question, context, options } = event
      const input = { kind, question, context, options }
      return { ...next, items: withTool(next.items, event.id, (old) => old && { ...old, input }) }
    }
    case 'todo.updated':
      return { ...next, plan: event.items }
    case 'model.retry':
      return { ...next, retry: { detail: event.detail, attempt: event.attempt + 1 } }
    case 'context.compacted':
      return withNote(next, COMPACTED_TEXT, event.summary)
    case 'context.rebased':
      return withNote(next, `Continued with ${event.model} in a new context window`)
    case 'loop.warning':
    case 'budget.warning':
      return withNote(next, event.detail)
    case 'thread.titled':
      return { ...next, title: event.title }
    case 'snapshot': {
      const items = itemsOf(event.messages.filter((message) => message.run_id === state.runId))
      return { ...next, items, artifacts: presentedBy(items, event.thread_id, []) }
    }
    case 'file.written':
      return { ...next, sizes: new Map(next.sizes).set(event.path, event.bytes) }
    case 'artifact.presented': {
      const path = threadPath(event.path) ?? event.path
      const title = event.title || nameOf(path)
      const bytes = next.sizes.get(event.path) ?? null
      const artifact = { path, seq, title, href: event.href, bytes }
      return { ...next, artifacts: withArtifact(next.artifacts, artifact) }
    }
    case 'step.started':
      return next
    default:
      // A newer server may send events that this page does not know.
      return next
  }
}

type ToolEvent = Extract<Event, { readonly type: 'tool.started' | 'tool.progress' | 'tool.completed' }>

function applyToolEvent(items: readonly Item[], event: ToolEvent, seq: number): readonly Item[] {
  const id = event.tool_use_id
  switch (event.type) {
    case 'tool.started':
      return withTool(items, id, (old) => ({
        ...toolItem(id, event.name, event.input, seq),
        approval: old?.approval ?? null,
      }))
    case 'tool.progress':
      return withTool(items, id, (old) => old && { ...old, preview: event.text })
    case 'tool.completed':
      return withTool(items, id, (old) => ({
        ...(old ?? toolItem(id, event.name, null, seq)),
        state: stateOf(items, event),
        preview: event.preview,
        durationMs: event.duration_ms,
      }))
  }
}

function stateOf(
  items: readonly Item[],
  { is_error: isError, tool_use_id: id }: Extract<ToolEvent, { readonly type: 'tool.completed' }>,
): ToolItem['state'] {
  const approval = items.find((item) => item.kind === 'approval' && item.toolUseId === id)
  if (approval?.kind === 'approval' && isDenial(approval.decision)) return 'denied'
  return isError ? 'failed' : 'done'
}

type TerminalEvent = Extract<Event, { readonly type: 'run.completed' | 'run.failed' | 'run.cancelled' }>
const STATUS_BY_EVENT = {
  'run.completed': 'completed',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
} as const

function withEnd(state: RunState, event: TerminalEvent): RunState {
  const items = state.items.map((item): Item => {
    if (item.kind === 'tool' && item.state === 'running') return { ...item, state: 'stopped' }
    if (item.kind === 'approval' && item.decision === null) return { ...item, decision: 'closed' }
    return isMessage(item) ? { ...item, done: true } : item
  })
  const error = event.error ?? event.receipt.error
  const { stop_reason: stopReason, receipt } = event
  return { ...state, status: STATUS_BY_EVENT[event.type], items, stopReason, receipt, error, retry: null }
}

function withNote(state: RunState, text: string, details: string | null = null): RunState {
  return { ...state, items: [...state.items, noteItem(state.seq, text, details)] }
}
