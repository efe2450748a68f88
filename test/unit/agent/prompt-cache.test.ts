// Guards "money has a limit": any part of a lost call that is charged at the price of cached input is really read from
// the provider's cache. Compared with the cache of the scripted API over random conversations.

import { describe, expect, it } from 'vitest'
import type { ApiMessage, Block, Tokens } from '../../../src/agent/message.ts'
import type { ModelRequest } from '../../../src/agent/model.ts'
import {
  toCachedPrompt,
  sentPrompt,
  certainlyCachedTokens,
  type CachedPrompt,
} from '../../../src/agent/prompt-cache.ts'
import { PROMPT_CACHE_LIFETIME_MS } from '../../../src/agent/limits.ts'
import { requestBody } from '../../../src/model/request.ts'
import { PromptCache } from '../../fakes/messages-cache.ts'
import { seededChance, type Chance } from '../../../scripts/lab/rig/random.ts'

const words = (about: string, times: number): string => `${about} `.repeat(times)
const SYSTEM = words('You are a test with a long prompt.', 200)
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

const ask = (messages: readonly ApiMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'claude-sonnet-5-5',
  system: SYSTEM,
  tools: [],
  maxTokens: 1_024,
  messages,
  ...more,
})

function bill(cache: PromptCache, request: ModelRequest): Tokens {
  const billed = cache.bill(JSON.stringify(requestBody(request)))
  if (typeof billed === 'string') throw new Error(billed)
  return { ...billed, output_tokens: 0 }
}

function blocks(luck: Chance, name: string, most: number): readonly Block[] {
  return Array.from({ length: luck.between(1, most) }, (_, at) => ({
    type: 'text',
    text: words(`${name} ${at}`, luck.between(1, 60)),
  }))
}

/** The calls of one conversation: how much of each is surely cached, and how much the provider reads from its cache. */
function conversation(seed: number): readonly { readonly sure: number; readonly read: number }[] {
  const luck = seededChance(seed)
  const cache = new PromptCache()
  let known: CachedPrompt | null = null
  let messages: readonly ApiMessage[] = []
  return Array.from({ length: 12 }, (_, at) => {
    messages = [...messages, { role: 'user', content: blocks(luck, `${seed} asks ${at}`, 32) }]
    const request = ask(messages)
    const sent = sentPrompt(request, at)
    const sure = certainlyCachedTokens(known, sent, messages)
    const tokens = bill(cache, request)
    // Some calls are never answered; their partial answers stay or do not.
    const heard = luck.yes(0.6)
    if (heard) known = toCachedPrompt(sent, tokens)
    const output = heard || luck.yes(0.5)
    const content = luck.yes(0.1) ? [] : blocks(luck, `${seed} says ${at}`, 8)
    if (output && content.length > 0) messages = [...messages, { role: 'assistant', content }]
    return { sure, read: tokens.cache_read_input_tokens }
  })
}

describe('the certainly cached input', () => {
  it('is always read from the cache, and is most of that', () => {
    const calls = Array.from({ length: 20 }, (_, seed) => conversation(seed)).flat()
    for (const { sure, read } of calls) expect(sure).toBeLessThanOrEqual(read)
    const sum = (of: (call: { readonly sure: number; readonly read: number }) => number): number =>
      calls.reduce((all, call) => all + of(call), 0)
    expect(sum(({ sure }) => sure)).toBeGreaterThan(0.5 * sum(({ read }) => read))
  })

  const first = ask([{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }])
  const tokens = bill(new PromptCache(), first)
  const known = toCachedPrompt(sentPrompt(first, 1_000), tokens)
  const next = ask([
    ...first.messages,
    { role: 'assistant', content: [{ type: 'text', text: 'Well.' }] },
    { role: 'user', content: [{ type: 'text', text: 'On.' }] },
  ])
  const sure = (request: ModelRequest, at = 2_000): number =>
    certainlyCachedTokens(known, sentPrompt(request, at), request.messages)

  it('is all that the previous call wrote, even when the same request is repeated', () => {
    expect(sure(next)).toBe(tokens.cache_creation_input_tokens)
    expect(sure(first)).toBe(tokens.cache_creation_input_tokens)
    expect(tokens.cache_creation_input_tokens).toBeGreaterThan(1_024)
  })

  it('is nothing once the provider may have dropped it, or before any request', () => {
    expect(sure(next, 1_000 + PROMPT_CACHE_LIFETIME_MS)).toBeGreaterThan(0)
    expect(sure(next, 1_001 + PROMPT_CACHE_LIFETIME_MS)).toBe(0)
    expect(sure(next, 999)).toBe(0)
  })

  it.each<[string, Partial<ModelRequest>]>([
    ['model', { model: 'claude-opus-5-5' }],
    ['effort', { effort: 'high' }],
    ['choice of tools', { forbidTools: true }],
    ['number of images', { messages: [...next.messages.slice(0, -1), { role: 'user', content: [IMAGE] }] }],
  ])('is nothing if the request has another %s', (_, other) => {
    expect(sure(ask(next.messages, other))).toBe(0)
  })

  it('is nothing that the API did not report as cached', () => {
    const sent = sentPrompt(first, 1_000)
    expect(toCachedPrompt(sent, { ...tokens, cache_creation_input_tokens: 0 })).toBeNull()
    expect(toCachedPrompt(null, tokens)).toBeNull()
  })
})
