// A reader's copy of what is being said. Applying frames in order, skipping what it has, always ends with the same text.

import type { Event } from '../agent/events.ts'

type Delta = Extract<Event, { type: 'text.delta' | 'thinking.delta' }>

/** The text of each block of the step that is going on. */
export class LiveText {
  readonly #blocks = new Map<number, string>()
  #step = 0

  /** What `delta` adds to its block. `replaced`: the block was shorter than shown before, so what was shown is void. */
  apply(delta: Delta): { readonly added: string; readonly replaced: boolean } {
    if (delta.step !== this.#step) this.restart(delta.step)
    const had = this.#blocks.get(delta.block) ?? ''
    // Offsets count code points, as every length in the contract.
    const text = Array.from(had).slice(0, delta.offset).join('') + delta.text
    this.#blocks.set(delta.block, text)
    return text.startsWith(had)
      ? { added: text.slice(had.length), replaced: false }
      : { added: text, replaced: true }
  }

  /** A step begins, or begins again: nothing of it stands. */
  restart(step: number): void {
    this.#step = step
    this.#blocks.clear()
  }
}
