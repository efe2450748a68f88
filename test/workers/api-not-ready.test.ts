// Promise: a Worker whose skills are not yet available says so on every route that needs them, with its own code and a
// retry time. It accepts no delivery that it could not run, and an accepted one begins once the skills are there.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { indexObjects } from '../../src/skills/store/index-objects.ts'
import { blobKey, indexKey } from '../../src/skills/store/keys.ts'
import type { DeliveryInfo } from '../../src/webhooks/api.ts'
import { got, refused, send, serveSkills, skillFolderOf } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { seedBuild } from './seed-build.ts'

/** As when the local server's Worker starts, before it has received the build that it serves. */
const UNTOLD = ''
/** As in a deployment whose skills were not pushed. */
const NOT_PUSHED = 'f'.repeat(64)

const SKILL = skillFolderOf({ name: 'alpha' })

/** Every route that needs skills. */
const WAYS: readonly { readonly line: string; readonly body?: object }[] = [
  { line: 'GET /readyz' },
  { line: 'GET /.well-known/agent-skills/index.json' },
  { line: 'POST /v1/chat', body: { message: 'Hello' } },
  { line: 'GET /v1/skills' },
  { line: 'GET /v1/skills/alpha' },
  { line: 'POST /v1/skills/match', body: { text: 'alpha' } },
  { line: 'GET /admin/skills' },
  { line: 'GET /admin/skills/alpha' },
  { line: 'POST /admin/skills', body: SKILL },
  { line: 'PATCH /admin/skills/alpha', body: { enabled: false } },
  { line: 'DELETE /admin/skills/alpha' },
  { line: 'GET /admin/catalog' },
  { line: 'POST /admin/catalog/commit', body: { skills: [], unpublish: ['alpha'] } },
]

interface Hook {
  readonly id: string
  readonly url: string
  readonly secret: string
}

let hook: Hook

async function deliver(id: string): Promise<Response> {
  const body = '{"a":1}'
  const now = new Date()
  return send(`POST ${hook.url}`, {
    key: null,
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(hook.secret).sign(id, now, body),
    },
  })
}

async function deliveries(): Promise<readonly DeliveryInfo[]> {
  const list = await got<{ data: DeliveryInfo[] }>(send(`GET /admin/hooks/${hook.id}/deliveries`))
  return list.data
}

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  hook = await got<Hook>(send('POST /admin/hooks', { body: { name: 'alerts' } }), 201)
})

describe.each([
  ['has no skills yet', UNTOLD],
  ['lacks the skills that it was deployed with', NOT_PUSHED],
])('a Worker that %s', (_, build) => {
  it.each(WAYS)('is not ready: $line', async ({ line, body }) => {
    servePushedBuild(build)
    const response = await send(line, body ? { body } : {})
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    await refused(Promise.resolve(response), 503, 'not_ready')
  })

  it('is alive, and serves everything that needs no skills', async () => {
    servePushedBuild(build)
    await got(send('GET /healthz', { key: null }))
    await got(send('GET /v1/models'))
    await got(send('GET /v1/threads'))
  })
})

it('a swap to a build that is not pushed yet can be retried, and keeps the live one', async () => {
  const live = await serveSkills([{ name: 'alpha' }])
  const swap = send('PUT /admin/catalog/build', { body: { digest: NOT_PUSHED }, env: { DEV_BUILD: '1' } })
  await refused(swap, 503, 'not_ready')
  expect(await got(send('GET /readyz'))).toMatchObject({ build: live })
})

describe('a delivery', () => {
  it('is refused by a Worker without a build: its run would have no skills', async () => {
    servePushedBuild(UNTOLD)
    const before = await deliveries()
    const response = await deliver('msg_untold')
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    await refused(Promise.resolve(response), 503, 'not_ready')
    expect(await deliveries()).toEqual(before)
  })

  it('accepted before the skills were pushed waits for them, and begins', async () => {
    const skills = [{ name: 'late', description: 'Comes after the delivery.' }]
    // A build whose bytes are missing, as if it had never been pushed.
    const build = await seedBuild(env, skills)
    const text = await env.SKILLS.get(indexKey(build))
    await env.SKILLS.delete(indexKey(build))
    await env.RESOURCES.delete(blobKey('build', build))
    servePushedBuild(build)
    const { thread_id, run_id } = await got<{ thread_id: string; run_id: string }>(deliver('msg_early'), 202)
    const reported = async () => (await deliveries()).find(({ reason }) => reason?.startsWith('not_ready: '))
    await eventually(async () => (await reported()) !== undefined)
    expect(await reported()).toMatchObject({ state: 'recorded', tries: 0 })

    await env.SKILLS.put(indexKey(build), text ?? '')
    // Once it is due, a sender repeats it or the alarm fires.
    await runInDurableObject(env.HOOKS.getByName(hook.id), (_, { storage }) => {
      storage.sql.exec('UPDATE deliveries SET next_try_at = 0')
    })
    await deliver('msg_early')
    await eventually(async () => {
      const run = await send(`GET /v1/threads/${thread_id}/runs/${run_id}`)
      return (
        run.status === 200 && (await got<{ status: string }>(Promise.resolve(run))).status === 'completed'
      )
    })
  })
})

it('damaged skills are reported as broken, not as late', async () => {
  const { address } = await indexObjects({ format: 1, skills: [] })
  await env.SKILLS.put(indexKey(address), 'damaged')
  servePushedBuild(address)
  await refused(send('GET /readyz', { key: null }), 503, 'catalog_broken')
})
