// Guards HTTP tools in the API: only admins change them, a new thread has an added tool at once, a running thread loses
// a removed one at once, and a thread without tools does not change.

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/agent/events.ts'
import type { CallableTool, ToolInfo } from '../../src/api/tools/info.ts'
import {
  requested,
  chat,
  foreignKey,
  got,
  toolsSendBy,
  makeKey,
  modelReplies,
  publish,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import { utf8 } from '../../src/lib/bytes.ts'
import { ok } from '../../src/lib/result.ts'

let count = 0
let name = ''
/** Inputs that reached a tool, with the URL of the executed definition. */
const made: string[] = []
const FOUND = 'HTTP 200\n\nFound.'

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }]))
beforeEach(() => {
  name = `find_${++count}`
  made.length = 0
  modelReplies()
  toolsSendBy(async ({ url }) => {
    made.push(url)
    const headers = { 'content-type': 'text/plain' }
    return ok({ status: 200, headers, body: utf8('Found.'), cut: false, url })
  })
})
afterEach(() => toolsSendBy(null))

function definition(description = 'Finds tickets.', more: object = {}): Record<string, unknown> {
  return {
    description,
    input_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    request: { method: 'GET', url: 'https://api.example.com/tickets/{{input.id}}' },
    ...more,
  }
}

interface Answered {
  readonly tool: ToolInfo | null
  readonly catalog_version: number
  readonly created?: boolean
}

async function put(body: object = definition(), status = 201, headers = {}): Promise<Answered> {
  return got<Answered>(send(`PUT /admin/tools/${name}`, { body, headers }), status)
}

/** Names of the tools in the last request. */
function offered(): readonly string[] {
  return requested.at(-1)?.tools.map((tool) => tool.name) ?? []
}

function results(events: readonly Event[]): readonly unknown[] {
  return events.flatMap((event) => (event.type === 'tool.completed' ? [[event.is_error, event.preview]] : []))
}

describe('/admin/tools', () => {
  it('creates, shows, switches, compares, rolls back and removes, each with a version of the catalog', async () => {
    const first = await put()
    expect(first).toMatchObject({
      created: true,
      tool: {
        name,
        source: 'workspace',
        enabled: true,
        effect: 'read',
        approval: { ask: 'never' },
        group: null,
        method: 'GET',
        problem: null,
      },
    })
    const same = await put(definition(), 200)
    expect(same).toMatchObject({ created: false, catalog_version: first.catalog_version })
    const digest = first.tool?.digest ?? ''
    const changed = definition('Finds tickets by their number.')
    await refused(
      send(`PUT /admin/tools/${name}`, { body: changed, headers: { 'If-None-Match': '*' } }),
      412,
      'stale_version',
    )
    const tried = await got(send(`PUT /admin/tools/${name}?dry_run=1`, { body: changed }))
    expect(tried).toMatchObject({ dry_run: true, created: false, changes: { changed: [name] } })
    const second = await got<Answered>(
      send(`PUT /admin/tools/${name}?note=clearer`, {
        body: changed,
        headers: { 'If-Match': `"${digest}"` },
      }),
      201,
    )
    expect(second.catalog_version).toBe(first.catalog_version + 1)
    const shown = await send(`GET /admin/tools/${name}`)
    expect(shown.headers.get('ETag')).toBe(`"${second.tool?.digest}"`)
    expect(await got(Promise.resolve(shown))).toMatchObject({
      definition: { name, description: 'Finds tickets by their number.', timeout_s: 30 },
      versions: [
        { live: true, note: 'clearer' },
        { live: false, digest },
      ],
    })
    const diff = await send(`GET /admin/tools/${name}/diff`, { headers: { Accept: 'text/x-diff' } })
    expect(await diff.text()).toContain('-  "description": "Finds tickets.",')
    expect(await got(send(`GET /admin/tools/${name}/versions/${digest}`))).toMatchObject({
      definition: { description: 'Finds tickets.' },
    })
    await got(send(`POST /admin/tools/${name}/rollback`, { body: {} }))
    await got(send(`PATCH /admin/tools/${name}`, { body: { enabled: false } }))
    const { data } = await got<{ data: ToolInfo[] }>(send('GET /admin/tools?limit=100'))
    expect(data.find((tool) => tool.name === name)).toMatchObject({ digest, enabled: false })
    expect(await got(send(`DELETE /admin/tools/${name}`))).toMatchObject({ tool: null })
    await refused(send(`GET /admin/tools/${name}`), 404, 'not_found')
    const history = await got<{ data: { action: string }[] }>(send(`GET /admin/tools/${name}/history`))
    expect(history.data.map(({ action }) => action)).toEqual([
      'unpublish',
      'disable',
      'rollback',
      'put',
      'put',
    ])
    expect(await got(send(`GET /admin/tools/${name}/versions`))).toMatchObject({ data: [{}, {}] })
  })

  it('refuses invalid tools, by field, and reserved names', async () => {
    const bad = definition('x', { request: { method: 'GET', url: 'https://{{input.id}}.example.com/' } })
    const problem = await refused(send(`PUT /admin/tools/${name}`, { body: bad }), 422, 'invalid_tool')
    expect(problem.errors?.[0]?.path).toBe('request.url')
    for (const kept of ['bash', 'Bash', 'Read', 'task', 'files'])
      await refused(send(`PUT /admin/tools/${kept}`, { body: definition() }), 422, 'invalid_tool')
    await refused(
      send(`PUT /admin/tools/${name}`, { body: { ...definition(), name: 'other' } }),
      422,
      'invalid_request',
    )
    await refused(send('PATCH /admin/tools/nobody', { body: { enabled: true } }), 404, 'not_found')
    await refused(send(`GET /admin/tools/${'x'.repeat(100)}`), 404, 'not_found')
  })

  it('is for admins, and a publisher who restores a catalog leaves tools as they are', async () => {
    const { key } = await makeKey('publisher')
    for (const line of [
      'GET /admin/tools',
      `GET /admin/tools/${name}`,
      `PUT /admin/tools/${name}`,
      `PATCH /admin/tools/${name}`,
      `DELETE /admin/tools/${name}`,
      `POST /admin/tools/${name}/rollback`,
    ])
      await refused(send(line, { key }), 403, 'forbidden')
    const { catalog_version: version } = await put()
    await got(send(`DELETE /admin/tools/${name}`))
    await publish({ name: `skill-${count}` })
    const body = { version }
    const done = await got(send('POST /admin/catalog/restore', { key, body }))
    expect(done).toMatchObject({ removed: [`skill-${count}`] })
    expect(done).not.toHaveProperty('tools')
    await refused(send(`GET /admin/tools/${name}`), 404, 'not_found')
    expect(await got(send('POST /admin/catalog/restore', { body }))).toMatchObject({
      tools: { added: [name] },
    })
    await got(send(`GET /admin/tools/${name}`))
  })

  it('shows nothing of one workspace to another', async () => {
    await put()
    const key = await foreignKey('elsewhere')
    expect(await got(send('GET /admin/tools', { key }))).toMatchObject({ data: [] })
    await refused(send(`GET /admin/tools/${name}`, { key }), 404, 'not_found')
  })
})

describe('a thread', () => {
  it('that begins after the change has the tool, and its prompt says that there are some; others are as before', async () => {
    const { data } = await got<{ data: ToolInfo[] }>(send('GET /admin/tools?limit=100'))
    for (const tool of data) await got(send(`DELETE /admin/tools/${tool.name}`))
    await chat({ message: 'Hello' })
    const without = requested[0]
    await put()
    await chat({ message: 'Hello' })
    expect(offered()).toEqual([...(without?.tools.map((tool) => tool.name) ?? []), name])
    expect(requested.at(-1)?.system).not.toBe(without?.system)
    await got(send(`DELETE /admin/tools/${name}`))
    await chat({ message: 'Hello' })
    const { system, tools } = requested.at(-1) ?? {}
    expect({ system, tools }).toEqual({ system: without?.system, tools: without?.tools })
  })

  it('calls the live definition while the model knows it, and otherwise gets an error with the reason', async () => {
    await put()
    const call = { name, input: { id: '7' } }
    let step = 0
    modelReplies(() => (step++ % 2 === 0 ? { calls: [call] } : { text: 'Done.' }))
    const begun = await chat({ message: 'Find 7' })
    expect(results(begun.events)).toEqual([[false, FOUND]])
    expect(made).toEqual(['https://api.example.com/tickets/7'])
    const ask = async (): Promise<readonly unknown[]> =>
      results((await chat({ message: 'Again', thread_id: begun.thread })).events)

    const elsewhere = { request: { method: 'GET', url: 'https://new.example.com/{{input.id}}' } }
    await put(definition('Finds tickets.', elsewhere))
    expect(await ask()).toEqual([[false, FOUND]])
    expect(made.at(-1)).toContain('new.example.com')

    await put(definition('Finds anything.'))
    expect(await ask()).toEqual([[true, expect.stringContaining('changed after this conversation began')]])
    await got(send(`POST /admin/tools/${name}/rollback`, { body: {} }))
    expect(await ask()).toEqual([[false, FOUND]])
    await got(send(`PATCH /admin/tools/${name}`, { body: { enabled: false } }))
    expect(await ask()).toEqual([[true, expect.stringContaining('no longer available')]])
    await got(send(`DELETE /admin/tools/${name}`))
    expect(await ask()).toEqual([[true, expect.stringContaining('no longer available')]])
    expect(made).toHaveLength(3)
  })

  it("gets the result of a long request from its server's URL, in the same stream", async () => {
    await put(definition('Finds tickets.', { answer: '202 + Location' }))
    toolsSendBy(async ({ url }) => {
      made.push(url)
      const accepted = { status: 202, headers: { location: '/jobs/1', 'retry-after': '1' }, body: utf8('') }
      const ready = { status: 200, headers: { 'content-type': 'text/plain' }, body: utf8('Found.') }
      return ok({ ...(made.length === 1 ? accepted : ready), cut: false, url })
    })
    let step = 0
    modelReplies(() => (step++ === 0 ? { calls: [{ name, input: { id: '7' } }] } : { text: 'Done.' }))
    const { events } = await chat({ message: 'Find 7' })
    const detail: unknown = expect.stringContaining(`the result of ${name}`)
    expect(events.find(({ type }) => type === 'run.waiting')).toMatchObject({ reason: 'server', detail })
    expect(results(events)).toEqual([[false, FOUND]])
    expect(made).toEqual(['https://api.example.com/tickets/7', 'https://api.example.com/jobs/1'])
  })

  it('loses a tool during a run', async () => {
    await put()
    let step = 0
    modelReplies(() => {
      if (step++ < 2)
        return {
          calls: [{ name, input: { id: String(step) } }],
          ...(step === 2 ? { until: got(send(`DELETE /admin/tools/${name}`)) } : {}),
        }
      return { text: 'Done.' }
    })
    const { events } = await chat({ message: 'Find both' })
    expect(results(events)).toEqual([
      [false, FOUND],
      [true, expect.stringContaining('no longer available')],
    ])
  })

  it('chooses its tools by name or group when it begins, and keeps them', async () => {
    await put(definition('Finds tickets.', { group: 'tickets' }))
    const begun = await chat({ message: 'Hello', tools: ['tickets', 'ls'] })
    expect(offered()).toEqual(['ls', name])
    const { system } = requested.at(-1) ?? {}
    expect(system).not.toContain('load_skill')
    await chat({ message: 'Again', thread_id: begun.thread, tools: ['ls', 'tickets'] })
    expect(offered()).toEqual(['ls', name])
    await refused(
      send('POST /v1/chat', { body: { message: 'x', thread_id: begun.thread, tools: ['files'] } }),
      409,
      'prefix_frozen',
    )
    const problem = await refused(
      send('POST /v1/chat', { body: { message: 'x', tools: ['files', 'ticket'] } }),
      422,
      'unknown_tool',
    )
    expect(problem.errors).toEqual([{ path: 'tools[1]', message: expect.stringContaining('tickets') }])
    const none = await chat({ message: 'Hello', tools: [] })
    expect(none.last?.type).toBe('run.completed')
    expect(offered()).toEqual([])
  })

  it('with a skill that allows a configured tool by name keeps that, and loses others', async () => {
    await put(definition('Finds tickets.', { effect: 'once', approval: { ask: 'never' } }))
    const other = `${name}_b`
    await got(
      send(`PUT /admin/tools/${other}`, {
        body: definition('Other.', { effect: 'once', approval: { ask: 'never' } }),
      }),
      201,
    )
    const skill = `ticketing-${count}`
    await publish({ name: skill, fields: { 'allowed-tools': name } })
    let step = 0
    modelReplies(() => {
      const calls = [name, other].map((tool) => ({ name: tool, input: { id: '1' } }))
      return step++ === 0 ? { calls } : { text: 'Done.' }
    })
    const { events } = await chat({ message: `/${skill} go` })
    expect(results(events)).toEqual([
      [false, FOUND],
      [true, expect.stringContaining('not allowed by the active skill policy')],
    ])
  })
})

describe('GET /v1/tools', () => {
  it("lists what the agent may call, with effect and rule, in the model's order", async () => {
    await put(definition('Finds tickets.', { group: 'tickets', effect: 'once' }))
    const { key } = await makeKey('chat')
    const { data } = await got<{ data: CallableTool[] }>(send('GET /v1/tools', { key }))
    expect(data[0]).toMatchObject({
      name: 'load_skill',
      source: 'builtin',
      group: 'skills',
      effect: 'read',
      label: { icon: 'skill', now: 'Loading', past: 'Loaded' },
    })
    expect(data.find((tool) => tool.name === name)).toEqual({
      name,
      description: 'Finds tickets.',
      label: null,
      origin: null,
      source: 'http',
      group: 'tickets',
      effect: 'once',
      approval: { ask: 'always' },
    })
    await got(send(`PATCH /admin/tools/${name}`, { body: { enabled: false } }))
    const after = await got<{ data: CallableTool[] }>(send('GET /v1/tools', { key }))
    expect(after.data.map((tool) => tool.name)).not.toContain(name)
  })

  it('lists the search of the default model if the workspace wants it and the model has one', async () => {
    const set = (server_search: boolean | null): Promise<unknown> =>
      got(send('PATCH /admin/settings', { body: { web: { server_search } } }))
    const listed = async (env: object): Promise<CallableTool | undefined> => {
      const { data } = await got<{ data: CallableTool[] }>(send('GET /v1/tools', { env }))
      return data.find((tool) => tool.name === 'web_search')
    }
    await set(true)
    expect(await listed({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({ source: 'server', group: 'web' })
    expect(await listed({})).toBeUndefined()
    await set(null)
    expect(await listed({ ANTHROPIC_API_KEY: 'k' })).toBeUndefined()
  })
})
