// Rebuilds past runs, each with its question and items, from a stored transcript. Pure.

import type { BegunWindow, Receipt } from '../../agent/events.ts'
import type { Message } from '../../agent/message.ts'
import { COMPACTED_TEXT } from '../../client/run-text.ts'
import type { FileInfo } from '../../thread/api.ts'
import { stringIn } from '../lib/fields.ts'
import { presentedBy } from './files.ts'
import { isDenial, itemsOf, noteItem, type Item } from './items.ts'
import { newRun, type RunState } from './state.ts'

/** The user's own message among the messages of a run, or null if there is none. Tool results also have the role `user`. */
export function questionIn(
  messages: readonly Message[],
): { readonly id: string; readonly text: string } | null {
  const message = messages.find(
    ({ role, content }) => role === 'user' && !content.some((block) => block.type === 'tool_result'),
  )
  if (!message) return null
  return {
    id: message.id,
    text: message.content.flatMap((block) => stringIn(block, 'text') ?? []).join('\n'),
  }
}

/**
 * Rebuilds a run from the stored transcript, without reading its events. `messages`: the run's messages, oldest first.
 * `receipt`: null if the run belongs to the thread that this one was forked from.
 */
export function runFromHistory(
  runId: string,
  messages: readonly Message[],
  receipt: Receipt | null,
  thread: { readonly id: string; readonly files: readonly FileInfo[] },
): RunState {
  const usedSkills = receipt?.skills ?? []
  const decisions = new Map(receipt?.approvals.map(({ tool_use_id: id, decision }) => [id, decision]))
  const items = withSummaries(itemsOf(messages), messages, receipt?.windows ?? []).map((item): Item => {
    if (item.kind === 'tool' && isDenial(decisions.get(item.toolUseId) ?? null))
      return { ...item, state: 'denied' }
    const name = item.kind === 'tool' && item.name === 'load_skill' ? stringIn(item.input, 'name') : null
    const skill = usedSkills.find((use) => use.name === name)
    return item.kind === 'tool' && item.state === 'done' && skill ? { ...item, skill } : item
  })
  const preloaded = usedSkills
    .filter((use) => use.via === 'slash' || use.via === 'request')
    .map((skill): Item => ({ kind: 'skill', key: `skill:${skill.name}`, seq: 0, skill }))
  return {
    ...newRun(runId),
    status: receipt?.status ?? 'completed',
    started: receipt && { model: receipt.model, catalogVersion: receipt.catalog_version, demo: false },
    items: [...preloaded, ...items],
    artifacts: presentedBy(items, thread.id, thread.files),
    stopReason: receipt?.stop_reason ?? null,
    receipt,
    copiedMs: receipt ? null : spanOf(messages),
    error: receipt?.error ?? null,
  }
}

/** Adds a line for each window that began in the run, before the items of the window's first message. */
function withSummaries(
  items: readonly Item[],
  messages: readonly Message[],
  windows: readonly BegunWindow[],
): readonly Item[] {
  return windows.reduceRight<readonly Item[]>((all, { window, message_id: first, summary }) => {
    const at = messages.findIndex(({ id }) => id === first)
    const index = at === -1 ? all.length : itemsOf(messages.slice(0, at)).length
    const note = { ...noteItem(-1, COMPACTED_TEXT, summary), key: `window:${window}` }
    return all.toSpliced(index, 0, note)
  }, items)
}

/** A longer pause in a copied run, whose receipt is not known, was probably a wait for a person. */
const PAUSE_MAX_MS = 600_000

/** The time from the first message of a run to its last, or null if the run probably waited for a person. */
function spanOf(messages: readonly Message[]): number | null {
  const times = messages.map(({ created_at: at }) => Date.parse(at))
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || last === first) return null
  return times.some((time, at) => time - (times[at - 1] ?? time) > PAUSE_MAX_MS) ? null : last - first
}
