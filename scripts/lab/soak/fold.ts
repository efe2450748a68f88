// Computes the state after a run's events. It is equal for all readers, whenever they connected. Pure.

import { LiveText } from '../../../src/client/transcript.ts'
import { isTerminal } from '../../../src/agent/events.ts'

import type { Event } from '../../../src/agent/events.ts'

export interface HeldEvents {
  /** The final text of each block, by step and block. */
  readonly text: string
  /** The IDs of completed messages, in order. */
  readonly messages: readonly string[]
  /** `id=outcome` for each completed tool call. */
  readonly tools: readonly string[]
  readonly terminals: readonly number[]
}

export function foldEvents(events: readonly Event[]): HeldEvents {
  const live = new LiveText()
  const blocks = new Map<string, string>()
  const messages: string[] = []
  const tools: string[] = []
  const terminals: number[] = []
  for (const event of events) {
    if (event.type === 'step.restarted') {
      live.restart(event.step)
      for (const key of blocks.keys()) if (key.startsWith(`${event.step}/`)) blocks.delete(key)
    } else if (event.type === 'text.delta') {
      const key = `${event.step}/${event.block}`
      const { added, replaced } = live.apply(event)
      blocks.set(key, replaced ? added : (blocks.get(key) ?? '') + added)
    } else if (event.type === 'message.completed') messages.push(event.message.id)
    else if (event.type === 'tool.completed') tools.push(`${event.tool_use_id}=${event.is_error}`)
    else if (isTerminal(event.type)) terminals.push(event.seq)
  }
  const text = [...blocks].map(([key, text]) => `${key}: ${text}`).join('\n')
  return { text, messages, tools, terminals }
}

/**
 * Describes where event numbers do not increase. A reader's next frame may cover numbers that it has seen and that
 * were lost.
 */
export function backward(events: readonly Event[]): readonly string[] {
  let last = 0
  return events.flatMap(({ seq, type }) => {
    const violation = seq <= last ? [`${type} ${seq} follows ${last}`] : []
    last = seq
    return violation
  })
}

/** Describes gaps between the frames of a full replay. Each frame covers `from..seq`, and no number may be missing. */
export function gaps(events: readonly Event[]): readonly string[] {
  let last = 0
  return events.flatMap(({ seq, from = seq, type }) => {
    const violation = from === last + 1 && from <= seq ? [] : [`${type} ${from}..${seq} follows ${last}`]
    last = seq
    return violation
  })
}
