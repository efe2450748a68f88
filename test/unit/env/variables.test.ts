// Promise: an invalid variable is named before anything starts, and its value is not shown.

import { describe, expect, it, test } from 'vitest'
import { Variables, variableFaults } from '../../../src/env/variables.ts'

test.each([
  [{}, []],
  [{ ADMIN_KEY: '', ANTHROPIC_BASE_URL: '', MODEL: '', MODELS: '' }, []],
  [{ ADMIN_KEY: 'a'.repeat(24), ANTHROPIC_BASE_URL: 'http://127.0.0.1:8000/v1', MODEL: 'm' }, []],
  [{ ADMIN_KEY: 'tooshort' }, ['ADMIN_KEY: must have at least 24 characters']],
  [{ ID_SECRET: '', ID_SECRET_PREVIOUS: '', RUNS_PER_KEY: '', QUEUED_PER_KEY: '5' }, []],
  [{ ID_SECRET: 'i'.repeat(32), ID_SECRET_PREVIOUS: 'i'.repeat(32) }, []],
  [{ ID_SECRET: 'tooshort' }, ['ID_SECRET: must have at least 32 characters']],
  [{ ENCRYPTION_KEY: 'e'.repeat(32), ENCRYPTION_KEY_PREVIOUS: '', SECRETS_IN_URL: 'on' }, []],
  [{ ENCRYPTION_KEY: 'tooshort' }, ['ENCRYPTION_KEY: must have at least 32 characters']],
  [{ RUNS_PER_KEY: 'many' }, ['RUNS_PER_KEY: must be a whole number from 1 to 100000']],
  [{ RUNS_PER_KEY: '0' }, ['RUNS_PER_KEY: must be a whole number from 1 to 100000']],
  [{ QUEUED_PER_KEY: '1.5' }, ['QUEUED_PER_KEY: must be a whole number from 1 to 100000']],
  [{ ADMIN_KEY: `${'a'.repeat(24)}\n` }, ['ADMIN_KEY: must be ASCII text that is valid in a header']],
  [{ REVOKED_KEYS_DAYS: '30' }, []],
  [{ REVOKED_KEYS_DAYS: '' }, []],
  [{ REVOKED_KEYS_DAYS: '0' }, ['REVOKED_KEYS_DAYS: must be at least 1 day']],
  [{ REVOKED_KEYS_DAYS: 'some' }, ['REVOKED_KEYS_DAYS: must be a whole number of days']],
  [{ EVENTS_RETENTION_DAYS: '30' }, []],
  [{ EVENTS_RETENTION_DAYS: '' }, []],
  [{ EVENTS_RETENTION_DAYS: '0' }, ['EVENTS_RETENTION_DAYS: must be at least 1 day']],
  [{ EVENTS_RETENTION_DAYS: 'a month' }, ['EVENTS_RETENTION_DAYS: must be a whole number of days']],
  [{ ANTHROPIC_BASE_URL: 'localhost:8000' }, ['ANTHROPIC_BASE_URL: must be an http or https address']],
])('%j', (variables, faults) => {
  expect(variableFaults(variables)).toEqual(faults)
})

describe('MODELS', () => {
  const faults = (models: unknown, more: object = {}): readonly string[] =>
    variableFaults({ MODELS: typeof models === 'string' ? models : JSON.stringify(models), ...more })

  it.each<[string, unknown, string]>([
    ['not JSON', 'claude-sonnet-5-5', 'MODELS: is not valid JSON; write it like'],
    ['deeply nested JSON', '['.repeat(9_000), 'MODELS: is not valid JSON; write it like'],
    ['not a list', {}, 'MODELS: '],
    ['an empty list', [], 'MODELS: '],
    ['an entry without an ID', [{ id: 'a' }, { window: 5 }], 'MODELS[1].id: '],
    ['the same model twice', [{ id: 'a' }, { id: 'a' }], 'MODELS[1].id: a is listed twice'],
    ['a negative price', [{ id: 'a', price: { input: -1, output: 1 } }], 'MODELS[0].price.input: '],
    ['half a price', [{ id: 'a', price: { input: 1 } }], 'MODELS[0].price.output: '],
    ['a price as text', [{ id: 'a', price: { input: '1', output: 1 } }], 'MODELS[0].price.input: '],
    ['a window of half a token', [{ id: 'a', window: 0.5 }], 'MODELS[0].window: '],
    ['an unknown field', [{ id: 'a', prices: 1 }], 'MODELS[0]: '],
  ])('that is %s is refused by its position', (_, models, path) => {
    expect(faults(models)).toEqual([expect.stringContaining(path)])
  })

  it('must list MODEL, and its first one is the default', () => {
    expect(faults([{ id: 'a' }, { id: 'b' }], { MODEL: 'c' })).toEqual([
      'MODEL: is not one of MODELS (a, b); add it there, or unset MODEL to use the first of them',
    ])
    expect(Variables.parse({ MODELS: '[{"id":"a"},{"id":"b"}]' }).MODEL).toBe('a')
    expect(Variables.parse({ MODELS: '[{"id":"a"},{"id":"b"}]', MODEL: 'b' }).MODEL).toBe('b')
    expect(Variables.parse({}).MODEL).toBe('claude-sonnet-5-5')
  })

  it('takes search prices in dollars per 1,000 searches', () => {
    const models = '[{"id":"claude-opus-5","search_price":12},{"id":"other"}]'
    const { MODELS, SEARCH_PRICE } = Variables.parse({ MODELS: models, SEARCH_PRICE: '7.5' })
    expect(MODELS).toEqual([{ id: 'claude-opus-5', searchPrice: 0.012 }, { id: 'other' }])
    expect(SEARCH_PRICE).toBe(7.5)
    for (const wrong of ['-1', 'much', '1001'])
      expect(variableFaults({ SEARCH_PRICE: wrong })).toEqual([
        expect.stringContaining('SEARCH_PRICE: must be a price in US'),
      ])
  })

  it('assumes that omitted prices are at least that of input', () => {
    const { MODELS } = Variables.parse({ MODELS: '[{"id":"a","price":{"input":4,"output":20}}]' })
    expect(MODELS?.[0]?.price).toEqual({ input: 4, output: 20, cacheWrite: 5, cacheRead: 4 })
  })
})
