// Promise: the client speaks to servers of each revision, repeats no call that may have been made, and ends within its
// limits whatever a server sends.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { McpClient, type McpCall } from '../../../src/mcp/client.ts'
import { declaredHeaders, paramHeaders } from '../../../src/mcp/param-headers.ts'
import { guardedStream } from '../../../src/net/guarded-fetch.ts'
import { eventually } from '../../../scripts/lab/rig/until.ts'
import { hostileServer } from '../../fakes/hostile-server.ts'
import { FakeMcpServer, FRESH_STATE, type McpState } from '../../fakes/mcp-server.ts'

const server = new FakeMcpServer()
let host = ''
beforeAll(async () => void (host = await server.start()))
afterAll(() => server.stop())
beforeEach(() => void (server.seen = []))

const { signal } = new AbortController()

function clientOf(state: Partial<McpState> = {}, headers: Record<string, string> = {}): McpClient {
  server.state = { ...FRESH_STATE, ...state }
  return clientAt(host, '/mcp', headers)
}

function clientAt(at: string, path: string, headers: Record<string, string> = {}): McpClient {
  const stream = guardedStream({
    policy: async () => ({ ok: true, value: { allowHosts: [], denyHosts: [], privateHosts: [at] } }),
    fetch: { private: fetch, public: fetch },
    userAgent: 'Satchel/test',
  })
  const mask = (text: string): string => text.replaceAll('s3cret', '[secret]')
  return new McpClient(stream, { url: `http://${at}${path}`, headers, mask }, Date.now)
}

const call = (client: McpClient, own: Partial<McpCall> = {}) =>
  client.callTool({
    name: 'add_note',
    input: { text: 'x' },
    headers: {},
    signal,
    timeoutMs: 30_000,
    progress: () => undefined,
    ...own,
  })

/** The body of an answer that a proxy may also send with an HTTP error. */
const ERROR = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'no' } })

/** The names of the listed tools. */
async function listed(client: McpClient): Promise<readonly string[]> {
  const tools = await client.listTools(signal)
  if (!tools.ok) throw new Error(tools.error.detail)
  return tools.value.map(({ name }) => name)
}

describe('a server', () => {
  test('without sessions is listed and called with one request each', async () => {
    const client = clientOf({}, { Authorization: 'Bearer s3cret' })
    expect(await listed(client)).toEqual(['add_note', 'list.notes'])
    expect(await call(client)).toMatchObject({
      ok: true,
      value: { content: [{ text: 'noted' }], isError: false },
    })
    await client.close()
    expect(server.methods).toEqual(['tools/list', 'tools/call'])
    const [, sent] = server.seen
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer s3cret',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'add_note',
    })
    expect(sent?.params).toMatchObject({
      name: 'add_note',
      arguments: { text: 'x' },
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    })
  })

  test.each(['2025-11-25', '2025-06-18'])(
    'of revision %s gets a handshake, one session, and its deletion',
    async (revision) => {
      const client = clientOf({ revision })
      await listed(client)
      await call(client)
      await client.close()
      expect(server.methods).toEqual([
        'tools/list',
        'initialize',
        'notifications/initialized',
        'tools/list',
        'tools/call',
        'DELETE',
      ])
      expect(server.seen.at(-2)?.headers).toMatchObject({ 'mcp-protocol-version': revision })
    },
  )

  test('that ends its stream before the answer is read from the last event; the call is not sent again', async () => {
    const client = clientOf({ revision: '2025-11-25' })
    await listed(client)
    server.seen = []
    server.state = { ...server.state, cuts: true }
    expect(await call(client)).toMatchObject({ ok: true, value: { content: [{ text: 'noted' }] } })
    expect(server.methods).toEqual(['tools/call', 'GET'])
    expect(server.seen[1]?.headers).toMatchObject({ 'mcp-session-id': expect.stringMatching(/^session-/) })
  })

  test('with sessions that answers without one gets a handshake, so that its streams can be resumed', async () => {
    const client = clientOf({ revision: '2025-11-25', lenient: 'yes', cuts: true })
    expect(await listed(client)).toEqual(['add_note', 'list.notes'])
    expect(await call(client)).toMatchObject({ ok: true, value: { content: [{ text: 'noted' }] } })
    const handshake = ['initialize', 'notifications/initialized']
    expect(server.methods).toEqual(['tools/list', ...handshake, 'tools/list', 'tools/call', 'GET'])
    expect(server.seen.at(-2)?.headers['mcp-protocol-version']).toBe('2025-11-25')
  })

  test('that names a session and knows no handshake is used without one', async () => {
    const client = clientOf({ lenient: 'mute' })
    expect(await listed(client)).toEqual(['add_note', 'list.notes'])
    expect(await call(client)).toMatchObject({ ok: true })
    expect(server.methods).toEqual(['tools/list', 'initialize', 'tools/call'])
  })

  test('whose stream never has the answer is reported at the time limit; the call is not sent again', async () => {
    const client = clientOf({ revision: '2025-11-25' })
    await listed(client)
    server.seen = []
    server.state = { ...server.state, cuts: true, result: undefined }
    const failed = await call(client, { timeoutMs: 100 })
    expect(failed).toMatchObject({ ok: false, error: { sent: true, interrupted: false } })
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(1)
    expect(server.methods.at(-1)).toBe('notifications/cancelled')
  })

  test('over HTTP+SSE is detected once; each message has its own stream', async () => {
    const client = clientOf({ revision: '2024-11-05' }, { Authorization: 'Bearer s3cret' })
    expect(await listed(client)).toEqual(['add_note', 'list.notes'])
    const message = ['GET', 'initialize', 'notifications/initialized']
    expect(server.methods).toEqual(['tools/list', 'initialize', ...message, 'tools/list'])
    server.seen = []
    expect(await call(client)).toMatchObject({ ok: true, value: { content: [{ text: 'noted' }] } })
    expect(server.methods).toEqual([...message, 'tools/call'])
    for (const { headers } of server.seen) expect(headers.authorization).toBe('Bearer s3cret')
  })

  test('over HTTP+SSE is detected if it refuses with protocol errors, and may refuse credentials', async () => {
    const client = clientOf({ revision: '2024-11-05', body: ERROR })
    expect(await listed(client)).toEqual(['add_note', 'list.notes'])
    server.state = { ...server.state, oauth: {} }
    expect(await call(client)).toMatchObject({ ok: false, error: { sent: false, unauthorized: true } })
  })

  test.each([
    ['has its message URL elsewhere', { endpoint: 'https://evil.example.com/messages' }, false],
    ['has no message URL', { endpoint: '' }, false],
    ['breaks its stream after the call', { result: null }, true],
  ])('over HTTP+SSE that %s is not called again', async (_, state, sent) => {
    const client = clientOf({ revision: '2024-11-05' })
    await listed(client)
    server.state = { ...server.state, ...state }
    server.seen = []
    expect(await call(client)).toMatchObject({ ok: false, error: { sent } })
    expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(sent ? 1 : 0)
  })

  test('over HTTP+SSE that is slow is disconnected at the time limit', async () => {
    const client = clientOf({ revision: '2024-11-05' })
    await listed(client)
    server.state = { ...server.state, result: undefined }
    const left = server.left
    expect(await call(client, { timeoutMs: 100 })).toMatchObject({ ok: false, error: { sent: true } })
    await eventually(async () => server.left > left)
  })

  test('that refuses a revision which it claims to support is asked once more, and not in another way', async () => {
    const data = { supported: ['2026-07-28', '2025-11-25'] }
    const error = {
      code: -32_022,
      message: 'Unsupported protocol version',
      data: { supported: ['2026-07-28'] },
    }
    const body = (own: object): string =>
      JSON.stringify({ jsonrpc: '2.0', id: null, error: { ...error, ...own } })
    const client = clientOf({ status: 400, body: body({}) })
    expect(await client.listTools(signal)).toMatchObject({ ok: false })
    expect(server.methods).toEqual(['tools/list', 'tools/list'])
    server.seen = []
    await clientOf({ status: 400, body: body({ data }) }).listTools(signal)
    expect(server.methods).toEqual(['tools/list', 'tools/list', 'initialize'])
  })

  test('that forgot the session gets a new handshake, once', async () => {
    const client = clientOf({ revision: '2025-11-25' })
    await listed(client)
    server.seen = []
    server.state = { ...server.state, forgets: true }
    expect(await call(client)).toMatchObject({ ok: true })
    expect(server.methods).toEqual(['tools/call', 'initialize', 'notifications/initialized', 'tools/call'])
  })

  test.each([401, 403, 503])(
    'that answers %i is not asked for a handshake, and the error says so',
    async (status) => {
      const failed = await clientOf({ status }).listTools(signal)
      expect(failed).toMatchObject({
        ok: false,
        error: { detail: expect.stringContaining(`HTTP ${status}`) },
      })
      expect(server.methods).toEqual(['tools/list'])
    },
  )

  test.each([401, 403, 503])(
    'whose proxy answers %i with a protocol error is identified later',
    async (status) => {
      const client = clientOf({ revision: '2025-11-25', status, body: ERROR })
      const failed = await client.listTools(signal)
      expect(failed).toMatchObject({
        ok: false,
        error: status === 401 ? { sent: false, unauthorized: true } : { answered: true },
      })
      server.state = { ...server.state, status: null }
      expect(await listed(client)).toEqual(['add_note', 'list.notes'])
    },
  )

  test('whose connection breaks after the call is not called again', async () => {
    const client = clientOf()
    await listed(client)
    server.state = { ...server.state, result: null }
    expect(await call(client)).toMatchObject({ ok: false, error: { sent: true, interrupted: true } })
    expect(server.methods).toEqual(['tools/list', 'tools/call'])
  })

  test('that keeps its stream open is disconnected once it has answered, and its progress is shown', async () => {
    const progress = { method: 'notifications/progress', params: { progress: 1, total: 3 } }
    const other = { jsonrpc: '2.0', id: 999, result: { content: [] } }
    const client = clientOf({ events: [progress, other] })
    await listed(client)
    const shown: string[] = []
    expect(await call(client, { progress: (text) => shown.push(text) })).toMatchObject({
      ok: true,
      value: { content: [{ text: 'noted' }] },
    })
    expect(shown).toEqual(['1 of 3'])
  })

  test('whose list has no end is read for at most 64 pages', async () => {
    expect(await listed(clientOf({ page: -1 }))).toHaveLength(64)
    expect(await listed(clientOf({ page: 1 }))).toEqual(['add_note', 'list.notes'])
  })

  test('whose pages exceed the bytes of one list is not read further', async () => {
    const tools = ['a', 'b', 'c'].map((name) => ({ name, description: 'x'.repeat(3_500_000) }))
    const failed = await clientOf({ page: 1, tools }).listTools(signal)
    expect(failed).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('too large') },
    })
    expect(server.methods).toHaveLength(3)
  })

  test('that nests its answer too deep for recursion is not read', async () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
    const client = clientOf({ result: { content: [], structuredContent: deep } })
    await listed(client)
    const failed = await call(client)
    expect(failed).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('not a valid MCP response'), sent: true },
    })
  })

  test.each([
    ['silent', 'none'],
    ['silent', '2025-11-25'],
    ['talking', 'none'],
    ['talking', '2025-11-25'],
  ] as const)(
    'that is %s until the time limit of a call is disconnected then (%s)',
    async (stalls, revision) => {
      const client = clientOf({ revision, stalls })
      await listed(client)
      const left = server.left
      const shown: string[] = []
      const failed = await call(client, { timeoutMs: 100, progress: (text) => shown.push(text) })
      expect(failed).toMatchObject({
        ok: false,
        error: {
          sent: true,
          interrupted: false,
          detail: expect.stringContaining('did not respond completely within 0.1 s'),
        },
      })
      expect(shown.length > 0).toBe(stalls === 'talking')
      await eventually(() => server.left > left)
      expect(server.methods.at(-1)).toBe(revision === 'none' ? 'tools/call' : 'notifications/cancelled')
    },
  )

  test.each([
    ['a text of 10 MB', null, 10_000_000],
    ['a frame of 20 MB', [], 20_000_000],
  ])(
    'that answers with %s is disconnected at the limit of bytes; the call was made',
    async (_, frames, bytes) => {
      const text = 'x'.repeat(bytes)
      const client = clientOf({ events: frames, result: { content: [{ type: 'text', text }] } })
      await listed(client)
      const failed = await call(client)
      expect(failed).toMatchObject({
        ok: false,
        error: {
          sent: true,
          interrupted: false,
          detail: expect.stringContaining('answered with HTTP 200 and a response that is too large'),
        },
      })
    },
  )

  test('whose answer has no end is disconnected at the limit of bytes', async () => {
    const endless = await hostileServer()
    const client = clientAt(`127.0.0.1:${endless.port}`, '/big')
    const failed = await client.listTools(signal)
    expect(failed).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('too large') },
    })
    await endless.close()
  })

  test('that only wants its state back gets it unchanged, under a new ID, and not without end', async () => {
    const client = clientOf({ result: { resultType: 'input_required', requestState: ' {"a":1}=' } })
    await listed(client)
    server.seen = []
    const failed = await call(client)
    expect(failed).toMatchObject({ ok: false, error: { sent: true, interrupted: false } })
    const states = server.seen.map(({ params }) => params['requestState'])
    expect(states).toEqual([undefined, ...Array.from({ length: 4 }, () => ' {"a":1}=')])
    expect(new Set(server.seen.map(({ params }) => JSON.stringify(params['_meta']))).size).toBe(5)
  })

  test('that asks for input gets none, and the call counts as not made', async () => {
    const client = clientOf({ result: { resultType: 'input_required', inputRequests: {} } })
    await listed(client)
    expect(await call(client)).toMatchObject({ ok: false, error: { sent: false } })
  })
})

describe('a header that repeats an input', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      at: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
    },
  }
  test('is made from the property, encoded where necessary, and omitted without one', () => {
    const declared = declaredHeaders(schema)
    if (!declared.ok) throw new Error(declared.error)
    expect(paramHeaders(declared.value, { region: 'Köln', at: { n: 7 } })).toEqual({
      'Mcp-Param-Region': '=?base64?S8O2bG4=?=',
      'Mcp-Param-N': '7',
    })
    expect(paramHeaders(declared.value, {})).toEqual({})
  })

  test.each([
    { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
    { properties: { a: { type: 'string', 'x-mcp-header': 'A b' } } },
    {
      properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    },
    { properties: { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } } },
  ])('that is declared wrongly refuses the tool %#', (invalid) => {
    expect(declaredHeaders(invalid).ok).toBe(false)
  })
})
