// Promise 10: no key can choose its way out of a lid: only models whose price is stated, known or taken for the dearest.

import { describe, expect, it } from 'vitest'
import { modelRegistry } from '../../../src/model/registry.ts'

const KEY = { apiKey: 'k', model: 'claude-sonnet-5-5', models: null }
const ids = (registry: ReturnType<typeof modelRegistry>): readonly string[] =>
  registry.list.map(({ id }) => id)

describe('the models that may answer', () => {
  it('are MODEL and all whose price is known, dated ids of those too', () => {
    const registry = modelRegistry({ ...KEY, model: 'claude-haiku-4-5' })
    expect(ids(registry).slice(0, 2)).toEqual(['claude-haiku-4-5', 'claude-fable-5-2'])
    expect(new Set(ids(registry)).size).toBe(ids(registry).length)
    expect(registry.resolve('claude-opus-4-5-20251101')).toMatchObject({ priced: true, price: { input: 5 } })
    expect(registry.resolve('claude-haiku-5-5')?.longPrompt?.price.input).toBe(0.5)
    for (const id of ['gpt', 'demo', '', 'claude-sonnet-5-9']) expect(registry.resolve(id)).toBeNull()
  })

  it('are those of MODELS and no others once it is set', () => {
    const registry = modelRegistry({ ...KEY, model: 'b', models: [{ id: 'a' }, { id: 'b', window: 5 }] })
    expect(ids(registry)).toEqual(['b', 'a'])
    expect(registry.resolve('b')?.window).toBe(5)
    expect(registry.resolve('claude-sonnet-5-5')).toBeNull()
    expect(registry.whyNot('gpt')).toContain('There are: b, a.')
  })

  it('are the demo model alone without a key', () => {
    const registry = modelRegistry({ ...KEY, apiKey: null, models: [{ id: 'a' }] })
    expect(ids(registry)).toEqual(['demo'])
    expect(registry.defaultModel).toBe('demo')
    expect(registry.resolve('demo')?.price.output).toBe(0)
    expect(registry.resolve('claude-sonnet-5-5')).toBeNull()
  })
})

describe('a model without a price', () => {
  it('is charged at the dearest known one, and says that this is a guess', () => {
    const registry = modelRegistry({ ...KEY, model: 'local/llama' })
    expect(registry.resolve('local/llama')).toEqual({
      id: 'local/llama',
      window: null,
      price: { input: 10, output: 50, cacheWrite: 12.5, cacheRead: 1 },
      priced: false,
      longPrompt: null,
    })
  })

  it('is charged no less than a dearer one that MODELS states', () => {
    const price = { input: 80, output: 400, cacheWrite: 100, cacheRead: 8 }
    const registry = modelRegistry({ ...KEY, model: 'a', models: [{ id: 'a' }, { id: 'b', price }] })
    expect(registry.resolve('a')).toMatchObject({ price, priced: false })
  })

  it('has the known one, and a stated one of 0 is a price', () => {
    const price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
    const models = [{ id: 'claude-haiku-5-5' }, { id: 'local', price }]
    const registry = modelRegistry({ ...KEY, model: 'local', models })
    expect(registry.resolve('claude-haiku-5-5')).toMatchObject({ priced: true, price: { input: 0.1 } })
    expect(registry.resolve('local')).toMatchObject({ priced: true, price })
  })
})
