// Guards stored model output: endlessly nested JSON anywhere in an answer, and a message with too many blocks, make the
// answer invalid.

import { describe, expect, it } from 'vitest'
import { NO_TOKENS } from '../../../src/agent/message.ts'
import { MODEL_JSON_MAX_DEPTH } from '../../../src/limits/model.ts'
import { MODEL_CALL_NAME_MAX_CHARS, MODEL_MESSAGE_MAX_BLOCKS } from '../../../src/model/limits.ts'
import { MessageBuilder } from '../../../src/model/accumulate.ts'
import type { Reply, WireBlock, WireEvent } from '../../fakes/messages-wire.ts'
import { HANG_GUARD } from '../hang-guard.ts'
import { callReply, faultOf, messageOf } from './helpers.ts'

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const TEXT = { type: 'text', text: 'Hi' }

/** Events that `JSON.stringify` could not produce: `"DEEP"` is replaced by the nested value. */
function nested(
  levels: number,
  at: (event: WireEvent) => WireEvent,
): Partial<Extract<Reply, { content: unknown }>> {
  return {
    rewrite: (events) =>
      events.map((event) => {
        const data = JSON.stringify(at(event).data).replaceAll('"DEEP"', deep(levels))
        return { ...event, data }
      }),
  }
}

/** Adds fields to the data of events of one type. */
const into =
  (type: string, fields: object) =>
  ({ event, data }: WireEvent): WireEvent =>
    event === type ? { event, data: { ...(data as object), ...fields } } : { event, data } // the cast is safe: events are objects

const block = (content_block: object): ReturnType<typeof into> =>
  into('content_block_start', { content_block })
const delta = (fields: object): ReturnType<typeof into> => into('content_block_delta', { delta: fields })

describe('deeply nested JSON', () => {
  const depths: Record<string, ReturnType<typeof into>> = {
    'the input of a call as it is opened': block({ type: 'tool_use', id: 't', name: 'ls', input: 'DEEP' }),
    'a block of unknown type': block({ type: 'hologram', light: 'DEEP' }),
    'a field beside the text': block({ type: 'text', text: '', extra: 'DEEP' }),
    'a citation': delta({ type: 'citations_delta', citation: 'DEEP' }),
    'a delta of unknown type': delta({ type: 'glow_delta', glow: 'DEEP' }),
    'the message': into('message_start', { message: { usage: { input_tokens: 1, deep: 'DEEP' } } }),
    'the end of the message': into('message_delta', { delta: { stop_reason: 'end_turn' }, usage: 'DEEP' }),
  }
  for (const [what, at] of Object.entries(depths))
    it.each([100, 4_000, 300_000])(`makes the answer invalid, in ${what}: %i levels`, async (levels) => {
      const { outcome } = await callReply({ content: [TEXT], ...nested(levels, at) })
      expect(faultOf(outcome)).toMatchObject({ reason: 'bad_response', retry: 'once' })
      expect(faultOf(outcome).detail).toContain(`${MODEL_JSON_MAX_DEPTH} levels`)
    })

  it.each([MODEL_JSON_MAX_DEPTH, 4_000, 2_000_000])(
    'makes the answer invalid, in the fragments of a call: %i levels',
    async (levels) => {
      const json = `{"a":${deep(levels)}}`
      const half = json.length / 2
      const parts = [json.slice(0, half), json.slice(half)]
      const { outcome } = await callReply({
        content: [{ type: 'tool_use', id: 't', name: 'ls', input: {} }],
        rewrite: (events) =>
          events.flatMap((event) =>
            event.event === 'content_block_delta'
              ? parts.map((partial_json) => delta({ type: 'input_json_delta', partial_json })(event))
              : [event],
          ),
      })
      expect(faultOf(outcome)).toMatchObject({ reason: 'bad_response', retry: 'once' })
      expect(faultOf(outcome).detail).toContain(`input for ls that is not a JSON object, or nests deeper`)
    },
  )

  it('is kept verbatim up to the limit', async () => {
    const input = { a: JSON.parse(deep(MODEL_JSON_MAX_DEPTH - 1)) as unknown }
    const content = [{ type: 'tool_use', id: 't', name: 'ls', input }]
    expect(messageOf((await callReply({ content })).outcome).content).toEqual(content)
  })

  it('in an error of the stream does not change the fault', async () => {
    const error = {
      event: 'error',
      data: `{"type":"error","error":{"type":"overloaded_error","x":${deep(9_000)}}}`,
    }
    const { outcome } = await callReply({ content: [TEXT], insert: [{ at: 3, ...error }] })
    expect(faultOf(outcome)).toMatchObject({ retry: 'later' })
  })
})

it('a message of very many blocks is invalid, and not retried', async () => {
  const content = (count: number): Reply => ({
    content: Array.from({ length: count }, (_, at) => ({
      type: 'tool_use',
      id: `t${at}`,
      name: 'ls',
      input: {},
    })),
  })
  const most = await callReply(content(MODEL_MESSAGE_MAX_BLOCKS))
  expect(messageOf(most.outcome).content).toHaveLength(MODEL_MESSAGE_MAX_BLOCKS)
  const more = await callReply(content(MODEL_MESSAGE_MAX_BLOCKS + 1))
  expect(faultOf(more.outcome)).toMatchObject({ reason: 'bad_response', retry: 'never' })
})

it('an endless stop reason is truncated', async () => {
  const { outcome } = await callReply({ content: [TEXT], stop: 'tired '.repeat(100_000) })
  expect(messageOf(outcome).stop.length).toBeLessThanOrEqual(100)
})

describe('the name and the ID of a call', () => {
  const call = (id: string, name: string): object => ({ type: 'tool_use', id, name, input: {} })
  const most = 'x'.repeat(MODEL_CALL_NAME_MAX_CHARS)

  it.each([
    ['the name', call('t', `${most}x`)],
    ['the ID', call(`${most}x`, 'ls')],
    ['a name of half a million characters', call('t', 'x'.repeat(500_000))],
  ])('make the answer invalid if they are malformed: %s', async (_, block) => {
    const { outcome } = await callReply({ content: [TEXT, block as WireBlock] }) // the cast is safe: the block was created above
    expect(faultOf(outcome)).toMatchObject({ reason: 'bad_response', retry: 'once' })
    expect(faultOf(outcome).detail).toContain(`longer than ${MODEL_CALL_NAME_MAX_CHARS} characters`)
  })

  it('are kept up to the limit', async () => {
    const content = [call(most, most) as WireBlock] // the cast is safe: the block was created above
    expect(messageOf((await callReply({ content })).outcome).content).toEqual(content)
  })
})

describe('the reported usage', () => {
  it('is kept as four counts, however many others each event names', HANG_GUARD, () => {
    const builder = new MessageBuilder('', [])
    builder.process('message_start', '{"message":{"usage":{"input_tokens":9}}}')
    let faults = 0
    for (let at = 0; at < 60_000; at++)
      if (builder.process('message_delta', `{"usage":{"k${at}":${at},"output_tokens":${at}}}`) !== null)
        faults += 1
    expect(faults).toBe(0)
    expect(builder.usage()).toEqual({ ...NO_TOKENS, input_tokens: 9, output_tokens: 59_999 })
  })
})
