// What a reader knows of one run, made from its frames. Pure: however the frames come (again, merged, after a
// restart), every reader ends with the same transcript. Never touches the page or the network.

import { ownPath, nameOf, presentedBy, withArtifact } from './files.js'
import { field, isSaid, itemsOf, noteItem, toolItem } from './run-items.js'
import {
  withApproval,
  withDecision,
  withDelta,
  withMessage,
  withoutUnkept,
  withSkill,
  withTool,
} from './run-items.js'

/** @typedef {import('../../agent/events.ts').Event} Event */
/** @typedef {import('../../agent/events.ts').Problem} Problem */
/** @typedef {import('../../agent/events.ts').Receipt} Receipt */
/** @typedef {import('../../agent/events.ts').RunStatus} RunStatus */
/** @typedef {import('../../agent/message.ts').Message} Message */

/** @typedef {import('./run-items.js').Item} Item */
/**
 * @typedef {object} RunState
 * @property {string} runId
 * @property {number} seq last frame applied; -1 before the first
 * @property {RunStatus} status
 * @property {{ model: string, catalogVersion: number, demo: boolean } | null} started
 * @property {readonly Item[]} items in the order they are shown
 * @property {readonly import('./files.js').Artifact[]} artifacts files that the answer presents
 * @property {ReadonlyMap<string, number>} sizes bytes of the files that the run wrote, by path
 * @property {string | null} title set when the thread was named meanwhile
 * @property {string | null} stopReason
 * @property {Receipt | null} receipt
 * @property {Problem | null} error
 */

/**
 * @param {string} runId
 * @returns {RunState}
 */
export function newRun(runId) {
  return {
    runId,
    seq: -1,
    status: 'queued',
    started: null,
    items: [],
    artifacts: [],
    sizes: new Map(),
    title: null,
    stopReason: null,
    receipt: null,
    error: null,
  }
}

/** @param {RunState} state */
export function hasEnded(state) {
  return state.status === 'completed' || state.status === 'failed' || state.status === 'cancelled'
}

/**
 * The next state; the same one for frames already known, of other runs, or of a type this page does not know.
 * @param {RunState} state
 * @param {Event} event
 * @returns {RunState}
 */
export function applyEvent(state, event) {
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
      return { ...next, status: 'waiting' }
    case 'run.resumed':
      return { ...next, status: 'running' }
    case 'approval.requested':
      return { ...next, items: withApproval(next.items, event, seq) }
    case 'approval.decided':
      return { ...next, items: withDecision(next.items, event) }
    case 'run.completed':
      return ended(next, 'completed', event)
    case 'run.failed':
      return ended(next, 'failed', event)
    case 'run.cancelled':
      return ended(next, 'cancelled', event)
    case 'text.delta':
      return { ...next, items: withDelta(next.items, event, 'text', seq) }
    case 'thinking.delta':
      return { ...next, items: withDelta(next.items, event, 'thinking', seq) }
    case 'message.completed':
      return { ...next, items: withMessage(next.items, event.step, event.message, seq) }
    case 'step.restarted':
      return {
        ...next,
        items: withoutUnkept(next.items, event, seq),
        artifacts: next.artifacts.filter((artifact) => artifact.seq < seq),
      }
    case 'tool.started':
      return {
        ...next,
        items: withTool(next.items, event.tool_use_id, () =>
          toolItem(event.tool_use_id, event.name, event.input, seq),
        ),
      }
    case 'tool.progress':
      return {
        ...next,
        items: withTool(next.items, event.tool_use_id, (old) => old && { ...old, preview: event.text }),
      }
    case 'tool.completed':
      return {
        ...next,
        items: withTool(next.items, event.tool_use_id, (old) => ({
          ...(old ?? toolItem(event.tool_use_id, event.name, null, seq)),
          state: event.is_error ? 'failed' : 'done',
          preview: event.preview,
          ms: event.duration_ms,
        })),
      }
    case 'skill.loaded':
      return { ...next, items: withSkill(next.items, event, seq) }
    case 'skills.changed':
      return noted(next, `Catalog ${event.from_version} → ${event.to_version}: ${changes(event)}`)
    case 'input.requested': {
      const { kind, question, context, options } = event
      const input = { kind, question, context, options }
      return { ...next, items: withTool(next.items, event.id, (old) => old && { ...old, input }) }
    }
    case 'model.retry':
      return noted(
        next,
        `${event.detail} It is asked again in ${Math.ceil(event.wait_ms / 1000)} s (try ${event.attempt + 1}).`,
      )
    case 'loop.warning':
    case 'budget.warning':
      return noted(next, event.detail)
    case 'thread.titled':
      return { ...next, title: event.title }
    case 'snapshot': {
      const items = itemsOf(event.messages.filter((message) => message.run_id === state.runId))
      return { ...next, items, artifacts: presentedBy(items, event.thread_id, []) }
    }
    case 'file.written':
      return { ...next, sizes: new Map(next.sizes).set(event.path, event.bytes) }
    case 'artifact.presented': {
      const path = ownPath(event.path) ?? event.path
      const title = event.title || nameOf(path)
      const bytes = next.sizes.get(event.path) ?? null
      return {
        ...next,
        artifacts: withArtifact(next.artifacts, { path, seq, title, href: event.href, bytes }),
      }
    }
    case 'step.started':
      return next
    default:
      // A newer server may say more than this page knows.
      return next
  }
}

/**
 * A run as the stored transcript shows it, for runs whose frames are not read again.
 * @param {string} runId
 * @param {readonly Message[]} messages of this run, oldest first
 * @param {Receipt | null} receipt
 * @param {{ id: string, files: readonly import('./files.js').FileInfo[] }} thread
 * @returns {RunState}
 */
export function runFromHistory(runId, messages, receipt, thread) {
  const used = receipt?.skills ?? []
  const items = itemsOf(messages).map((item) => {
    const name = item.kind === 'tool' && item.name === 'load_skill' ? field(item.input, 'name') : null
    const skill = used.find((use) => use.name === name)
    return item.kind === 'tool' && item.state === 'done' && skill ? { ...item, skill } : item
  })
  /** @type {Item[]} */
  const before = used
    .filter((use) => use.via === 'slash' || use.via === 'request')
    .map((skill) => ({ kind: 'skill', key: `skill:${skill.name}`, seq: 0, skill }))
  return {
    ...newRun(runId),
    status: receipt?.status ?? 'completed',
    started: receipt && { model: receipt.model, catalogVersion: receipt.catalog_version, demo: false },
    items: [...before, ...items],
    artifacts: presentedBy(items, thread.id, thread.files),
    stopReason: receipt?.stop_reason ?? null,
    receipt,
    error: receipt?.error ?? null,
  }
}

/**
 * @param {RunState} state
 * @param {RunStatus} status
 * @param {{ stop_reason: string, receipt: Receipt, error?: Problem }} event
 * @returns {RunState}
 */
function ended(state, status, event) {
  const items = state.items.map((item) => {
    if (item.kind === 'tool' && item.state === 'running')
      return { ...item, state: /** @type {const} */ ('stopped') }
    if (item.kind === 'approval' && item.decision === null)
      return { ...item, decision: /** @type {const} */ ('closed') }
    return isSaid(item) ? { ...item, done: true } : item
  })
  const error = event.error ?? event.receipt.error
  return { ...state, status, items, stopReason: event.stop_reason, receipt: event.receipt, error }
}

/**
 * @param {RunState} state
 * @param {string} text
 * @returns {RunState}
 */
function noted(state, text) {
  return { ...state, items: [...state.items, noteItem(state.seq, text)] }
}

/** @param {{ added: readonly string[], removed: readonly string[], changed: readonly string[] }} event */
function changes({ added, removed, changed }) {
  const words = Object.entries({ added, removed, changed }).filter(([, names]) => names.length > 0)
  return words.map(([word, names]) => `${word} ${names.join(', ')}`).join('; ')
}
