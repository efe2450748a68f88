// Guards the outcome of each model fault: retried, retried once, or given up with a reason; never thrown, never taken
// for an answer, and never with the key in it.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { MODEL_SILENCE_MAX_MS } from '../../../src/model/limits.ts'
import { anthropicModel } from '../../../src/model/anthropic.ts'
import type { Reply, WireEvent } from '../../fakes/messages-wire.ts'
import { API_KEY, REQUEST, callOnce, callReply, faultOf, messageOf, scripted } from './helpers.ts'

const TEXT = [{ type: 'text', text: 'Hello there, this is an answer.' }]
const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '/' } }

const drop =
  (name: string) =>
  (events: readonly WireEvent[]): readonly WireEvent[] =>
    events.filter(({ event }) => event !== name)

afterEach(() => {
  vi.useRealTimers()
})

describe('faults before the stream', () => {
  it.each([
    [529, 'overloaded_error', 'later', 'overloaded'],
    [503, 'api_error', 'later', 'overloaded'],
    [500, 'api_error', 'later', 'server_error'],
    [502, 'api_error', 'later', 'server_error'],
    [429, 'rate_limit_error', 'later', 'rate_limited'],
    [408, 'timeout_error', 'once', 'timeout'],
    [504, 'timeout_error', 'once', 'timeout'],
    [409, 'conflict_error', 'once', 'server_error'],
    [401, 'authentication_error', 'never', 'auth'],
    [403, 'permission_error', 'never', 'auth'],
    [402, 'billing_error', 'never', 'billing'],
    [404, 'not_found_error', 'never', 'not_found'],
    [413, 'request_too_large', 'never', 'too_large'],
    [422, 'invalid_request_error', 'never', 'invalid_request'],
  ])('%i %s is retried %s as %s, after one request', async (status, type, retry, reason) => {
    const { outcome, exchanges } = await callReply({ status, type, message: 'Sorry' })
    expect(faultOf(outcome)).toMatchObject({ retry, reason })
    expect(faultOf(outcome).detail).toContain(`${status} ${type}: Sorry (request req_fake_0)`)
    expect(exchanges).toHaveLength(1)
  })

  it.each([
    ['prompt is too long: 1000014 tokens > 1000000 maximum', 'too_large'],
    ['input length and `max_tokens` exceed context limit: 199999 + 16000 > 200000', 'too_large'],
    ['messages.3.content.0: Invalid `signature` in `thinking` block', 'history_rejected'],
    ['messages.1: prefix_mismatch: the prefix of this thinking block changed', 'history_rejected'],
    [
      'messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified',
      'history_rejected',
    ],
    [
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after',
      'history_rejected',
    ],
    ['Your credit balance is too low to access the API', 'billing'],
    ['tools.0.input_schema: JSON schema is invalid', 'invalid_request'],
    ['thinking.type: adaptive is not supported on this model', 'invalid_request'],
  ])('400 "%s" is never retried and means %s', async (message, reason) => {
    const { outcome } = await callReply({ status: 400, type: 'invalid_request_error', message })
    expect(faultOf(outcome)).toMatchObject({ retry: 'never', reason })
  })

  it('a spend limit is not waited out', async () => {
    const details = { error_code: 'enforced_spend_limit_reached' }
    const body = { type: 'error', error: { type: 'rate_limit_error', message: 'Limit reached', details } }
    const { outcome } = await callReply({ status: 429, body })
    expect(faultOf(outcome)).toMatchObject({ retry: 'never', reason: 'billing' })
  })

  it.each([
    ['30', 30_000],
    ['3600', 3_600_000],
    ['0.5', 500],
    ['Fri, 01 Jan 2027 00:01:00 GMT', null],
    ['soon', null],
    ['-5', null],
    ['0', null],
    ['1e99', null],
    ['', null],
  ])('reads retry-after: %s as %s ms', async (value, wait) => {
    const { outcome } = await callReply({ status: 429, headers: { 'retry-after': value } })
    expect(faultOf(outcome).retryAfterMs).toBe(wait)
  })

  it.each([
    ['Fri, 01 Jan 2027 00:01:30 GMT', 90_000],
    ['Thu, 31 Dec 2026 23:00:00 GMT', null],
    ['1 Jan 2028', null],
  ])('reads retry-after as a date, %s, by the clock of the answer as %s ms', async (value, wait) => {
    const headers = { 'retry-after': value, date: 'Fri, 01 Jan 2027 00:00:00 GMT' }
    const { outcome } = await callReply({ status: 429, headers })
    expect(faultOf(outcome).retryAfterMs).toBe(wait)
  })

  it('reads the page of a proxy as a server error and shows none of it', async () => {
    const body = '<html><body>Bad gateway</body></html>'
    const { outcome } = await callReply({ status: 502, body, headers: { 'content-type': 'text/html' } })
    expect(faultOf(outcome)).toMatchObject({ retry: 'later', reason: 'server_error' })
    expect(faultOf(outcome).detail).toBe(
      'The Messages API responded with 502: no readable message (request req_fake_0).',
    )
  })

  it('says that the API cannot be reached, and why', async () => {
    const { outcome } = await callReply({ refuse: 'connection' })
    expect(faultOf(outcome)).toMatchObject({ retry: 'later', reason: 'connection' })
    expect(faultOf(outcome).detail).toContain('ECONNREFUSED')
  })

  it.each(['text/html', 'application/json'])('does not take a 200 of %s for an answer', async (type) => {
    const { outcome } = await callReply({ status: 200, body: '{}', headers: { 'content-type': type } })
    expect(faultOf(outcome)).toMatchObject({ retry: 'once', reason: 'bad_response' })
    expect(faultOf(outcome).detail).toContain('ANTHROPIC_BASE_URL')
  })

  it('shows no key, whatever the API returns', async () => {
    const message = `invalid x-api-key ${API_KEY} (authorization: Bearer ${API_KEY})`
    const { outcome } = await callReply({ status: 401, type: 'authentication_error', message })
    expect(JSON.stringify(outcome)).not.toContain('verysecret')
    expect(faultOf(outcome).detail).toContain('ANTHROPIC_API_KEY')
  })

  it('reports a key that is invalid in a header as a fault without the key', async () => {
    const model = anthropicModel({ apiKey: 'broken\nkey-in-two-lines', baseUrl: 'http://fake.test' })
    const { outcome } = await callOnce(model)
    expect(faultOf(outcome)).toMatchObject({ retry: 'never', reason: 'invalid_request' })
    expect(faultOf(outcome).detail).not.toContain('key-in-two')
  })
})

describe('faults in the stream', () => {
  it.each([
    ['overloaded_error', 'later', 'overloaded'],
    ['rate_limit_error', 'later', 'rate_limited'],
    ['api_error', 'later', 'server_error'],
    ['timeout_error', 'once', 'timeout'],
    ['invalid_request_error', 'never', 'invalid_request'],
    ['brand_new_error', 'later', 'server_error'],
  ])('an error event of type %s is retried %s as %s', async (type, retry, reason) => {
    const error = { event: 'error', data: { type: 'error', error: { type, message: 'Broke' } } }
    const { outcome, deltas } = await callReply({ content: TEXT, insert: [{ at: 5, ...error }] })
    expect(faultOf(outcome)).toMatchObject({ retry, reason })
    expect(faultOf(outcome).detail).toContain(`${type}: Broke (request req_fake_0)`)
    expect(deltas.length).toBeGreaterThan(0)
  })

  it.each([
    [0, true],
    [0, false],
    [4, true],
    [4, false],
    [8, true],
    [8, false],
  ])('a stream cut after %i events is no answer (cleanly: %s)', async (cutAfter, cleanly) => {
    const { outcome } = await callReply({ content: TEXT, cutAfter, cleanly })
    expect(faultOf(outcome)).toMatchObject({ retry: 'later', reason: 'cut' })
  })

  it.each<[string, Reply]>([
    ['no stop reason', { content: TEXT, rewrite: drop('message_delta') }],
    ['a block left open', { content: TEXT, rewrite: drop('content_block_stop') }],
    ['a delta for no block', { content: TEXT, rewrite: drop('content_block_start') }],
    ['two messages in one', { content: TEXT, rewrite: (events) => [...events.slice(0, 1), ...events] }],
    [
      'an event that is not JSON',
      { content: TEXT, insert: [{ at: 3, event: 'message_delta', data: '{"a' }] },
    ],
    ['the same tool ID twice', { content: [TOOL, { ...TOOL, name: 'read_file' }] }],
    ['a tool call without a name', { content: [{ ...TOOL, name: '' }] }],
    ['tool input that is not an object', { content: [{ ...TOOL, input: ['a'] }] }],
    [
      'cut tool input',
      { content: [TOOL], deltaChars: 4, rewrite: (events) => events.filter((_, at) => at !== 3) },
    ],
  ])('%s is a bad response, retried once', async (_, reply) => {
    const { outcome } = await callReply(reply)
    expect(faultOf(outcome)).toMatchObject({ retry: 'once', reason: 'bad_response' })
  })

  it.each([0, 4])('a stream silent after %i events is given up after the idle time', async (stallAfter) => {
    vi.useFakeTimers()
    const { model } = scripted([{ content: TEXT, stallAfter }])
    const calling = callOnce(model)
    let ended = false
    void calling.then(() => (ended = true))
    await vi.advanceTimersByTimeAsync(MODEL_SILENCE_MAX_MS - 1)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(MODEL_SILENCE_MAX_MS / 4 + 2)
    expect(faultOf((await calling).outcome)).toMatchObject({ retry: 'later', reason: 'stalled' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('pings count as activity', async () => {
    vi.useFakeTimers()
    const pings = Array.from({ length: 4 }, () => ({ at: 1, event: 'ping', data: { type: 'ping' } }))
    const { model } = scripted([{ content: [], insert: pings, delayMs: MODEL_SILENCE_MAX_MS * 0.9 }])
    const calling = callOnce(model)
    await vi.advanceTimersByTimeAsync(MODEL_SILENCE_MAX_MS * 8)
    expect(messageOf((await calling).outcome).stop).toBe('end_turn')
  })

  it('the stream is not blamed while the reader of the deltas is busy', async () => {
    vi.useFakeTimers()
    const { model } = scripted([{ content: [{ type: 'text', text: 'Hi' }] }])
    const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, MODEL_SILENCE_MAX_MS * 3))
    const calling = model.call(REQUEST, slow, new AbortController().signal)
    await vi.advanceTimersByTimeAsync(MODEL_SILENCE_MAX_MS * 4)
    expect(messageOf(await calling).stop).toBe('end_turn')
  })
})
