// A reader of a thread's events that behaves like a client: it applies events in order, skips known ones, and notices
// gaps.

import { isTerminal, type Event } from '../../src/agent/events.ts'
import { readEvents } from '../../src/client/sse.ts'
import type { Block, Message } from '../../src/agent/message.ts'

/** All events of a stream until it closes, breaks, or `enough` returns true. */
export async function read(
  stream: ReadableStream<Uint8Array> | null,
  enough: (event: Event) => boolean = () => false,
): Promise<{ readonly events: readonly Event[]; readonly end: 'closed' | 'broken' | 'left' }> {
  const events: Event[] = []
  if (stream === null) throw new Error('no stream')
  try {
    for await (const event of readEvents(stream)) {
      events.push(event)
      if (enough(event)) return { events, end: 'left' }
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw error
    return { events, end: 'broken' }
  }
  return { events, end: 'closed' }
}

/** The first `end` code points, the unit in which the contract measures offsets. */
function head(text: string, end: number): string {
  return Array.from(text).slice(0, end).join('')
}

export class Reader {
  cursor: number
  /** Assistant messages by id, in order. */
  readonly messages = new Map<string, Message>()
  readonly problems: string[] = []
  terminal: Event | null = null
  readonly #isLive = new Map<string, string>()
  readonly #tiles: boolean

  /** `tiles`: the reader reads a whole thread, or its only run, so that no number may be missing. */
  constructor(cursor: number, tiles = true) {
    this.cursor = cursor
    this.#tiles = tiles
  }

  apply(events: readonly Event[]): this {
    for (const event of events) this.#one(event)
    return this
  }

  #one(event: Event): void {
    const from = event.from ?? event.seq
    if (event.seq <= this.cursor) {
      // Only a terminal event is sent again to a reader that already has it.
      if (!isTerminal(event.type)) this.problems.push(`${event.type} ${event.seq} came after ${this.cursor}`)
      this.terminal ??= isTerminal(event.type) ? event : null
      return
    }
    if (this.#tiles && from > this.cursor + 1)
      this.problems.push(`${event.type} ${from}..${event.seq} leaves a gap after ${this.cursor}`)
    this.cursor = event.seq
    if (event.type === 'step.started' || event.type === 'step.restarted') this.#forget(event.step)
    if (event.type === 'text.delta' || event.type === 'thinking.delta') {
      const position = `${event.step}/${event.block}`
      this.#isLive.set(position, head(this.#isLive.get(position) ?? '', event.offset) + event.text)
    }
    if (event.type === 'message.completed') {
      this.#checkLive(event.step, event.message.content, event.message.id)
      this.messages.set(event.message.id, event.message)
    }
    if (isTerminal(event.type)) {
      if (this.terminal) this.problems.push('a second terminal event')
      this.terminal = event
    }
  }

  #forget(step: number): void {
    for (const position of this.#isLive.keys())
      if (position.startsWith(`${step}/`)) this.#isLive.delete(position)
  }

  /** Checks that the text shown while streaming equals the final message, unless a refusal withdrew it. */
  #checkLive(step: number, content: readonly Block[], id: string): void {
    for (const [block, { type, text, thinking }] of content.entries()) {
      const shown = this.#isLive.get(`${step}/${block}`)
      const output = type === 'text' ? text : thinking
      if (shown !== undefined && !String(output).startsWith(shown))
        this.problems.push(`block ${block} of ${id} was shown as ${JSON.stringify(shown)}`)
    }
    this.#forget(step)
  }

  transcript(): readonly (readonly Block[])[] {
    return [...this.messages.values()].map((message) => message.content)
  }
}
