// Promise 10: money has a limit. That needs the right price for each call, and never a guess that is too low.

import { describe, expect, it } from 'vitest'
import { costOf } from '../../../src/agent/cost.ts'
import type { ModelFacts } from '../../../src/agent/model.ts'
import { highestPrices, KNOWN_MODELS, knownModel } from '../../../src/model/prices.ts'

const usage = (input: number, output: number, write = 0, read = 0): Parameters<typeof costOf>[1] => ({
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: write,
  cache_read_input_tokens: read,
})

function known(model: string): ModelFacts {
  const facts = knownModel(model)
  if (!facts) throw new Error(`${model} should be known`)
  return facts
}

describe('prices', () => {
  it.each([
    ['claude-opus-5-5', 4, 20, 5, 0.2],
    ['claude-opus-5', 5, 25, 6.25, 0.5],
    ['claude-sonnet-5-5', 2, 10, 2.5, 0.1],
    ['claude-sonnet-5', 2, 10, 2.5, 0.2],
    ['claude-sonnet-4-6', 3, 15, 3.75, 0.3],
    ['claude-haiku-4-5', 1, 5, 1.25, 0.1],
    ['claude-fable-5', 10, 50, 12.5, 1],
    ['claude-mythos-5-2', 10, 50, 12.5, 0.25],
  ])('%s costs %d, %d, %d and %d dollars for a million tokens', (model, input, output, write, read) => {
    const facts = known(model)
    const million = 1_000_000
    expect(costOf(facts, usage(million, 0))).toBeCloseTo(input, 9)
    expect(costOf(facts, usage(0, million))).toBeCloseTo(output, 9)
    expect(costOf(facts, usage(0, 0, million))).toBeCloseTo(write, 9)
    expect(costOf(facts, usage(0, 0, 0, million))).toBeCloseTo(read, 9)
  })

  it('charge a long prompt of Haiku 5.5 by the higher tier, including cached tokens', () => {
    const facts = known('claude-haiku-5-5')
    expect(costOf(facts, usage(100_000, 1_000))).toBeCloseTo(0.0105, 9)
    expect(costOf(facts, usage(1, 1_000, 0, 100_000))).toBeCloseTo(0.5e-6 + 0.0025 + 0.005, 9)
  })

  it('apply to dated IDs of a model, under its own name, and to no other', () => {
    expect(known('claude-opus-4-5-20251101').price).toEqual(known('claude-opus-4-5').price)
    expect(known('claude-sonnet-4-5@20250929')).toMatchObject({
      id: 'claude-sonnet-4-5@20250929',
      window: 200_000,
    })
    for (const id of ['claude-sonnet-5-9', 'claude-sonnet-5-5-turbo', 'local/llama', 'demo'])
      expect(knownModel(id)).toBeNull()
  })

  it('have a maximum that no known model exceeds in any part', () => {
    expect(highestPrices(KNOWN_MODELS)).toEqual({ input: 10, output: 50, cacheWrite: 12.5, cacheRead: 1 })
  })
})
