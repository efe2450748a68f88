// The part of a step's response that has arrived so far: numbered deltas, kept in memory until the complete
// message is written.

import type { EventBody } from '../../agent/events.ts'
import type { Block } from '../../agent/message.ts'
import type { ModelDelta } from '../../agent/model.ts'
import { codePoints } from '../../lib/text.ts'
import type { Run } from '../rows/run.ts'

/** A block and the range of event numbers of its deltas. */
export interface Span {
  readonly block: number
  readonly type: 'text' | 'thinking'
  readonly from: number
  readonly to: number
}

/** A block as received so far. */
export interface PartialBlock extends Span {
  readonly text: string
}

export interface MergedDelta {
  readonly from: number
  readonly seq: number
  readonly body: EventBody
}

type GrowingBlock = { -readonly [K in keyof PartialBlock]: PartialBlock[K] } & {
  codePointCount: number
  /** Whether `text` ends with the first half of a surrogate pair. */
  endsInHighSurrogate: boolean
  /** When its first and its newest delta arrived. */
  readonly firstAt: number
  lastAt: number
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

export class PartialAnswer {
  readonly step: number
  readonly runId: string
  readonly #blocks: GrowingBlock[] = []

  constructor(runId: string, step: number) {
    this.runId = runId
    this.step = step
  }

  /** Adds one delta of the model, which arrived at `at`. `send` sends it as an event and returns the event's number. */
  add({ block, type, text }: ModelDelta, at: number, send: (body: EventBody) => number): void {
    let last = this.#blocks.at(-1)
    if (!last || last.block !== block || last.type !== type) {
      const empty = { codePointCount: 0, endsInHighSurrogate: false, text: '' }
      last = { block, type, from: 0, to: 0, ...empty, firstAt: at, lastAt: at }
      this.#blocks.push(last)
    }
    last.lastAt = at
    last.to = send({ type: `${type}.delta`, step: this.step, block, offset: last.codePointCount, text })
    if (last.from === 0) last.from = last.to
    // The halves of a surrogate pair that arrive in two deltas are one code point.
    const joinsPair = last.endsInHighSurrogate && isLowSurrogate(text.charCodeAt(0))
    last.codePointCount += codePoints(text) - (joinsPair ? 1 : 0)
    // The text is not read here, because reading a string that was built by appending copies all of it.
    last.text += text
    if (text !== '') last.endsInHighSurrogate = isHighSurrogate(text.charCodeAt(text.length - 1))
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  /** The blocks received so far, in order, with their event numbers. */
  blocks(): readonly PartialBlock[] {
    return this.#blocks
  }

  /** How long the thinking took to arrive; null if there is none. */
  thinkingMs(): number | null {
    const thoughts = this.#blocks.filter(({ type }) => type === 'thinking')
    return thoughts.length === 0
      ? null
      : thoughts.reduce((sum, { firstAt, lastAt }) => sum + lastAt - firstAt, 0)
  }

  /** When the run's first text arrived: in an earlier step, or here; null if there is none. */
  firstText({ firstTextAt }: Pick<Run, 'firstTextAt'>): Pick<Run, 'firstTextAt'> {
    const here = this.#blocks.find(({ type }) => type === 'text')
    return { firstTextAt: firstTextAt ?? here?.firstAt ?? null }
  }

  spans(): readonly Span[] {
    return this.#blocks.map(({ block, type, from, to }) => ({ block, type, from, to }))
  }

  /** One delta per block, for a reader that has seen everything up to number `after`. */
  mergedDeltas(after: number): readonly MergedDelta[] {
    return mergedDeltas(this.step, this.#blocks, after)
  }
}

/** One delta per block of a stored message, with the spans of its event row. */
export function mergedDeltasOf(
  step: number,
  content: readonly Block[],
  spans: readonly Span[],
  after: number,
): readonly MergedDelta[] {
  const blocks = spans.map((span) => {
    const text = content[span.block]?.[span.type]
    return { ...span, text: typeof text === 'string' ? text : '' }
  })
  return mergedDeltas(step, blocks, after)
}

function mergedDeltas(step: number, blocks: readonly PartialBlock[], after: number): readonly MergedDelta[] {
  return blocks
    .filter(({ to }) => to > after)
    .map(({ block, type, from, to, text }) => ({
      from,
      seq: to,
      body: { type: `${type}.delta`, step, block, offset: 0, text },
    }))
}
