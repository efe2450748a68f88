// A reader's copy of the streamed text. Applying frames in order, skipping known ones, always gives the same text.

import type { Event } from '../agent/events.ts'

type Delta = Extract<Event, { type: 'text.delta' | 'thinking.delta' }>

/** The text of each block of the current step. */
export class LiveText {
  readonly #blocks = new Map<number, string>()
  #step = 0

  /** What `delta` adds to its block. `replaced`: the block became shorter, so the text shown before is void. */
  apply(delta: Delta): { readonly added: string; readonly replaced: boolean } {
    if (delta.step !== this.#step) this.restart(delta.step)
    const had = this.#blocks.get(delta.block) ?? ''
    // Offsets count code points, like every length in the contract.
    const text = Array.from(had).slice(0, delta.offset).join('') + delta.text
    this.#blocks.set(delta.block, text)
    return text.startsWith(had)
      ? { added: text.slice(had.length), replaced: false }
      : { added: text, replaced: true }
  }

  /** A step begins, or begins again: drops its text. */
  restart(step: number): void {
    this.#step = step
    this.#blocks.clear()
  }
}
