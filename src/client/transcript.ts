// Assembles the streamed text of a step from its deltas.

import type { Event } from '../agent/events.ts'

type Delta = Extract<Event, { type: 'text.delta' | 'thinking.delta' }>

/** The text of each block of the current step. */
export class LiveText {
  readonly #blocks = new Map<number, string>()
  #step = 0

  /**
   * Applies a delta and returns what it adds to its block. If `replaced` is true, discard the block's text
   * shown so far: `added` is the block's entire text.
   */
  apply(delta: Delta): { readonly added: string; readonly replaced: boolean } {
    if (delta.step !== this.#step) this.restart(delta.step)
    const before = this.#blocks.get(delta.block) ?? ''
    // Offsets count code points, like every length in the API contract.
    const text = Array.from(before).slice(0, delta.offset).join('') + delta.text
    this.#blocks.set(delta.block, text)
    return text.startsWith(before)
      ? { added: text.slice(before.length), replaced: false }
      : { added: text, replaced: true }
  }

  /** Discards all text, because a step starts or restarts. */
  restart(step: number): void {
    this.#step = step
    this.#blocks.clear()
  }
}
