// Guards importing and testing tools: each operation of an OpenAPI document becomes a tool, independently of the
// others, and an admin can make a test call. Secrets are shown by name only.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ToolImport, ToolTest } from '../../src/client/tools.ts'
import { got, makeKey, refused, send, serveSkills } from './api-fixture.ts'

const HOST = 'tickets.example.com'
const VALUE = 'canary-secret-of-the-tests-0071'

const OK = { responses: { '200': { description: 'Fine.' } } }
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

function operation(operationId: string, more: object = {}): object {
  return { operationId, summary: `Does ${operationId}.`, ...OK, ...more }
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Tickets', version: '1' },
  servers: [{ url: `https://${HOST}/api` }],
  paths: {
    '/tickets': { get: operation('listTickets'), post: operation('bash') },
    '/tickets/{id}': { parameters: [ID], get: operation('getTicket'), delete: operation('deleteTicket') },
    '/tickets/{id}/file': {
      parameters: [ID],
      put: operation('putFile', {
        requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } },
      }),
    },
  },
}

interface Reached {
  readonly url: string
  readonly authorization: string | null
}

const reached: Reached[] = []

/** Stands for the public network: it returns what it was sent. */
const PUBLIC_NET = {
  fetch: async (...given: Parameters<typeof fetch>) => {
    const request = new Request(...given)
    const authorization = request.headers.get('Authorization')
    reached.push({ url: request.url, authorization })
    return Response.json(
      { authorization: authorization },
      { status: request.url.endsWith('/404') ? 404 : 200 },
    )
  },
} as unknown as Fetcher // the cast is safe: no other method is called

let count = 0
let prefix = ''

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }]))
beforeEach(() => {
  prefix = `t${++count}_`
  reached.length = 0
})

function imported(more: object = {}, query = ''): Promise<ToolImport> {
  const body = { document: DOCUMENT, prefix, ...more }
  return got<ToolImport>(send(`POST /admin/tools/import${query}`, { body }))
}

async function names(): Promise<readonly string[]> {
  const { data } = await got<{ data: { name: string }[] }>(send('GET /admin/tools?limit=100'))
  return data.map(({ name }) => name).filter((name) => name.startsWith(prefix))
}

describe('POST /admin/tools/import', () => {
  it('creates all valid tools in one version, and refuses the rest with reasons', async () => {
    const tried = await imported({}, '?dry_run=1')
    expect(await names()).toEqual([])
    const done = await imported({ note: 'all of it' })
    expect(done.imported).toEqual(tried.imported)
    expect(done.imported.map(({ operation: of, change }) => [of, change])).toEqual([
      ['GET /tickets', 'added'],
      ['POST /tickets', 'added'],
      ['GET /tickets/{id}', 'added'],
      ['DELETE /tickets/{id}', 'added'],
    ])
    expect(done.refused).toEqual([{ operation: 'PUT /tickets/{id}/file', reason: expect.any(String) }])
    expect(done.catalog_version).toBe(tried.catalog_version + 1)
    expect(await names()).toHaveLength(4)
    const again = await imported()
    expect(again.imported.map(({ change }) => change)).toEqual(['same', 'same', 'same', 'same'])
    expect(again.catalog_version).toBe(done.catalog_version)
    const moved = await imported({ server: 'https://new.example.com', operations: ['getTicket', 'nobody'] })
    expect(moved.imported.map(({ change }) => change)).toEqual(['changed'])
    expect(moved.unknown).toEqual(['nobody'])
  })

  it('accepts the text of a document, and gives no tool a reserved name', async () => {
    const done = await imported({
      document: JSON.stringify(DOCUMENT),
      prefix: undefined,
      operations: ['bash'],
    })
    expect(done.imported.map(({ name }) => name)).not.toContain('bash')
  })

  it('refuses anything but a document, and anybody but an admin', async () => {
    for (const document of ['swagger: "2.0"', {}, '{'])
      await refused(send('POST /admin/tools/import', { body: { document } }), 422, 'invalid_request')
    const { key } = await makeKey('publisher')
    const body = { document: DOCUMENT }
    await refused(send('POST /admin/tools/import', { key, body }), 403, 'forbidden')
  })

  it('that expects another catalog version than the live one changes nothing', async () => {
    const { catalog_version } = await imported({}, '?dry_run=1')
    const body = { document: DOCUMENT, prefix }
    const headers = { 'If-Match': `"${catalog_version + 7}"` }
    await refused(send('POST /admin/tools/import', { body, headers }), 412, 'stale_version')
    expect(await names()).toEqual([])
  })
})

describe('POST /admin/tools/:tool/test', () => {
  async function tool(more: object = {}): Promise<string> {
    const name = `${prefix}ask`
    const request = {
      method: 'GET',
      url: `https://${HOST}/{{input.id}}`,
      headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
    }
    const input_schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
    const body = { description: 'Asks.', input_schema, request, ...more }
    await got(send(`PUT /admin/tools/${name}`, { body }), 201)
    return name
  }

  const test = (name: string, body: object): Promise<Response> =>
    send(`POST /admin/tools/${name}/test`, { body, env: { PUBLIC_NET } })

  it('sends it once and shows the request, the status and what the model would see, without the secret', async () => {
    await got(send('PUT /admin/secrets/TOKEN', { body: { value: VALUE, host: HOST } }))
    const name = await tool()
    await got(send(`PATCH /admin/tools/${name}`, { body: { enabled: false } }))
    const done = await got<ToolTest>(test(name, { input: { id: '7' } }))
    expect(done).toMatchObject({
      request: {
        method: 'GET',
        url: `https://${HOST}/7`,
        headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
      },
      status: 200,
      is_error: false,
    })
    expect(done.result).toContain('[secret TOKEN]')
    expect(JSON.stringify(done)).not.toContain(VALUE)
    expect(reached).toEqual([{ url: `https://${HOST}/7`, authorization: `Bearer ${VALUE}` }])
    expect(await got<ToolTest>(test(name, { input: { id: '404' } }))).toMatchObject({
      status: 404,
      is_error: true,
    })
  })

  it('says what is missing, and then sends nothing', async () => {
    const name = await tool({ request_secrets: ['TOKEN'] })
    const without = await got<ToolTest>(test(name, { input: { id: '7' } }))
    expect(without).toMatchObject({ status: null, is_error: true, result: expect.stringContaining('TOKEN') })
    const misfit = await got<ToolTest>(test(name, { input: {} }))
    expect(misfit).toMatchObject({ request: null, status: null, is_error: true })
    expect(reached).toEqual([])
    const secrets = { TOKEN: VALUE }
    expect(await got<ToolTest>(test(name, { input: { id: '7' }, secrets }))).toMatchObject({ status: 200 })
    await refused(test(`${prefix}none`, { input: {} }), 404, 'not_found')
    const { key } = await makeKey('publisher')
    await refused(send(`POST /admin/tools/${name}/test`, { key, body: { input: {} } }), 403, 'forbidden')
  })
})
