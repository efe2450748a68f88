// The text that a step is saying right now: numbered deltas, kept in memory until the whole message is written down.

import type { EventBody } from '../../agent/events.ts'
import type { Block } from '../../agent/message.ts'
import type { ModelDelta } from '../../agent/model.ts'
import { codePoints } from '../../lib/text.ts'

/** The numbers that a block's deltas took. */
export interface Span {
  readonly block: number
  readonly type: 'text' | 'thinking'
  readonly from: number
  readonly to: number
}

/** One block as far as it was said. */
export interface Saying {
  readonly block: number
  readonly type: 'text' | 'thinking'
  from: number
  to: number
  points: number
  /** It ends in the first half of a character. */
  half: boolean
  text: string
}

export interface MergedDelta {
  readonly from: number
  readonly seq: number
  readonly body: EventBody
}

function deltaBody(step: number, span: Span, offset: number, text: string): EventBody {
  return { type: `${span.type}.delta`, step, block: span.block, offset, text }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

export class LiveStep {
  readonly step: number
  readonly runId: string
  readonly #said: Saying[] = []

  constructor(runId: string, step: number) {
    this.runId = runId
    this.step = step
  }

  /** Takes one delta of the model; `number` gives it its place among the thread's events. */
  say(delta: ModelDelta, number: (body: EventBody) => number): void {
    let saying = this.#said.at(-1)
    if (!saying || saying.block !== delta.block || saying.type !== delta.type) {
      saying = { block: delta.block, type: delta.type, from: 0, to: 0, points: 0, half: false, text: '' }
      this.#said.push(saying)
    }
    saying.to = number({
      type: `${delta.type}.delta`,
      step: this.step,
      block: delta.block,
      offset: saying.points,
      text: delta.text,
    })
    if (saying.from === 0) saying.from = saying.to
    // Halves of one character in two deltas are one code point once they meet.
    const meet = saying.half && isLow(delta.text.charCodeAt(0))
    saying.points += codePoints(delta.text) - (meet ? 1 : 0)
    // Never looked into while it grows: each look would copy all that was said so far.
    saying.text += delta.text
    if (delta.text !== '') saying.half = isHigh(delta.text.charCodeAt(delta.text.length - 1))
  }

  get saidAnything(): boolean {
    return this.#said.length > 0
  }

  /** What was said so far, in its order, with the numbers it took. */
  said(): readonly Readonly<Saying>[] {
    return this.#said
  }

  spans(): readonly Span[] {
    return this.#said.map(({ block, type, from, to }) => ({ block, type, from, to }))
  }

  /** One delta a block for a reader that has everything up to `after`. */
  merged(after: number): readonly MergedDelta[] {
    return this.#said
      .filter((saying) => saying.to > after)
      .map((saying) => ({
        from: saying.from,
        seq: saying.to,
        body: deltaBody(this.step, saying, 0, saying.text),
      }))
  }
}

/** The same from a message that was written down, with the spans its event row kept. */
export function mergedFrom(
  step: number,
  content: readonly Block[],
  spans: readonly Span[],
  after: number,
): readonly MergedDelta[] {
  return spans
    .filter((span) => span.to > after)
    .map((span) => {
      const text = content[span.block]?.[span.type]
      return {
        from: span.from,
        seq: span.to,
        body: deltaBody(step, span, 0, typeof text === 'string' ? text : ''),
      }
    })
}
