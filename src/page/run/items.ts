// The items shown for a run, and how an event changes them. Pure. Does not depend on the run's status.

import type { ShownRequest } from '../../agent/approval.ts'
import type { Event } from '../../agent/events.ts'
import type { Message } from '../../agent/message.ts'
import type { DescribedCallState } from '../../client/call-text.ts'
import { RESTARTED_TEXT } from '../../client/run-text.ts'
import { calledTool, stringIn, describeBlock } from '../lib/fields.ts'
import { steeredItem, type SteeredItem } from './steered-item.ts'

export interface LoadedSkillItem {
  readonly name: string
  readonly category: string
  readonly digest: string
}

interface ItemBase {
  /** Stable for the life of the item. */
  readonly key: string
  /** The sequence number of the event that added the item; -1 if the item comes from the stored transcript. */
  readonly seq: number
}

export interface TextItem extends ItemBase {
  readonly kind: 'text' | 'thinking'
  readonly step: number
  readonly text: string
  /** The length of `text` in code points, which is the unit of event offsets. */
  readonly codePoints: number
  readonly done: boolean
  /** True if it continues the text before it, which the output limit had cut off. */
  readonly continues?: true
  /** Since when the text is streamed, and for how many ms. For thinking of a stored message, only how long it took. */
  readonly streamTime: { readonly startedAt: number | null; readonly ms: number } | null
}

export interface ToolItem extends ItemBase {
  readonly kind: 'tool'
  readonly toolUseId: string
  readonly name: string
  readonly input: unknown
  readonly state: DescribedCallState
  /** The beginning of the output; while the call is running, the newest part of it. */
  readonly preview: string
  readonly durationMs: number | null
  /** The skill that `load_skill` loaded. */
  readonly skill: LoadedSkillItem | null
  /** The approval that let the call run. */
  readonly approval: ApprovalItem | null
}

/** A skill loaded without a call: by a slash command or by the request. */
interface SkillItem extends ItemBase {
  readonly kind: 'skill'
  readonly skill: LoadedSkillItem
}

export interface Note extends ItemBase {
  readonly kind: 'note'
  readonly text: string
  /** Details that the note expands to; null if it has none. */
  readonly details: string | null
}

export interface ApprovalItem extends ItemBase {
  readonly kind: 'approval'
  readonly threadId: string
  readonly runId: string
  readonly toolUseId: string
  readonly name: string
  readonly input: unknown
  readonly request: ShownRequest | null
  readonly reason: string
  readonly digest: string
  /** JSON pointers of the input fields that a remembered approval leaves open. */
  readonly freeFields: readonly string[]
  readonly expiresAt: string
  /** Null while the decision is pending; `closed` if the run ended before a decision. */
  readonly decision: 'approve' | 'deny' | 'expired' | 'closed' | null
  readonly decidedBy: string
}

export type Item = TextItem | ToolItem | SkillItem | Note | ApprovalItem | SteeredItem

type Delta = Extract<Event, { readonly block: number }>
type EventOf<T extends Event['type']> = Extract<Event, { readonly type: T }>

export function isMessage(item: Item): item is TextItem {
  return item.kind === 'text' || item.kind === 'thinking'
}

/** Whether the decision prevented the call from running. */
export function isDenial(decision: string | null): boolean {
  return decision === 'deny' || decision === 'expired'
}

/** Adds a delta to its text item: the new text is text[0:offset] + delta. The offset is in code points. */
export function withDelta(
  items: readonly Item[],
  delta: Pick<Delta, 'step' | 'block' | 'offset' | 'text' | 'at'>,
  kind: TextItem['kind'],
  seq: number,
  isContinued = false,
): readonly Item[] {
  const key = `${delta.step}.${delta.block}`
  const index = items.findLastIndex((item) => item.key === key)
  const previous = items[index]
  const time = Date.parse(delta.at)
  if (!previous || !isMessage(previous)) {
    const item = textItem(kind, key, seq, delta.step, delta.text, false)
    const continues =
      isContinued && kind === 'text' && !items.some((old) => old.kind === 'text' && old.step === delta.step)
    const streamTime = { startedAt: time, ms: 0 }
    return [...items, { ...item, ...(continues && { continues }), streamTime }]
  }
  const head =
    delta.offset >= previous.codePoints
      ? previous.text
      : Array.from(previous.text).slice(0, delta.offset).join('')
  const codePoints = Math.min(delta.offset, previous.codePoints) + Array.from(delta.text).length
  const startedAt = previous.streamTime?.startedAt ?? time
  const streamTime = { startedAt, ms: time - startedAt }
  return items.with(index, { ...previous, text: head + delta.text, codePoints, streamTime })
}

/** Replaces the streamed text of a step with its final message, at the same position. */
export function withMessage(
  items: readonly Item[],
  step: number,
  message: Message,
  seq: number,
): readonly Item[] {
  const belongsToStep = (item: Item): boolean => isMessage(item) && item.step === step
  const firstIndex = items.findIndex(belongsToStep)
  const otherItems = items.filter((item) => !belongsToStep(item))
  const outputs = outputOf(message, step, `${step}`, seq).map((finalItem): TextItem => {
    const streamed = items.find(({ key }) => key === finalItem.key)
    const isTimed = finalItem.streamTime !== null || !streamed || !isMessage(streamed)
    return isTimed ? finalItem : { ...finalItem, streamTime: streamed.streamTime }
  })
  return otherItems.toSpliced(firstIndex < 0 ? otherItems.length : firstIndex, 0, ...outputs)
}

/** Removes the step's unfinished text, and items from events that were sent but not stored. */
export function withoutUnstored(
  items: readonly Item[],
  event: EventOf<'step.restarted'>,
  fromSeq: number,
): readonly Item[] {
  const stored = items.filter(
    (item) => item.seq < fromSeq && !(isMessage(item) && item.step === event.step && !item.done),
  )
  // After a model error, the `model.retry` event already informs the user.
  if (event.reason !== 'crash') return stored
  return [...stored, noteItem(event.seq, RESTARTED_TEXT)]
}

export function withTool(
  items: readonly Item[],
  id: string,
  change: (old: ToolItem | undefined) => ToolItem | undefined,
): readonly Item[] {
  const index = items.findLastIndex((item) => item.key === `tool:${id}`)
  const old = items[index]
  const next = change(old?.kind === 'tool' ? old : undefined)
  if (!next) return items
  return index < 0 ? [...items, next] : items.with(index, next)
}

/** Adds an approval request. A later request for the same call replaces the earlier one. */
export function withApproval(
  items: readonly Item[],
  event: EventOf<'approval.requested'>,
  seq: number,
): readonly Item[] {
  const { tool_use_id: toolUseId, thread_id: threadId, run_id: runId, name, input, request, reason } = event
  const key = `approval:${toolUseId}`
  const index = items.findIndex((item) => item.key === key)
  const item: ApprovalItem = {
    kind: 'approval',
    key,
    seq,
    threadId,
    runId,
    toolUseId,
    name,
    input,
    request,
    reason,
    digest: event.digest,
    freeFields: event.free,
    expiresAt: event.expires_at,
    decision: null,
    decidedBy: '',
  }
  return index < 0 ? [...items, item] : items.with(index, item)
}

export function withDecision(
  items: readonly Item[],
  { tool_use_id: id, decision, by }: EventOf<'approval.decided'>,
): readonly Item[] {
  const decided = items.map((item) =>
    item.kind === 'approval' && item.toolUseId === id ? { ...item, decision, decidedBy: by } : item,
  )
  const approval = decided.find((item) => item.kind === 'approval' && item.toolUseId === id)
  return approval?.kind === 'approval' && decision === 'approve'
    ? withTool(decided, id, (old) => old && { ...old, approval })
    : decided
}

/** Adds a loaded skill to the call that loaded it, or as a separate item if no call did. */
export function withSkill(items: readonly Item[], loaded: LoadedSkillItem, seq: number): readonly Item[] {
  const skill = { name: loaded.name, category: loaded.category, digest: loaded.digest }
  const index = items.findIndex(
    (item) =>
      item.kind === 'tool' &&
      item.name === 'load_skill' &&
      !item.skill &&
      stringIn(item.input, 'name') === skill.name,
  )
  const call = items[index]
  return call?.kind === 'tool'
    ? items.with(index, { ...call, skill })
    : [...items, { kind: 'skill', key: `skill:${seq}`, seq, skill }]
}

/** The items for a run's stored messages, oldest first. */
export function itemsOf(messages: readonly Message[]): readonly Item[] {
  let items: readonly Item[] = []
  for (const [n, message] of messages.entries()) {
    if (message.steered) items = [...items, steeredItem(message, -1)]
    if (message.role === 'assistant') items = [...items, ...outputOf(message, n, message.id, -1)]
    for (const block of message.content) {
      const id = stringIn(block, message.role === 'assistant' ? 'id' : 'tool_use_id')
      if (block.type === 'tool_use' && id) {
        items = [...items, toolItem(id, ...calledTool(block), -1)]
      } else if (block.type === 'tool_result' && id) {
        const state = block['is_error'] === true ? 'failed' : 'done'
        items = withTool(items, id, (old) => old && { ...old, state, preview: resultText(block['content']) })
      }
    }
  }
  return items
}

function outputOf(message: Message, step: number, key: string, seq: number): readonly TextItem[] {
  const items = message.content.flatMap((block, n) => {
    const kind = block.type === 'text' || block.type === 'thinking' ? block.type : null
    const text = kind && stringIn(block, kind)
    return kind && text ? [textItem(kind, `${key}.${n}`, seq, step, text, true)] : []
  })
  // The time is that of all thinking in the message, so it belongs to the first.
  const thought = items.findIndex(({ kind }) => kind === 'thinking')
  const continued = message.continues ? items.findIndex(({ kind }) => kind === 'text') : -1
  return items.map((item, at) => ({
    ...item,
    ...(at === continued && { continues: true }),
    ...(at === thought && message.thinking_ms !== undefined
      ? { streamTime: { startedAt: null, ms: message.thinking_ms } }
      : {}),
  }))
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block: unknown) => stringIn(block, 'text') ?? describeBlock(block)).join('\n')
}

function textItem(
  kind: TextItem['kind'],
  key: string,
  seq: number,
  step: number,
  text: string,
  done: boolean,
): TextItem {
  return { kind, key, seq, step, text, codePoints: Array.from(text).length, done, streamTime: null }
}

export function toolItem(id: string, name: string, input: unknown, seq: number): ToolItem {
  return {
    kind: 'tool',
    key: `tool:${id}`,
    seq,
    toolUseId: id,
    name,
    input,
    state: 'running',
    preview: '',
    durationMs: null,
    skill: null,
    approval: null,
  }
}

export function noteItem(seq: number, text: string, details: string | null = null): Note {
  return { kind: 'note', key: `note:${seq}`, seq, text, details }
}
