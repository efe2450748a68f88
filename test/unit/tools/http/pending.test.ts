// Guards calls of HTTP tools that are answered with 202: the server chooses where the result is polled, so that URL
// gets secrets only at the tool's own origin, is guarded as any, and is not stored if it repeats a secret.

import { describe, expect, it } from 'vitest'
import { UNKNOWN_OUTCOME } from '../../../../src/agent/repair.ts'
import type { ToolResult } from '../../../../src/agent/tool.ts'
import { err, ok, type Result } from '../../../../src/lib/result.ts'
import type { FetchFailure } from '../../../../src/net/fetch.ts'
import { parseDefinition } from '../../../../src/tools/http/definition.ts'
import { NOW, rig, SECRET, type Rig } from './tool-rig.ts'

const TOOL = {
  name: 'export_data',
  description: 'Exports data.',
  input_schema: { type: 'object', properties: { of: { type: 'string' } } },
  request: {
    method: 'POST',
    url: 'https://api.example.com/v1/exports',
    headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
    body: { of: '{{input.of}}' },
  },
  answer: '202 + Location',
}
const NOTHING = { signal: new AbortController().signal }

type Headers = Readonly<Record<string, string>>

/** The tool whose server accepts a call with these headers, and answers the question about it with `then`. */
async function accepting(
  headers: Headers,
  then: Result<
    { readonly status?: number; readonly headers?: Headers; readonly body?: string },
    FetchFailure
  > = ok({}),
): Promise<Rig & { readonly result: ToolResult; readonly check: () => Promise<ToolResult> }> {
  const one = await rig(TOOL, ({ method }) =>
    method === 'POST' ? ok({ status: 202, headers, body: 'accepted' }) : then,
  )
  const result = await one.call({ of: 'all' })
  const check = async (): Promise<ToolResult> => {
    const checked = await one.tool.check?.({ of: 'all' }, result.pending?.state, NOTHING)
    if (!checked) throw new Error('the tool cannot be asked')
    return checked
  }
  return { ...one, result, check }
}

describe('a definition with answer', () => {
  it('keeps it, has an unchanged digest without it, and is refused with HEAD or another word', () => {
    expect(parseDefinition(TOOL)).toMatchObject({ ok: true, value: { answer: '202 + Location' } })
    const { answer: _, ...without } = TOOL
    const parsed = parseDefinition(without)
    expect(parsed.ok && 'answer' in parsed.value).toBe(false)
    const head = { ...without, request: { method: 'HEAD', url: TOOL.request.url }, answer: TOOL.answer }
    expect(parseDefinition(head)).toMatchObject({ ok: false, error: { errors: [{ path: 'answer' }] } })
    expect(parseDefinition({ ...TOOL, answer: '202' })).toMatchObject({ ok: false })
  })
})

describe('a 202', () => {
  it.each([
    ['/v1/exports/7', 'https://api.example.com/v1/exports/7'],
    ['7?part=2', 'https://api.example.com/v1/7?part=2'],
    ['https://other.example.net/x', 'https://other.example.net/x'],
  ])('leaves the call pending at its Location %s', async (location, url) => {
    const { result, sent } = await accepting({ location })
    expect(result).toMatchObject({ isError: false, pending: { state: { url }, pollAfterMs: null } })
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['120', 120_000],
    [' 0', 0],
    [new Date(NOW + 90_000).toUTCString(), 90_000],
    [new Date(NOW - 90_000).toUTCString(), 0],
    ['soon', null],
    ['-5', null],
  ])('sets the pause before the next poll: %j', async (value, pollAfterMs) => {
    const { result } = await accepting({ location: '/x', 'retry-after': value })
    expect(result.pending?.pollAfterMs).toBe(pollAfterMs)
  })

  it.each<readonly [string, Headers, string]>([
    ['without Location', {}, 'sent no Location header'],
    ['with an invalid Location', { location: 'https://' }, 'not a usable address'],
    ['with an endless Location', { location: `/${'x'.repeat(9_000)}` }, 'not a usable address'],
    ['that repeats a secret', { location: `/x?token=${encodeURIComponent(SECRET)}` }, 'contains a secret'],
  ])('%s is an error of unknown outcome', async (_, headers, words) => {
    const { result } = await accepting(headers)
    expect(result).toMatchObject({ isError: true, untrusted: ['http:export_data'] })
    expect(result.pending).toBeUndefined()
    expect(result.content).toContain(words)
    expect(result.content).toContain(UNKNOWN_OUTCOME)
    expect(JSON.stringify(result)).not.toContain(encodeURIComponent(SECRET))
  })

  it('of a tool without answer is shown as any other response', async () => {
    const { answer: _, ...without } = TOOL
    const { call } = await rig(without, () => ok({ status: 202, headers: { location: '/x' } }))
    expect(await call({})).toEqual({
      content: 'HTTP 202\nlocation: /x\n\nThe response is empty.',
      isError: false,
      untrusted: ['http:export_data'],
    })
  })
})

describe('a poll', () => {
  it('is a GET with the headers of the tool at its own origin, and none of its content headers', async () => {
    const { sent, terms, check } = await accepting({ location: '/v1/exports/7' })
    await check()
    expect(sent[1]).toEqual({
      method: 'GET',
      url: 'https://api.example.com/v1/exports/7',
      headers: { Accept: expect.any(String), Authorization: `Bearer ${SECRET}` },
      body: null,
    })
    expect(terms[1]).toMatchObject({ maxRedirects: 3, privateOrigin: 'https://api.example.com' })
  })

  it.each(['https://evil.example.net/x', 'http://api.example.com/x', 'https://api.example.com:8443/x'])(
    'has no secret at another origin: %s',
    async (location) => {
      const { sent, check } = await accepting({ location })
      await check()
      expect(sent[1]).toEqual({
        method: 'GET',
        url: location,
        headers: { Accept: expect.any(String) },
        body: null,
      })
    },
  )

  it('returns the result, without the secrets that the server repeats', async () => {
    const { check } = await accepting(
      { location: 'https://other.example.net/x' },
      ok({ body: `{"token":"${SECRET}"}` }),
    )
    const result = await check()
    expect(result).toMatchObject({ isError: false, untrusted: ['http:export_data'] })
    expect(result.content).toBe('HTTP 200\n\n{\n  "token": "[secret TOKEN]"\n}')
  })

  it.each([202, 429, 502, 503, 504])(
    'is repeated after %i, where and when the server says',
    async (status) => {
      const moved = await accepting(
        { location: '/a' },
        ok({ status, headers: { location: '/b', 'retry-after': '9' } }),
      )
      const url = `https://api.example.com/${status === 202 ? 'b' : 'a'}`
      expect((await moved.check()).pending).toEqual({ state: { url }, pollAfterMs: 9_000 })
    },
  )

  it.each(['timeout', 'unreachable', 'stopped'] as const)(
    'is repeated if nobody answers: %s',
    async (code) => {
      const lost = await accepting({ location: '/a' }, err({ code, detail: 'Nobody there.', sent: true }))
      expect((await lost.check()).pending).toEqual({
        state: { url: 'https://api.example.com/a' },
        pollAfterMs: null,
      })
    },
  )

  it.each(['not_allowed', 'bad_url', 'redirects'] as const)(
    'ends the call if its URL is refused: %s',
    async (code) => {
      const detail = `https://10.0.0.1/?t=${SECRET} is an address of a private network.`
      const refused = await accepting({ location: '/a' }, err({ code, detail, sent: false }))
      const result = await refused.check()
      expect(result).toMatchObject({ isError: true, untrusted: ['http:export_data'] })
      expect(result.content).toContain(
        'https://10.0.0.1/?t=[secret TOKEN] is an address of a private network.',
      )
      expect(result.content).toContain(UNKNOWN_OUTCOME)
    },
  )

  it.each([
    [404, 'HTTP 404: the server found nothing there'],
    [410, 'HTTP 410: the server rejected this call'],
    [500, 'HTTP 500: the server failed'],
    [304, 'HTTP 304'],
  ])('ends the call with an error after %i', async (status, words) => {
    const { check } = await accepting({ location: '/a' }, ok({ status, body: 'why' }))
    const result = await check()
    expect(result.isError).toBe(true)
    expect(result.content).toContain(words)
    expect(result.content).toContain(UNKNOWN_OUTCOME)
  })

  it('with unreadable state ends the call without a secret', async () => {
    const { tool, sent } = await accepting(
      { location: '/a' },
      err({ code: 'bad_url', detail: 'is no address.', sent: false }),
    )
    const result = await tool.check?.({ of: 'all' }, { other: 1 }, NOTHING)
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(sent[1])).not.toContain(SECRET)
  })
})
