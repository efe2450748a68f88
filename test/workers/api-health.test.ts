// Guards the routes that operate the Worker: liveness, readiness, the model, and the local server's routes to swap the build and
// to wake threads. A misconfigured Worker reports that in its log, never to unauthenticated clients.

import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { objects, type Env } from '../../src/env/env.ts'
import type { Caller } from '../../src/lib/caller.ts'
import { TestThread } from '../fault/rig.ts'
import { ADMIN_KEY, foreignKey, got, refused, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { seedBuild } from './seed-build.ts'

const MISSING = 'f'.repeat(64)
const DEV = { DEV_BUILD: '1' }
const OPERATOR: Caller = { workspace: 'default', keyId: 'admin', role: 'admin', user: null }

let build = ''

beforeEach(async () => {
  build = await serveSkills([{ name: 'alpha' }])
})

/** The errors logged until the test ends. */
function errorsLogged(): readonly string[] {
  const lines: string[] = []
  const real = console.error
  console.error = (line: string) => void lines.push(line)
  onTestFinished(() => {
    console.error = real
  })
  return lines
}

describe('health', () => {
  it('is alive without a key, a build or anything else', async () => {
    servePushedBuild(MISSING)
    expect(await got(send('GET /healthz', { key: null, env: { ADMIN_KEY: '' } }))).toEqual({ status: 'ok' })
  })

  it('is ready when the build can be read', async () => {
    const ready = await got(send('GET /readyz', { key: null }))
    expect(ready).toEqual({ status: 'ready', build, catalog_version: expect.any(Number) })
  })

  it('is not ready when the build is missing, and no route pretends that there are no skills', async () => {
    servePushedBuild(MISSING)
    await refused(send('GET /readyz', { key: null }), 503, 'not_ready')
    await refused(send('GET /v1/skills'), 503, 'not_ready')
    await refused(send('POST /v1/chat', { body: { message: 'Hello' } }), 503, 'not_ready')
  })
})

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max']
const FREE = { input: 0, output: 0, cache_write: 0, cache_read: 0 }

describe('the list of models', () => {
  it('names the demo model without a key, and the real one with it', async () => {
    const none = { ANTHROPIC_API_KEY: '' }
    expect(await got(send('GET /v1/models', { env: none }))).toEqual({
      data: [
        {
          id: 'demo',
          name: 'Demo model',
          default: true,
          demo: true,
          window: 200_000,
          images: false,
          efforts: [],
          price: FREE,
        },
      ],
      next_cursor: null,
    })
    const real = { ANTHROPIC_API_KEY: 'sk-ant-secret-secret', MODEL: 'some-model' }
    const response = await send('GET /v1/models', { env: real })
    const text = await response.text()
    const { data } = JSON.parse(text) as { data: { id: string }[] } // the cast is safe: Satchel sent this response
    expect(data[0]).toEqual({
      id: 'some-model',
      name: 'some-model',
      default: true,
      demo: false,
      window: null,
      images: false,
      efforts: EFFORTS,
      price: null,
    })
    expect(data.filter(({ id }) => id === 'some-model')).toHaveLength(1)
    expect(data.find(({ id }) => id === 'claude-haiku-4-5')).toMatchObject({
      name: 'Claude Haiku 4.5',
      default: false,
      window: 200_000,
      images: true,
      efforts: [],
      price: { input: 1, output: 5, cache_write: 1.25, cache_read: 0.1 },
    })
    expect(text).not.toContain('secret')
  })

  it('lists the entries of MODELS and nothing else, the default first', async () => {
    const models = [
      { id: 'local', price: { input: 0, output: 0 } },
      { id: 'mine', window: 9_000, images: true },
    ]
    const listed = { ANTHROPIC_API_KEY: 'sk-ant-key', MODELS: JSON.stringify(models), MODEL: 'mine' }
    expect(await got(send('GET /v1/models', { env: listed }))).toEqual({
      data: [
        {
          id: 'mine',
          name: 'mine',
          default: true,
          demo: false,
          window: 9_000,
          images: true,
          efforts: EFFORTS,
          price: null,
        },
        {
          id: 'local',
          name: 'local',
          default: false,
          demo: false,
          window: null,
          images: false,
          efforts: EFFORTS,
          price: FREE,
        },
      ],
      next_cursor: null,
    })
  })

  it('refuses other models by name with the allowed ones, and creates no thread', async () => {
    const body = { message: 'Hello', model: 'gpt' }
    const demo = await refused(
      send('POST /v1/chat', { body, env: { ANTHROPIC_API_KEY: '' } }),
      422,
      'unknown_model',
    )
    expect(demo.detail).toContain('only the demo model')
    const listed = { ANTHROPIC_API_KEY: 'sk-ant-key', MODELS: '[{"id":"mine"},{"id":"yours"}]' }
    const reported = await refused(send('POST /v1/chat', { body, env: listed }), 422, 'unknown_model')
    expect(reported).toMatchObject({ errors: [{ path: 'model' }] })
    expect(reported.detail).toContain('mine, yours')
  })
})

describe('the swap of the build', () => {
  const line = 'PUT /admin/catalog/build'

  it('is closed unless it was opened', async () => {
    const body = { digest: await seedBuild(env, [{ name: 'beta' }]) }
    await refused(send(line, { body }), 404, 'not_found')
    expect(await got(send('GET /readyz'))).toMatchObject({ build })
  })

  it('makes the pushed build live at once', async () => {
    const body = { digest: await seedBuild(env, [{ name: 'beta' }]) }
    const swapped = await got<{ catalog_version: number }>(send(line, { body, env: DEV }))
    expect(swapped).toMatchObject({ status: 'ready', build: body.digest })
    expect(await got(send('GET /v1/skills'))).toMatchObject({
      data: [{ name: 'beta' }],
      catalog_version: swapped.catalog_version,
    })
  })

  it('keeps the live build when the new one is missing', async () => {
    await refused(send(line, { body: { digest: MISSING }, env: DEV }), 503, 'not_ready')
    expect(await got(send('GET /readyz'))).toMatchObject({ build })
  })

  it('is not available to admins of other workspaces', async () => {
    const body = { digest: await seedBuild(env, [{ name: 'beta' }]) }
    const key = await foreignKey('other-ops')
    await refused(send(line, { body, env: DEV, key }), 404, 'not_found')
  })
})

/** Asks the Worker to resume threads. */
function wake(body: object = {}, of: Partial<Env> = DEV): Promise<Response> {
  return send('POST /admin/runs/wake', { body, env: of })
}

async function openThreads(): Promise<readonly string[]> {
  const threads = await objects(env).workspace('default').openThreads()
  if (!threads.ok) throw new Error(threads.error.detail)
  return threads.value
}

describe('a wake-up after a restart of a local server', () => {
  it('resumes a thread named in the request, even if the workspace knows of no run yet', async () => {
    const left = new TestThread({}, OPERATOR)
    const { run_id } = await left.start('Hello', { build })
    await left.ended(run_id)
    await left.sql((sql) => {
      sql.exec(
        "UPDATE runs SET status = 'running', stop_reason = NULL, ended_at = NULL, recorded = 0 WHERE id = ?",
        run_id,
      )
    })
    // The end of the run was reported, so the workspace knows of no open run.
    await eventually(async () => (await openThreads()).length === 0)
    await left.kill('alarm lost')
    expect(await got(wake())).toEqual({ threads: 0 })
    expect(await left.status(run_id)).toBe('running')
    const objectId = env.THREADS.idFromName(`default/${left.id}`).toString()
    // The id of an object that is not a thread is ignored.
    expect(await got(wake({ objects: ['0'.repeat(64), objectId] }))).toEqual({ threads: 2 })
    await eventually(async () => (await left.status(run_id)) === 'completed')
  })

  it('resumes every thread that has an open run, even without its alarm, and no other', async () => {
    const left = new TestThread({}, OPERATOR)
    const { run_id } = await left.start('Hello', { build })
    await left.ended(run_id)
    await left.sql((sql) => {
      // The rows as they were before the run's end.
      sql.exec(
        "UPDATE runs SET status = 'running', stop_reason = NULL, ended_at = NULL, recorded = 0 WHERE id = ?",
        run_id,
      )
    })
    await left.kill('alarm lost')
    const open = { thread: left.id, run: run_id, key: 'admin', queued: false, until: Date.now() + 60_000 }
    await objects(env).workspace('default').admit(open, true)
    expect(await left.status(run_id)).toBe('running')
    expect(await got(wake())).toEqual({ threads: 1 })
    await eventually(async () => (await left.status(run_id)) === 'completed')
    await eventually(async () => {
      const { threads } = await got<{ threads: number }>(wake())
      return threads === 0
    })
  })

  it('continues with the other threads when one fails', async () => {
    for (const thread of ['th_broken', 'th_whole'])
      await objects(env)
        .workspace('default')
        .admit({ thread, run: 'run_1', key: 'admin', queued: false, until: Date.now() + 60_000 }, true)
    const requested: string[] = []
    const THREADS = {
      getByName: (name: string) => ({
        info: async () => {
          requested.push(name)
          if (name.endsWith('broken')) throw new Error('no such object')
          return { ok: false, error: { code: 'not_found', detail: 'None.' } }
        },
      }),
    } as unknown as DurableObjectNamespace // the cast is safe: the route uses only these methods
    expect(await got(wake({}, { ...DEV, THREADS }))).toEqual({ threads: 2 })
    expect(requested.toSorted()).toEqual(['default/th_broken', 'default/th_whole'])
  })
})

describe('a misconfigured Worker', () => {
  it('names the variable only in its log, and never its value', async () => {
    const lines = errorsLogged()
    const short = 'too-short-secret'
    const problem = await refused(
      send('GET /v1/models', { key: 'x', env: { ADMIN_KEY: short } }),
      500,
      'internal',
    )
    expect(JSON.stringify(problem)).not.toMatch(/ADMIN_KEY|too-short/)
    expect(lines.join('\n')).toContain('ADMIN_KEY')
    expect(lines.join('\n')).toContain(problem.request_id)
    expect(lines.join('\n')).not.toContain(short)
  })

  it('reports an internal error without its cause when an object throws', async () => {
    const lines = errorsLogged()
    const broken = {
      getByName: () => {
        throw new Error(`down, said Bearer ${ADMIN_KEY}`)
      },
    }
    // The cast is safe: only getByName() of the namespace is used.
    const CATALOGS = broken as unknown as DurableObjectNamespace
    const problem = await refused(send('GET /v1/skills', { env: { CATALOGS } }), 500, 'internal')
    expect(JSON.stringify(problem)).not.toContain('down')
    expect(lines.join('\n')).toContain('down')
    expect(lines.join('\n')).not.toContain(ADMIN_KEY)
  })

  it.each(['overloaded', 'retryable'])('asks to retry when an object is %s', async (flag) => {
    errorsLogged()
    const CATALOGS = {
      getByName: () => {
        throw Object.assign(new Error('reset'), { [flag]: true })
      },
    } as unknown as DurableObjectNamespace
    const response = await send('GET /v1/skills', { env: { CATALOGS } })
    expect(response.headers.get('Retry-After')).toBe('2')
    await refused(Promise.resolve(response), 503, 'overloaded')
  })

  it('answers an accepted run with its URL when the thread dies before its end', async () => {
    const thread = {
      start: async () => ({ ok: true, value: { thread_id: 'th_1', run_id: 'run_1', events: null } }),
      reply: async () => {
        throw new Error('the object was reset')
      },
    }
    const THREADS = { getByName: () => thread } as unknown as DurableObjectNamespace
    const ask = { body: { message: 'Hello' }, headers: { Accept: 'application/json' }, env: { THREADS } }
    const response = await send('POST /v1/chat', ask)
    expect(response.headers.get('Location')).toBe('/v1/threads/th_1/runs/run_1')
    await got(Promise.resolve(response), 202)
  })
})
