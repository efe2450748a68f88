// Promise 10: money has a lid, which needs the right price for each call, and "unknown" where there is none.

import { describe, expect, it } from 'vitest'
import { CONTEXT_TOKENS } from '../../../src/limits.ts'
import { costOf, factsOf } from '../../../src/model/prices.ts'

const usage = (input: number, output: number, write = 0, read = 0): Parameters<typeof costOf>[1] => ({
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: write,
  cache_read_input_tokens: read,
})

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
    const facts = factsOf(model)
    const million = 1_000_000
    expect(costOf(facts, usage(million, 0))).toBeCloseTo(input, 9)
    expect(costOf(facts, usage(0, million))).toBeCloseTo(output, 9)
    expect(costOf(facts, usage(0, 0, million))).toBeCloseTo(write, 9)
    expect(costOf(facts, usage(0, 0, 0, million))).toBeCloseTo(read, 9)
  })

  it('charges a long prompt of Haiku 5.5 by the higher tier, cached tokens counted in', () => {
    const facts = factsOf('claude-haiku-5-5')
    expect(costOf(facts, usage(100_000, 1_000))).toBeCloseTo(0.0105, 9)
    expect(costOf(facts, usage(1, 1_000, 0, 100_000))).toBeCloseTo(0.5e-6 + 0.0025 + 0.005, 9)
  })

  it('knows a dated id by the model it is of, and no other', () => {
    expect(factsOf('claude-opus-4-5-20251101').price).toEqual(factsOf('claude-opus-4-5').price)
    expect(factsOf('claude-sonnet-4-5@20250929').contextTokens).toBe(200_000)
    expect(factsOf('claude-sonnet-5-9').price).toBeNull()
    expect(factsOf('claude-sonnet-5-5-turbo').price).toBeNull()
  })

  it('gives an unknown model its own name, the default window, and no price', () => {
    const facts = factsOf('local/llama')
    expect(facts).toMatchObject({ id: 'local/llama', contextTokens: CONTEXT_TOKENS, price: null })
    expect(costOf(facts, usage(10, 10))).toBeNull()
  })

  it('charges nothing for the demo model', () => {
    expect(costOf(factsOf('demo'), usage(10, 10))).toBe(0)
  })
})
