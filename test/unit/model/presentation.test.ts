// Guards what people read about a model: its name, and which efforts can be chosen.

import { describe, expect, it } from 'vitest'

import { KNOWN_MODELS } from '../../../src/model/prices.ts'
import { acceptedEfforts, modelName } from '../../../src/model/presentation.ts'

describe('a model', () => {
  it.each([
    ['claude-opus-5-5', 'Claude Opus 5.5'],
    ['claude-fable-5', 'Claude Fable 5'],
    ['claude-opus-4-5-20251101', 'Claude Opus 4.5 (20251101)'],
    ['claude-opus-4-5@20251101', 'Claude Opus 4.5 (20251101)'],
    ['claude-sonnet-6-latest', 'Claude Sonnet 6 (latest)'],
    ['demo', 'Demo model'],
    ['claude-opus-5-5-turbo', 'claude-opus-5-5-turbo'],
    ['local/llama', 'local/llama'],
  ])('%s is named %s', (id, name) => {
    expect(modelName(id)).toBe(name)
  })

  it('has its own name if it is known', () => {
    const names = KNOWN_MODELS.map(({ id }) => modelName(id))
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^Claude [A-Z]/)
  })

  it('accepts the efforts that its API supported at its release', () => {
    const efforts = (id: string): string => acceptedEfforts(id).join(' ')
    for (const id of ['demo', 'claude-haiku-4-5', 'claude-sonnet-4-5-20250929']) expect(efforts(id)).toBe('')
    expect(efforts('claude-opus-4-5@20251101')).toBe('low medium high')
    expect(efforts('claude-sonnet-4-6')).toBe('low medium high max')
    for (const id of ['claude-opus-4-7', 'claude-haiku-5-5', 'claude-opus-4-50', 'local/llama'])
      expect(efforts(id)).toBe('low medium high xhigh max')
  })
})
