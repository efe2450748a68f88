// Promise 6: the requests of a thread only extend one another, byte for byte, and the oracle that checks this detects
// violations.

import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/agent/model.ts'
import { requestBody } from '../../../src/model/request.ts'
import { byThread, checkExtends, prefixProblems } from '../../fakes/messages-oracle.ts'
import type { Exchange } from '../../fakes/messages-wire.ts'
import { API_KEY, REQUEST, callReply } from './helpers.ts'

const body = (more: Partial<ModelRequest> = {}): Record<string, unknown> => ({
  ...requestBody({ ...REQUEST, ...more }),
})

describe('request', () => {
  it('is the documented body, in a fixed order', async () => {
    const { exchanges } = await callReply({ content: [] }, { ...REQUEST, effort: 'high', forbidTools: true })
    expect(exchanges[0]?.raw).toBe(
      JSON.stringify({
        model: 'claude-sonnet-5-5',
        system: [{ type: 'text', text: 'You are a test.', cache_control: { type: 'ephemeral' } }],
        tools: REQUEST.tools,
        messages: REQUEST.messages,
        max_tokens: 1_024,
        cache_control: { type: 'ephemeral' },
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'high' },
        tool_choice: { type: 'none' },
        stream: true,
      }),
    )
  })

  it('carries the key in a header and nowhere else', async () => {
    const { exchanges } = await callReply({ content: [] })
    expect(exchanges[0]?.headers['authorization'] ?? exchanges[0]?.headers['x-api-key']).toContain(API_KEY)
    expect(exchanges[0]?.raw).not.toContain(API_KEY)
    expect(exchanges[0]?.path).toBe('/v1/messages')
  })

  it('has the same bytes up to the end of its messages whatever else differs', () => {
    const plain = JSON.stringify(body())
    const other = JSON.stringify(body({ maxTokens: 5, effort: 'low', forbidTools: true }))
    const prefix = plain.slice(0, plain.indexOf('],"max_tokens"'))
    expect(prefix.length).toBeGreaterThan(100)
    expect(other.startsWith(prefix)).toBe(true)
  })

  it('omits messages without content and keeps all others unchanged', () => {
    const empty = { role: 'assistant' as const, content: [] }
    const next = { role: 'user' as const, content: [{ type: 'text', text: 'Still there?' }] }
    expect(body({ messages: [...REQUEST.messages, empty, next] })['messages']).toEqual([
      ...REQUEST.messages,
      next,
    ])
  })

  it('omits an empty system prompt, an empty tool list and the choice between no tools', () => {
    const bare = body({ system: '', tools: [], forbidTools: true })
    expect(Object.keys(bare)).toEqual([
      'model',
      'messages',
      'max_tokens',
      'cache_control',
      'thinking',
      'stream',
    ])
  })

  it.each([
    ['claude-opus-5', true],
    ['claude-opus-5-5', true],
    ['claude-sonnet-5-5-20261020', true],
    ['claude-sonnet-6', true],
    ['claude-haiku-5-5', true],
    ['claude-fable-5-2', true],
    ['claude-mythos-5', true],
    ['claude-haiku-4-5', false],
    ['claude-sonnet-4-5', false],
    ['claude-opus-4-6', false],
    ['some-local-model', false],
  ])('asks %s to think: %s', (model, thinks) => {
    expect('thinking' in body({ model })).toBe(thinks)
  })
})

describe('oracle', () => {
  const user = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
  const output = [{ type: 'tool_use', id: 't1', name: 'ls', input: {} }]
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'x' }
  const ask = (messages: readonly unknown[], more: object = {}): string =>
    JSON.stringify({ model: 'm', system: 's', tools: [], messages, ...more })
  const exchange = (
    raw: string,
    returned: Exchange['returned'] = null,
    stop: string | null = null,
  ): Exchange => ({
    raw,
    headers: {},
    path: '/v1/messages',
    returned,
    stop,
    prompt: null,
  })
  const first = exchange(ask([user]), output, 'tool_use')
  const second = (messages: readonly unknown[], more: object = {}): readonly Exchange[] => [
    first,
    exchange(ask(messages, more)),
  ]
  const assistant = { role: 'assistant', content: output }
  const results = { role: 'user', content: [result] }

  it('accepts a request that extends the one before', () => {
    expect(() => checkExtends(second([user, assistant, results]))).not.toThrow()
  })

  it.each<[string, readonly unknown[], object]>([
    ['another system prompt', [user, assistant, results], { system: 'S' }],
    ['another tool list', [user, assistant, results], { tools: [{ name: 'new' }] }],
    ['another model', [user, assistant, results], { model: 'n' }],
    ['an edited message', [{ ...user, content: 'Hi' }, assistant, results], {}],
    ['an edited block', [user, { ...assistant, content: [{ ...output[0], input: { a: 1 } }] }, results], {}],
    ['reordered fields', [user, { ...assistant, content: [{ name: 'ls', ...output[0] }] }, results], {}],
    ['a lost answer', [user, { role: 'user', content: 'Go on' }], {}],
    ['a call without a result', [user, assistant, user], {}],
    ['a result given twice', [user, assistant, { role: 'user', content: [result, result] }], {}],
    ['text before a result', [user, assistant, { role: 'user', content: [user.content[0], result] }], {}],
    ['a call that is last', [user, assistant], {}],
    ['an empty message', [user, assistant, results, { role: 'assistant', content: [] }], {}],
  ])('finds %s', (_, messages, more) => {
    expect(() => checkExtends(second(messages, more))).toThrow('request 1')
  })

  it('allows a failed call to be retried, and a refused answer to be dropped', () => {
    expect(prefixProblems([exchange(ask([user])), exchange(ask([user]))])).toEqual([])
    const refused = exchange(ask([user]), [{ type: 'text', text: 'No' }], 'refusal')
    expect(prefixProblems([refused, exchange(ask([user, user]))])).toEqual([])
  })

  it('distinguishes threads by their first message', () => {
    const other = exchange(ask([{ role: 'user', content: 'Another' }]))
    expect(
      byThread([first, other, exchange(ask([user, assistant, results]))]).map((list) => list.length),
    ).toEqual([2, 1])
  })
})
