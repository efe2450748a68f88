// Promise 10: no key can evade a limit by its choice of model: every allowed model has a configured or known price, or
// is charged at the highest known one.

import { describe, expect, it } from 'vitest'
import { modelRegistry } from '../../../src/model/registry.ts'
import { fakeFetch, type Script } from '../../fakes/messages-wire.ts'
import { callOnce, messageOf } from './helpers.ts'

const KEY = { apiKey: 'k', baseUrl: null, model: 'claude-sonnet-5-5', models: null }
const ids = (registry: ReturnType<typeof modelRegistry>): readonly string[] =>
  registry.list.map(({ id }) => id)

describe('the allowed models', () => {
  it('are MODEL and all with a known price, including their dated IDs', () => {
    const registry = modelRegistry({ ...KEY, model: 'claude-haiku-4-5' })
    expect(ids(registry).slice(0, 2)).toEqual(['claude-haiku-4-5', 'claude-fable-5-2'])
    expect(new Set(ids(registry)).size).toBe(ids(registry).length)
    expect(registry.resolve('claude-opus-4-5-20251101')?.facts).toMatchObject({
      priced: true,
      price: { input: 5 },
    })
    expect(registry.resolve('claude-haiku-5-5')?.facts.longPrompt?.price.input).toBe(0.5)
    for (const id of ['gpt', 'demo', '', 'claude-sonnet-5-9']) expect(registry.resolve(id)).toBeNull()
  })

  it('are those of MODELS and no others once it is set', () => {
    const registry = modelRegistry({ ...KEY, model: 'b', models: [{ id: 'a' }, { id: 'b', window: 5 }] })
    expect(ids(registry)).toEqual(['b', 'a'])
    expect(registry.resolve('b')?.facts.window).toBe(5)
    expect(registry.resolve('claude-sonnet-5-5')).toBeNull()
    expect(registry.unavailableMessage('gpt')).toContain('Available: b, a.')
  })

  it('are only the demo model without a key', () => {
    const registry = modelRegistry({ ...KEY, apiKey: null, models: [{ id: 'a' }] })
    expect(ids(registry)).toEqual(['demo'])
    expect(registry.defaultModel).toBe('demo')
    expect(registry.resolve('demo')?.facts.price.output).toBe(0)
    expect(registry.resolve('claude-sonnet-5-5')).toBeNull()
  })
})

describe('a model without a price', () => {
  it('is charged at the dearest known one, and marked as estimated', () => {
    const registry = modelRegistry({ ...KEY, model: 'local/llama' })
    expect(registry.resolve('local/llama')?.facts).toEqual({
      id: 'local/llama',
      window: null,
      price: { input: 10, output: 50, cacheWrite: 12.5, cacheRead: 1 },
      priced: false,
      capabilities: { images: false },
      longPrompt: null,
      maxTokensPerSecond: 3_000,
      searchPrice: null,
    })
  })

  it('has no search of its own, even if MODELS has a price for it; a known one has it at that price', () => {
    const models = [
      { id: 'a', searchPrice: 1 },
      { id: 'claude-opus-5', searchPrice: 0.012 },
    ]
    const registry = modelRegistry({ ...KEY, model: 'a', models })
    expect(registry.resolve('a')?.facts.searchPrice).toBeNull()
    expect(registry.resolve('claude-opus-5')?.facts.searchPrice).toBe(0.012)
  })

  it('is charged at least the dearest price in MODELS', () => {
    const price = { input: 80, output: 400, cacheWrite: 100, cacheRead: 8 }
    const registry = modelRegistry({ ...KEY, model: 'a', models: [{ id: 'a' }, { id: 'b', price }] })
    expect(registry.resolve('a')?.facts).toMatchObject({ price, priced: false })
  })

  it('uses its known price if it has one, and a stated 0 is a price', () => {
    const price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
    const models = [{ id: 'claude-haiku-5-5' }, { id: 'local', price }]
    const registry = modelRegistry({ ...KEY, model: 'local', models })
    expect(registry.resolve('claude-haiku-5-5')?.facts).toMatchObject({ priced: true, price: { input: 0.1 } })
    expect(registry.resolve('local')?.facts).toMatchObject({ priced: true, price })
  })
})

describe('the features of a model', () => {
  it('are known for models with known prices, and otherwise as MODELS says', () => {
    const models = [
      { id: 'claude-haiku-4-5' },
      { id: 'claude-haiku-5-5', images: false },
      { id: 'eye', images: true },
      { id: 'a' },
    ]
    const registry = modelRegistry({ ...KEY, models })
    expect(registry.list.map(({ id, capabilities }) => [id, capabilities.images])).toEqual([
      ['claude-haiku-4-5', true],
      ['claude-haiku-5-5', false],
      ['eye', true],
      ['a', false],
    ])
  })
})

describe('a call', () => {
  const resolved = (apiKey: string | null, id: string, script: Script) => {
    const { fetch, recorder } = fakeFetch(script)
    const registry = modelRegistry({ ...KEY, apiKey, baseUrl: 'http://fake.test', fetch })
    const model = registry.resolve(id)
    if (!model) throw new Error(`no model ${id}`)
    return { model, recorder }
  }

  it('goes to the demo model without a key, even when a base URL is set', async () => {
    const { model, recorder } = resolved(null, 'demo', [])
    expect(messageOf((await callOnce(model)).outcome).content[0]?.['text']).toContain('demo model')
    expect(recorder.exchanges).toHaveLength(0)
  })

  it('never falls back to the demo model when a key is set and the API fails', async () => {
    const { model } = resolved('key', KEY.model, [{ status: 500 }])
    expect((await callOnce(model)).outcome).toMatchObject({
      kind: 'fault',
      fault: { reason: 'server_error' },
    })
  })
})
