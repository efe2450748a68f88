// Guards "nothing is said twice": however a model's words are split, a reader that applies the deltas, single or
// merged, from any number on, has the same text. Offsets count code points.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../src/agent/events.ts'
import type { ModelDelta } from '../../../src/agent/model.ts'
import { PartialAnswer, mergedDeltasOf } from '../../../src/thread/events/partial-answer.ts'
import { HANG_GUARD } from '../hang-guard.ts'

const word = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom('😀', '\ud83d', '\ude00', 'e\u0301'),
)
const deltas = fc
  .array(fc.record({ thinks: fc.boolean(), next: fc.boolean(), text: word }), { maxLength: 20 })
  .map((parts) => {
    let block = 0
    let type: ModelDelta['type'] = 'text'
    return parts.map(({ thinks, next, text }): ModelDelta => {
      if (next) {
        block += 1
        type = thinks ? 'thinking' : 'text'
      }
      return { type, block, text }
    })
  })

function apply(bodies: readonly EventBody[], to = new Map<number, string>()): Map<number, string> {
  for (const body of bodies) {
    if (body.type !== 'text.delta' && body.type !== 'thinking.delta') continue
    const had = Array.from(to.get(body.block) ?? '')
    expect(body.offset).toBeLessThanOrEqual(had.length)
    to.set(body.block, had.slice(0, body.offset).join('') + body.text)
  }
  return to
}

function spoken(parts: readonly ModelDelta[]): Map<number, string> {
  const whole = new Map<number, string>()
  for (const { block, text } of parts) whole.set(block, (whole.get(block) ?? '') + text)
  return whole
}

describe('deltas', () => {
  it('applied one by one, or merged from any number on, give the whole text', () => {
    fc.assert(
      fc.property(deltas, fc.nat(9), (parts, first) => {
        const live = new PartialAnswer('run_1', 1)
        const shown: EventBody[] = []
        for (const part of parts) live.add(part, 0, (body) => first + shown.push(body))
        const whole = spoken(parts)
        expect(apply(shown)).toEqual(whole)
        for (let had = 0; had <= parts.length; had++) {
          const seen = apply(shown.slice(0, had))
          const merged = live.mergedDeltas(first + had)
          expect(
            apply(
              merged.map(({ body }) => body),
              seen,
            ),
          ).toEqual(whole)
          for (const { seq } of merged) expect(seq).toBeGreaterThan(first + had)
        }
        expect(live.isEmpty).toBe(parts.length === 0)
      }),
    )
  })

  it('are restored the same from the stored message', () => {
    fc.assert(
      fc.property(deltas, (parts) => {
        const live = new PartialAnswer('run_1', 1)
        let seq = 0
        for (const part of parts) live.add(part, 0, () => (seq += 1))
        const blocks = [...spoken(parts)].map(([block, text]): [number, object] => [
          block,
          parts.find((part) => part.block === block)?.type === 'thinking'
            ? { type: 'thinking', thinking: text }
            : { type: 'text', text },
        ])
        const content = Array.from({ length: 21 }, (_, at) => ({ type: 'other', ...new Map(blocks).get(at) }))
        for (let after = 0; after <= seq; after++)
          expect(mergedDeltasOf(1, content, live.spans(), after)).toEqual(live.mergedDeltas(after))
      }),
    )
  })

  it('of a step have consecutive numbers, block after block', () => {
    const live = new PartialAnswer('run_1', 2)
    let seq = 10
    for (const [block, text] of ['a', 'b'].entries())
      for (let at = 0; at < 3; at++) live.add({ type: 'text', block, text }, 0, () => (seq += 1))
    expect(live.spans()).toEqual([
      { block: 0, type: 'text', from: 11, to: 13 },
      { block: 1, type: 'text', from: 14, to: 16 },
    ])
  })

  it('of thinking have its duration, without the pauses between', () => {
    const live = new PartialAnswer('run_1', 1)
    const add = (block: number, type: 'text' | 'thinking', at: number): void =>
      live.add({ type, block, text: 'a' }, at, () => at)
    add(0, 'text', 100)
    expect(live.thinkingMs()).toBeNull()
    for (const at of [200, 900]) add(1, 'thinking', at)
    add(2, 'text', 5_000)
    for (const at of [6_000, 6_050]) add(3, 'thinking', at)
    expect(live.thinkingMs()).toBe(750)
  })

  it('of a long answer are each processed without rereading the earlier ones', HANG_GUARD, () => {
    const live = new PartialAnswer('run_1', 1)
    const delta = { type: 'text', block: 0, text: '0123456789abc' } as const
    let seq = 0
    for (let at = 0; at < 600_000; at++) live.add(delta, 0, () => (seq += 1))
    expect(live.blocks()[0]).toMatchObject({ codePointCount: 7_800_000, to: 600_000 })
  })
})
