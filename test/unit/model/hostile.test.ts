// Guards the first promise of the Model port: `call` never throws and never takes a broken stream for an answer,
// whatever is sent.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WireEvent } from '../../fakes/messages-wire.ts'
import { REQUEST, callOnce, callReply, faultOf, scripted } from './helpers.ts'

const BLOCKS = [
  { type: 'text', text: 'Some words' },
  { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '/' } },
]

const types = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
]
const event: fc.Arbitrary<WireEvent> = fc.record({
  event: fc.constantFrom(...types, 'error', 'ping', 'unheard_of'),
  data: fc.oneof(
    fc.json().map((text) => text.replace(/\n/g, ' ')),
    fc
      .record({ index: fc.nat(2), content_block: fc.anything(), delta: fc.anything() })
      .map((data) => safe(data)),
  ),
})

/** Leaves out values that JSON cannot represent. */
function safe(value: unknown): unknown {
  try {
    return JSON.parse(
      JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? 0 : item)) ?? 'null',
    )
  } catch {
    return null
  }
}

it('returns a fault for every stream of noise without message_stop', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
      const { outcome } = await callReply({ content: [], rewrite: () => events })
      expect(faultOf(outcome).detail).not.toBe('')
    }),
    { numRuns: 300 },
  )
})

it('returns an outcome for every stream with events lost, repeated or moved, and never throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(30), { maxLength: 30 }), async (order) => {
      const rewrite = (events: readonly WireEvent[]): readonly WireEvent[] =>
        order.flatMap((at) => events[at % events.length] ?? [])
      const { outcome } = await callReply({ content: BLOCKS, deltaChars: 4, rewrite })
      // Only a stream that contained a whole message may count as one.
      if (outcome.kind !== 'message') return
      expect(outcome.stop).toBe('tool_use')
      for (const block of outcome.content) expect(['text', 'tool_use']).toContain(block.type)
    }),
    { numRuns: 500 },
  )
})

it('returns a fault for every error body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 400, max: 599 }), fc.jsonValue(), async (status, error) => {
      const { model } = scripted([
        { status, body: JSON.stringify({ type: 'error', error }) },
        { status, body: JSON.stringify(error) },
        { status, body: { error: { message: error, type: error, details: { error_code: error } } } },
      ])
      for (let at = 0; at < 3; at++)
        expect(faultOf((await callOnce(model, REQUEST)).outcome).reason).toMatch(/^[a-z_]+$/)
    }),
    { numRuns: 200 },
  )
})
