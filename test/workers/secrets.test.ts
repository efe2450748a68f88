// Guards secrets: no admin can read one again, and none leaves for another host or workspace. A secret from a request
// remains in no row, event, log or request to the model, even if a server repeats it.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { base64, utf8 } from '../../src/lib/bytes.ts'
import { ok } from '../../src/lib/result.ts'
import { guardedFetch } from '../../src/net/guarded-fetch.ts'
import {
  requested,
  chat,
  foreignKey,
  got,
  toolsSendBy,
  makeKey,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'

const VALUE = 'canary+Secret/of=the tests 0042'
const HOST = 'api.example.com'

/** The requests that reached the server, which repeats everything it is sent. */
const reached: { url: string; headers: Record<string, string>; body: string }[] = []
const server: typeof fetch = async (input, init) => {
  const request = new Request(input instanceof URL ? input.href : input, init)
  const headers = Object.fromEntries(request.headers)
  reached.push({ url: request.url, headers, body: await request.text() })
  const output = headers['authorization'] ?? ''
  return Response.json(
    { output, based: btoa(output), url: encodeURIComponent(output) },
    { headers: { Location: `https://${HOST}/?token=${encodeURIComponent(output)}` } },
  )
}
const net = guardedFetch({
  policy: async () => ok({ allowHosts: [], denyHosts: [], privateHosts: [] }),
  fetch: { public: server, private: server },
  userAgent: 'Satchel',
})

let count = 0
let tool = ''

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }]))
beforeEach(() => {
  tool = `ask_${++count}`
  reached.length = 0
  toolsSendBy(net)
})
afterEach(() => toolsSendBy(null))

async function upsertTool(key: string | undefined, more: object = {}, host = HOST): Promise<void> {
  const request = {
    method: 'GET',
    url: `https://${host}/ask`,
    headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
  }
  const body = { description: 'Asks.', input_schema: { type: 'object', properties: {} }, request, ...more }
  await got(send(`PUT /admin/tools/${tool}`, { body, ...(key ? { key } : {}) }), 201)
}

async function putSecret(key?: string, more: object = {}): Promise<unknown> {
  return got(
    send('PUT /admin/secrets/TOKEN', {
      body: { value: VALUE, host: HOST, ...more },
      ...(key ? { key } : {}),
    }),
  )
}

/** Calls the tool once. Returns the result that the model got. */
async function called(key?: string, body: object = {}): Promise<string> {
  let turn = 0
  modelReplies(() => (turn++ === 0 ? { calls: [{ name: tool, input: {} }] } : { text: 'Done.' }))
  const { events, last } = await chat({ message: 'Ask.', ...body }, key ? { key } : {})
  expect(last?.type).toBe('run.completed')
  return events.map((event) => (event.type === 'tool.completed' ? event.preview : '')).join('')
}

type Stub = ReturnType<typeof env.THREADS.getByName>

/** Every row of an object as text. */
async function rowsOf(stub: Stub): Promise<string> {
  return runInDurableObject(stub, (_, { storage: { sql } }) => {
    const names = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    return names
      .filter(({ name }) => !name.startsWith('_cf_'))
      .map(({ name }) => `${name}: ${JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray())}`)
      .join('\n')
  })
}

/** The forms in which a secret could be found. */
const FORMS = [
  VALUE,
  base64(utf8(VALUE)),
  encodeURIComponent(VALUE),
  base64(utf8(`Bearer ${VALUE}`)).slice(12, -4),
]

function expectNone(text: string): void {
  for (const form of FORMS) expect(text).not.toContain(form)
}

describe('/admin/secrets', () => {
  it('keeps a secret for one host, lists it without its value, and deletes it', async () => {
    const key = await foreignKey('secrets-kept', 'admin', 'ann')
    expect(await got(send('GET /admin/secrets', { key }))).toEqual({ data: [] })
    const info = await putSecret(key)
    expect(info).toEqual({
      name: 'TOKEN',
      host: HOST,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      updated_by: expect.stringContaining('ann'),
      key: 'current',
    })
    expect(await got(send('GET /admin/secrets/TOKEN', { key }))).toEqual(info)
    expect(await got(send('GET /admin/secrets', { key }))).toEqual({ data: [info] })
    const rows = await rowsOf(env.WORKSPACES.getByName('secrets-kept'))
    expect(rows).toContain(HOST)
    expectNone(rows)
    expect((await send('DELETE /admin/secrets/TOKEN', { key })).status).toBe(204)
    await refused(send('GET /admin/secrets/TOKEN', { key }), 404, 'not_found')
    await refused(send('DELETE /admin/secrets/TOKEN', { key }), 404, 'not_found')
  })

  it.each([
    ['a short value', { value: 'abc1234' }, 'value'],
    ['a value with a line break', { value: 'abc12345\nX-Evil: 1' }, 'value'],
    ['a value surrounded by spaces', { value: ' abc12345' }, 'value'],
    ['a host with a path', { host: `${HOST}/v1` }, 'host'],
    ['a host in another spelling', { host: 'API.example.com' }, 'host'],
    ['a URL', { host: `https://${HOST}` }, 'host'],
    ['a host with a user', { host: `me@${HOST}` }, 'host'],
  ])('refuses %s and quotes no value', async (_, more, field) => {
    const body = { value: VALUE, host: HOST, ...more }
    const problem = await refused(send('PUT /admin/secrets/TOKEN', { body }), 422, 'invalid_request')
    expect(problem.errors?.map(({ path }) => path)).toEqual([field])
    expect(JSON.stringify(problem)).not.toContain(JSON.stringify(body.value).slice(1, -1))
  })

  it('is for admins, and needs an ENCRYPTION_KEY', async () => {
    const { key } = await makeKey('publisher')
    for (const line of ['GET /admin/secrets', 'GET /admin/secrets/TOKEN', 'DELETE /admin/secrets/TOKEN'])
      await refused(send(line, { key }), 403, 'forbidden')
    const body = { value: VALUE, host: HOST }
    await refused(send('PUT /admin/secrets/TOKEN', { key, body }), 403, 'forbidden')
    const problem = await refused(
      send('PUT /admin/secrets/TOKEN', { body, env: { ENCRYPTION_KEY: '' } }),
      503,
      'not_configured',
    )
    expect(problem.detail).toContain('ENCRYPTION_KEY')
  })
})

describe('a stored secret', () => {
  it('reaches its host, and is masked in what the server repeats', async () => {
    const key = await foreignKey('secrets-used')
    await upsertTool(key)
    await putSecret(key)
    const output = await called(key)
    expect(reached.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${VALUE}`])
    expect(output).toContain('[secret TOKEN]')
    expectNone(output + JSON.stringify(requested))
  })

  it('of one workspace is never sent for another, whatever the host', async () => {
    const [mine, theirs] = [await foreignKey('secrets-mine'), await foreignKey('secrets-theirs')]
    await putSecret(mine)
    await upsertTool(theirs)
    expect(await called(theirs)).toContain('There is no secret TOKEN in this workspace')
    await putSecret(theirs, { host: 'other.example.com' })
    expect(await called(theirs)).toContain(`cannot be sent to ${HOST}`)
    // Nor after its row was copied to another workspace.
    const [row] = await runInDurableObject(env.WORKSPACES.getByName('secrets-mine'), (_, { storage }) =>
      storage.sql.exec<{ sealed: string }>('SELECT sealed FROM secrets').toArray(),
    )
    await runInDurableObject(env.WORKSPACES.getByName('secrets-theirs'), (_, { storage }) =>
      storage.sql.exec('UPDATE secrets SET host = ?, sealed = ?', HOST, row?.sealed ?? ''),
    )
    expect(await called(theirs)).toContain('cannot be read')
    expect(reached).toEqual([])
  })

  it('is never sent to another host, nor to its own under another port', async () => {
    const key = await foreignKey('secrets-hosts')
    await putSecret(key)
    for (const host of ['evil.example.com', `${HOST}.evil.example`, `${HOST}:8443`]) {
      tool = `ask_${++count}`
      await upsertTool(key, {}, host)
      expect(await called(key)).toContain(`cannot be sent to ${host}`)
    }
    expect(reached).toEqual([])
  })
})

describe('a secret in a request', () => {
  it('reaches the tool that declares it, and nothing else, then or later', async () => {
    const workspace = 'secrets-brought'
    const key = await foreignKey(workspace)
    await upsertTool(key, { request_secrets: ['TOKEN'] })
    const lines: string[] = []
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...words) => void lines.push(words.map(String).join(' '))),
    )
    let turn = 0
    modelReplies(() => (turn++ === 0 ? { calls: [{ name: tool, input: {} }] } : { text: 'Done.' }))
    const made = await chat(
      { message: 'Ask.', secrets: { TOKEN: VALUE } },
      { key, headers: { 'Idempotency-Key': `canary-${workspace}` } },
    )
    for (const spy of spies) spy.mockRestore()
    const rows = await rowsOf(env.THREADS.getByName(`${workspace}/${made.thread}`))
    expect(reached.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${VALUE}`])
    expect(rows).toContain('run_secrets: []')
    const runs = await got(send(`GET /v1/threads/${made.thread}/runs/${made.run}`, { key }))
    const messages = await got(send(`GET /v1/threads/${made.thread}/messages`, { key }))
    const others = await rowsOf(env.WORKSPACES.getByName(workspace))
    const everything = [
      rows,
      others,
      lines.join('\n'),
      JSON.stringify([requested, made.events, runs, messages]),
    ].join('\n')
    expect(everything).toContain('[secret TOKEN]')
    expectNone(everything)
  })

  it('is not part of the request digest: no digest in a row confirms a guess', async () => {
    const key = await foreignKey('secrets-compared')
    modelReplies(() => ({ text: 'Done.' }))
    const ask = { key, headers: { 'Idempotency-Key': 'compared' } }
    const first = await chat({ message: 'Ask.', secrets: { TOKEN: VALUE } }, ask)
    const again = await chat({ message: 'Ask.', secrets: { TOKEN: `${VALUE}-other` } }, ask)
    expect(again.run).toBe(first.run)
    const body = { message: 'Ask.', secrets: { OTHER: VALUE }, stream: false }
    expect((await send('POST /v1/chat', { ...ask, body })).status).toBe(409)
  })

  it('is stored encrypted for its run only, as long as that lasts', async () => {
    const workspace = 'secrets-sealed'
    const key = await foreignKey(workspace)
    let go = (): void => undefined
    const until = new Promise<void>((resolve) => (go = resolve))
    modelReplies(() => ({ text: 'Done.', until }))
    const body = { message: 'Wait.', secrets: { TOKEN: VALUE } }
    const started = await send('POST /v1/chat', { key, body, headers: { Prefer: 'respond-async' } })
    const { thread_id, run_id } = await got<{ thread_id: string; run_id: string }>(
      Promise.resolve(started),
      202,
    )
    const stub = env.THREADS.getByName(`${workspace}/${thread_id}`)
    const during = await rowsOf(stub)
    expect(during).toMatch(
      new RegExp(`run_secrets: \\[\\{"run_id":"${run_id}","name":"TOKEN","sealed":"s1\\.`),
    )
    expectNone(during)
    go()
    await vi.waitFor(async () => expect(await rowsOf(stub)).toContain('run_secrets: []'), 10_000)
  })

  it('is not given to a tool that does not declare it, and the error says that it is missing', async () => {
    const key = await foreignKey('secrets-undeclared')
    await upsertTool(key)
    expect(await called(key, { secrets: { TOKEN: VALUE } })).toContain(
      'There is no secret TOKEN in this workspace',
    )
    tool = `ask_${++count}`
    await upsertTool(key, { request_secrets: ['TOKEN'] })
    await putSecret(key)
    expect(await called(key)).toContain('The request of this run has no secret TOKEN')
    expect(reached).toEqual([])
  })

  it.each([
    ['a bad name', { '1x': VALUE }],
    ['a bad value', { TOKEN: 'short' }],
    ['too many', Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`T${at}`, VALUE]))],
  ])('with %s is refused, and quoted nowhere', async (_, secrets) => {
    const problem = await refused(
      send('POST /v1/chat', { body: { message: 'Hi', secrets } }),
      422,
      'invalid_request',
    )
    expect(JSON.stringify(problem)).not.toMatch(/canary|short/)
  })
})
