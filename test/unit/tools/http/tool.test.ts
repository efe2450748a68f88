// Guards calls of HTTP tools: a call sends exactly what was shown, takes effect at most as often as its effect allows,
// and returns an answer that is bounded, marked as untrusted content, and without the secrets that were sent.

import { describe, expect, it } from 'vitest'
import { toDisplayText } from '../../../../src/agent/result.ts'
import { base64, hex, utf8 } from '../../../../src/lib/bytes.ts'
import { err, ok, type Result } from '../../../../src/lib/result.ts'
import type { FetchFailure } from '../../../../src/net/fetch.ts'
import { rig, SECRET } from './tool-rig.ts'

const READ = {
  name: 'get_ticket',
  description: 'Reads one ticket.',
  input_schema: {
    type: 'object',
    properties: { id: { type: 'string', pattern: '^[a-z]+-\\d+$' }, limit: { type: 'integer', maximum: 9 } },
    required: ['id'],
    additionalProperties: false,
  },
  request: {
    method: 'GET',
    url: 'https://api.example.com/tickets/{{input.id}}',
    headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
  },
}

function with_(request: object, rest: object = {}): object {
  return { ...READ, ...rest, request: { ...READ.request, ...request } }
}

const POST = with_({ method: 'POST' })

function lost(more: Partial<FetchFailure>): () => Result<never, FetchFailure> {
  return () => err({ code: 'timeout', detail: 'No answer.', sent: true, ...more })
}

describe('a call', () => {
  it('sends what was shown, with its secrets', async () => {
    const { tool, sent, requested, call } = await rig(READ, () => ok({ body: '{"id":"a-1","open":true}' }))
    const result = await call({ id: 'a-1' })
    expect(tool.preview?.({ id: 'a-1' })).toMatchObject({
      method: 'GET',
      url: 'https://api.example.com/tickets/a-1',
      headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
    })
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'https://api.example.com/tickets/a-1',
        headers: { Accept: expect.any(String), Authorization: `Bearer ${SECRET}` },
        body: null,
      },
    ])
    expect(requested).toEqual(['TOKEN api.example.com'])
    expect(result).toEqual({
      content: 'HTTP 200\n\n{\n  "id": "a-1",\n  "open": true\n}',
      isError: false,
      untrusted: ['http:get_ticket'],
    })
  })

  it.each<readonly [string, unknown, string]>([
    ['input that is not an object', 'a-1', 'must be an object'],
    ['a missing field', {}, 'id is missing'],
    ['an unknown field', { id: 'a-1', more: 1 }, 'more is not a field'],
    ['a wrong type', { id: 'a-1', limit: '3' }, 'limit must be integer, not string'],
    ['a text that does not match its pattern', { id: 'A 1' }, 'id does not match the pattern ^[a-z]+-\\d+$.'],
    ['another line after a match', { id: 'evil\na-1' }, 'id does not match the pattern'],
    ['too much', { id: 'a-1', more: 'x'.repeat(300_000) }, 'the limit is 262144'],
  ])('with %s reaches nobody and says what to fix', async (_, input, output) => {
    const { tool, sent, call } = await rig(READ)
    expect(tool.preview?.(input)).toBeNull()
    const result = await call(input)
    expect([result.isError, toDisplayText(result.content)]).toEqual([true, expect.stringContaining(output)])
    expect(sent).toEqual([])
  })

  it('whose pattern would backtrack endlessly elsewhere is checked at once', async () => {
    const slow = { type: 'object', properties: { id: { type: 'string', pattern: '^(a+)+$' } } }
    const { sent, call } = await rig({ ...READ, input_schema: slow })
    await call({ id: `${'a'.repeat(50_000)}!` })
    expect(sent).toEqual([])
  })

  it('whose secret is bound to another host reaches nobody', async () => {
    const { sent, call } = await rig(with_({ url: 'https://evil.example/{{input.id}}' }))
    const result = await call({ id: 'a-1' })
    expect(result.content).toBe('The tool was not called: TOKEN is bound to another host than evil.example.')
    expect(sent).toEqual([])
  })

  it('whose secret must come with the request never takes a stored one of that name', async () => {
    const { sent, requested, call } = await rig({ ...READ, request_secrets: ['TOKEN'] })
    expect((await call({ id: 'a-1' })).isError).toBe(true)
    expect(requested).toEqual(['TOKEN of the request'])
    expect(sent).toEqual([])
  })
})

describe('an effect', () => {
  it.each([
    ['PUT', 'run_1:tu_1'],
    ['POST', undefined],
    ['GET', undefined],
  ])('%s is sent with the idempotency key %s', async (method, key) => {
    const { sent, call } = await rig(with_({ method }))
    await call({ id: 'a-1' })
    expect(sent[0]?.headers['Idempotency-Key']).toBe(key)
  })

  it('follows no redirect if the call has side effects, and redirects within its host if it reads', async () => {
    const acting = await rig(POST)
    await acting.call({ id: 'a-1' })
    expect(acting.terms[0]?.maxRedirects).toBe(0)
    const reading = await rig(READ)
    await reading.call({ id: 'a-1' })
    const may = (url: string): boolean | undefined => reading.terms[0]?.mayRedirect?.(new URL(url))
    expect([
      may('https://api.example.com/x'),
      may('https://evil.example/'),
      may('http://api.example.com/'),
    ]).toEqual([true, false, false])
  })

  it('without a response is untrusted content if the server sent anything', async () => {
    const reported = async (sent: boolean): Promise<readonly string[] | undefined> =>
      (await (await rig(POST, lost({ sent }))).call({ id: 'a-1' })).untrusted
    expect(await reported(true)).toEqual(['http:get_ticket'])
    expect(await reported(false)).toBeUndefined()
  })

  it('of a once call is unknown if it may have been sent, and none if it was not', async () => {
    const gone = await (await rig(POST, lost({}))).call({ id: 'a-1' })
    expect(gone.content).toContain('outcome of this call is unknown')
    const kept = await (await rig(POST, lost({ sent: false }))).call({ id: 'a-1' })
    expect(kept.content).toBe('No answer.')
  })

  it('of a once call is doubtful if the server failed, and not if it refused', async () => {
    const output = async (status: number): Promise<string> =>
      toDisplayText((await (await rig(POST, () => ok({ status }))).call({ id: 'a-1' })).content)
    expect(await output(502)).toContain('may have taken effect')
    expect(await output(422)).not.toContain('may have taken effect')
  })
})

describe('an answer', () => {
  const answered = async (given: object, response: object = {}): Promise<string> =>
    toDisplayText((await (await rig({ ...READ, response }, () => ok(given))).call({ id: 'a-1' })).content)

  it('with an error status is an error with the beginning of its body', async () => {
    const { call } = await rig(READ, () => ok({ status: 404, body: `{"message":"${'x'.repeat(9_000)}"}` }))
    const result = await call({ id: 'a-1' })
    expect(result).toMatchObject({ isError: true, untrusted: ['http:get_ticket'] })
    expect(result.content).toContain('HTTP 404: the server found nothing there')
    expect(toDisplayText(result.content).length).toBeLessThan(4_500)
  })

  it('is filtered by pointers, and names those that are missing', async () => {
    const body = '{"items":[{"id":1,"a/b":2},{"id":3}],"more":4}'
    expect(await answered({ body }, { pick: ['/items/1/id', '/items/0/a~1b', '/none'] })).toBe(
      'HTTP 200\n\n{\n  "/items/1/id": 3,\n  "/items/0/a~1b": 2\n}\n[missing in the response: /none]',
    )
  })

  it('is cut where the definition says, and says so', async () => {
    expect(
      await answered(
        { body: 'y'.repeat(500), headers: { 'content-type': 'text/plain' } },
        { max_chars: 100 },
      ),
    ).toBe(`HTTP 200\n\n${'y'.repeat(100)}\n[cut: 500 characters in total]`)
  })

  it('that is not text is named', async () => {
    const shown = await answered({ body: new Uint8Array(9), headers: { 'content-type': 'image/png' } })
    expect(shown).toBe('HTTP 200\n\nThe response is not text, so it is not shown: image/png, 9 bytes.')
  })

  it('that is JSON nested too deep to be shown is named, and is no failure', async () => {
    const body = `${'['.repeat(9_000)}${']'.repeat(9_000)}`
    const shown = await answered({ body, headers: { 'content-type': 'application/json' } })
    expect(shown).toBe('HTTP 200\n\nThe response is JSON that is nested too deeply to be shown.')
  })

  it('in another charset is decoded', async () => {
    const body = new Uint8Array([0x67, 0x72, 0xfc, 0x6e])
    expect(await answered({ body, headers: { 'content-type': 'text/plain; charset=iso-8859-1' } })).toContain(
      'grün',
    )
  })

  const signs = (some: RegExp, written: (code: string, point: number) => string): string =>
    Array.from(SECRET, (char) => {
      const point = char.charCodeAt(0)
      return some.test(char) ? written(point.toString(16), point) : char
    }).join('')
  const forms: readonly (readonly [string, string])[] = [
    ['unchanged', SECRET],
    ['in JSON', JSON.stringify({ echo: SECRET })],
    [
      'in JSON with every character escaped',
      `"${Array.from(SECRET, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
    ],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in a URL in lower case', encodeURIComponent(SECRET).toLowerCase()],
    ['in a form', new URLSearchParams({ a: SECRET }).toString()],
    ['in base64', base64(utf8(SECRET))],
    ['in base64 within something', base64(utf8(`user:${SECRET}\n`))],
    ['in base64 within something else', base64(utf8(`Bearer ${SECRET}!`))],
    [
      'in base64url',
      base64(utf8(`x${SECRET}`))
        .replaceAll('+', '-')
        .replaceAll('/', '_'),
    ],
    ['in hex', hex(utf8(SECRET))],
    ['in JSON with upper-case escapes', signs(/[+]/, (code) => `\\u00${code.toUpperCase()}`)],
    ['in JSON within JSON', JSON.stringify(signs(/[=]/, (code) => `\\u00${code}`)).slice(1, -1)],
    ['in HTML by some numbers', signs(/[+]/, (_, point) => `&#${point};`)],
    ['in HTML by others', signs(/[/=]/, (code) => `&#x${code.toUpperCase()};`)],
    [
      'in HTML by names, twice',
      signs(/[+=]/, (_, point) => (point === 43 ? '&amp;plus;' : '&amp;amp;equals;')),
    ],
    ['in a path', encodeURIComponent(SECRET).replaceAll('%2F', '/')],
    ['in a URL twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['in a decoded form', SECRET.replaceAll('+', ' ')],
    ['in base64 in a URL', encodeURIComponent(base64(utf8(`x${SECRET}`)))],
  ]

  it.each(forms)('that repeats the secret %s shows its name instead', async (_, form) => {
    for (const given of [
      { body: `{"said":${form.startsWith('"') ? form : JSON.stringify(form)}}` },
      { body: form, headers: { 'content-type': 'text/plain' } },
      { body: form, status: 500 },
      { headers: { location: `https://api.example.com/?${form}` } },
    ]) {
      const shown = await answered(given)
      for (const [, other] of forms) if (!other.startsWith('"\\u')) expect(shown).not.toContain(other)
      if (!form.startsWith('"\\u')) expect(shown).toContain('[secret TOKEN]')
    }
  })

  it('that is cut never shows the beginning of a secret', async () => {
    const body = `${'z'.repeat(95)}${SECRET}${'z'.repeat(95)}`
    expect(
      await answered({ body, headers: { 'content-type': 'text/plain' } }, { max_chars: 100 }),
    ).not.toContain(SECRET.slice(0, 5))
  })

  it('that never arrived is masked in the quoted failure', async () => {
    const { call } = await rig(
      READ,
      lost({ detail: `https://api.example.com/?k=${encodeURIComponent(SECRET)} was slow.` }),
    )
    expect((await call({ id: 'a-1' })).content).toBe('https://api.example.com/?k=[secret TOKEN] was slow.')
  })
})
