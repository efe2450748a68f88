// Promise 6: what the model said is kept verbatim, however its stream is split into chunks, and sent back byte for
// byte.

import { describe, expect, it } from 'vitest'
import { NO_TOKENS, type Tokens } from '../../../src/agent/message.ts'
import { MODEL_MESSAGE_MAX_BYTES } from '../../../src/model/limits.ts'
import type { WireBlock, WireEvent } from '../../fakes/messages-wire.ts'
import { checkExtends } from '../../fakes/messages-oracle.ts'
import { REQUEST, callOnce, callReply, faultOf, messageOf, scripted } from './helpers.ts'

const CITATION = { type: 'char_location', cited_text: 'x', document_index: 0, start_char_index: 1 }

const RICH: readonly WireBlock[] = [
  { type: 'thinking', thinking: 'Grübeln über 👩‍🚒 and "quotes"\n', signature: 'EqQBCgIYAhIM+/==' },
  { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4a' },
  { type: 'thinking', thinking: '', signature: 'only-a-signature' },
  {
    type: 'text',
    text: 'Zażółć gęślą jaźń, 日本語, 🎒.',
    citations: [CITATION, { ...CITATION, cited_text: 'y' }],
  },
  {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'read_file',
    input: { path: '/mnt/x', deep: { list: [1, 'é', null] } },
  },
  { type: 'tool_use', id: 'toolu_2', name: 'ls', input: {}, caller: { type: 'direct' } },
]

const event = (type: string, fields: object = {}): WireEvent => ({ event: type, data: { type, ...fields } })

describe('stream', () => {
  it.each([1, 2, 3, 7, 64, 4_096])('keeps every block verbatim in chunks of %i bytes', async (chunkBytes) => {
    const { outcome, deltas } = await callReply({ content: RICH, chunkBytes, deltaChars: 3 })
    expect(JSON.stringify(messageOf(outcome).content)).toBe(JSON.stringify(RICH))
    for (const [block, { type, text, thinking }] of RICH.entries()) {
      const shown = deltas.filter((delta) => delta.block === block)
      expect(shown.map((delta) => delta.text).join('')).toBe(text ?? thinking ?? '')
      expect(shown.every((delta) => delta.type === type)).toBe(true)
    }
  })

  it('sends thinking, signatures and redacted thinking back byte for byte', async () => {
    const { model, exchanges } = scripted([{ content: RICH }, { content: [{ type: 'text', text: 'Done.' }] }])
    const first = messageOf((await callOnce(model)).outcome)
    const results = ['toolu_1', 'toolu_2'].map((id) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'ok',
    }))
    const messages = [
      ...REQUEST.messages,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: results },
    ]
    await callOnce(model, { ...REQUEST, messages })
    expect(exchanges[1]?.raw).toContain(JSON.stringify(RICH))
    checkExtends(exchanges)
  })

  it('ignores unknown events, blocks and deltas, and keeps unknown blocks unchanged', async () => {
    const novel = { type: 'hologram', depth: { z: 1 }, text: 'kept' }
    const { outcome, deltas } = await callReply({
      content: [novel, { type: 'text', text: 'Hi' }],
      insert: [
        { at: 1, event: 'weather_update', data: 'not json at all' },
        { at: 3, ...event('content_block_delta', { index: 0, delta: { type: 'glow_delta', glow: 9 } }) },
      ],
    })
    expect(messageOf(outcome).content).toEqual([novel, { type: 'text', text: 'Hi' }])
    expect(deltas).toEqual([{ type: 'text', block: 1, text: 'Hi' }])
  })

  it('reads empty tool input as an empty object and joins fragments before it parses them', async () => {
    const tools = [
      { type: 'tool_use', id: 'a', name: 'ls', input: {} },
      { type: 'tool_use', id: 'b', name: 'ls', input: { path: '/"\\\n🎒' } },
    ]
    const { outcome } = await callReply({ content: tools, deltaChars: 1 })
    expect(messageOf(outcome).content).toEqual(tools)
    expect(messageOf(outcome).stop).toBe('tool_use')
  })

  it('returns an empty end_turn as a message without content', async () => {
    const { outcome } = await callReply({ content: [] })
    expect(messageOf(outcome)).toMatchObject({ content: [], stop: 'end_turn', stopDetail: null })
  })

  it('reads a number that JSON cannot represent as it will be stored', async () => {
    const { outcome } = await callReply({
      content: [{ type: 'tool_use', id: 'a', name: 'pay', input: { amount: 1, text: '1e400' } }],
      deltaChars: 100,
      rewrite: (events) =>
        events.map((event) => JSON.parse(JSON.stringify(event).replace('amount\\":1', 'amount\\":-1e400'))),
    })
    expect(messageOf(outcome).content).toMatchObject([{ input: { amount: null, text: '1e400' } }])
  })

  it('never runs a partial tool input cut by max_tokens, and does not fail the call', async () => {
    const { outcome } = await callReply({
      content: [
        { type: 'tool_use', id: 'a', name: 'write_file', input: { path: '/x', content: 'long text' } },
      ],
      stop: 'max_tokens',
      rewrite: (events) =>
        events.filter(({ data }, at) => !JSON.stringify(data).includes('input_json') || at < 5),
    })
    expect(messageOf(outcome)).toMatchObject({ stop: 'max_tokens', content: [{ id: 'a', input: {} }] })
  })

  it.each(['pause_turn', 'model_context_window_exceeded', 'something_new'])(
    'returns stop reason %s',
    async (stop) => {
      const { outcome } = await callReply({ content: [{ type: 'text', text: 'So far' }], stop })
      expect(messageOf(outcome).stop).toBe(stop)
    },
  )

  it('returns the category of a refusal', async () => {
    const stopDetails = { type: 'refusal', category: 'cyber', explanation: null }
    const refused = await callReply({ content: [{ type: 'text', text: 'I' }], stop: 'refusal', stopDetails })
    expect(messageOf(refused.outcome)).toMatchObject({ stop: 'refusal', stopDetail: 'cyber' })
  })

  it('takes the last totals of usage, not their sum', async () => {
    const { outcome } = await callReply({
      content: [],
      usage: {
        start: { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 1_000_000 },
        last: { output_tokens: 50, input_tokens: 200, cache_creation_input_tokens: null },
      },
    })
    expect(messageOf(outcome).usage).toEqual({
      input_tokens: 200,
      output_tokens: 50,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 1_000_000,
    })
  })

  it.each([
    [
      'once, before any text',
      { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 },
      ['prompt', 'text'],
    ],
    ['not if it is not a number of tokens', { input_tokens: -9, output_tokens: 1 }, []],
    ['not if it is invalid', { input_tokens: 0, output_tokens: 1 }, ['text']],
    ['not if it is missing', null, ['text']],
  ])('reports the billed prompt: %s', async (_, start, heard) => {
    const { model } = scripted([{ content: [{ type: 'text', text: 'Hi.' }], usage: { start } }])
    const order: string[] = []
    const output: Tokens[] = []
    const onPrompt = (tokens: Tokens): void => {
      order.push('prompt')
      output.push(tokens)
    }
    await model.call(REQUEST, () => void order.push('text'), new AbortController().signal, onPrompt)
    expect(order).toEqual(heard)
    for (const tokens of output) expect(tokens).toEqual({ ...NO_TOKENS, ...start, output_tokens: 0 })
  })

  it.each([
    ['missing', { start: null, last: null }],
    ['half there', { start: { input_tokens: 12 }, last: null }],
    ['nothing', { start: { input_tokens: 0, output_tokens: 0 }, last: { output_tokens: 0 } }],
  ])('reports no usage when it is %s', async (_, usage) => {
    const { outcome } = await callReply({ content: [], usage })
    expect(messageOf(outcome).usage).toBeNull()
  })

  it('stops a message that exceeds its limit, and does not request it again', async () => {
    const text = 'x'.repeat(MODEL_MESSAGE_MAX_BYTES / 4)
    const content = Array.from({ length: 5 }, () => ({ type: 'text', text }))
    const { outcome } = await callReply({ content, deltaChars: text.length })
    expect(faultOf(outcome)).toMatchObject({ reason: 'bad_response', retry: 'never' })
  })

  it('reads 20,000 deltas without losing one', async () => {
    const text = 'word '.repeat(20_000)
    const { outcome, deltas } = await callReply({ content: [{ type: 'text', text }], deltaChars: 5 })
    expect(messageOf(outcome).content).toEqual([{ type: 'text', text }])
    expect(deltas).toHaveLength(20_000)
  })
})
