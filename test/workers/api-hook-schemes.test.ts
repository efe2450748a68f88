// Guards "one delivery, one run" for senders with their own signatures: they are verified over the raw bytes, repeats are
// recognized, and a replaced secret needs no new URL.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '../../src/agent/message.ts'
import type { DeliveryInfo } from '../../src/webhooks/api.ts'
import type { SchemeName } from '../../src/webhooks/schemes/scheme.ts'
import { casesOr, SEED } from '../fuzz/seed.ts'
import { HMAC, SECRETS, sign, type Sent } from '../unit/webhooks/signers.ts'
import { pick, wrongDelivery } from '../unit/webhooks/wrong-deliveries.ts'
import { got, modelReplies, refused, requested, send, serveSkills } from './api-fixture.ts'
import { seededChance } from '../../scripts/lab/rig/random.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

beforeAll(() => serveSkills([{ name: 'alpha' }]))
beforeEach(() => modelReplies())

interface Made {
  readonly id: string
  readonly url: string
  readonly secret: string
}

interface Accepted {
  readonly delivery_id: string
  readonly thread_id: string
  readonly run_id: string
}

async function makeHook(scheme: SchemeName, more: object = {}): Promise<Made> {
  const signature = scheme === 'hmac' ? { signature: HMAC } : {}
  const body = { name: 'Alerts', scheme, secret: SECRETS[scheme], ...signature, ...more }
  return got<Made>(send('POST /admin/hooks', { body }), 201)
}

function deliver({ url }: Made, { headers, body }: Sent): Promise<Response> {
  const { 'content-type': type = 'application/json', ...proofs } = headers
  return send(`POST ${url}`, { key: null, body, headers: { ...proofs, 'Content-Type': type } })
}

async function deliveries({ id }: Made): Promise<readonly DeliveryInfo[]> {
  return (await got<{ data: DeliveryInfo[] }>(send(`GET /admin/hooks/${id}/deliveries`))).data
}

async function completed({ thread_id, run_id }: Accepted): Promise<void> {
  await eventually(async () => {
    const response = await send(`GET /v1/threads/${thread_id}/runs/${run_id}`)
    return (await response.json<{ status?: unknown }>()).status === 'completed'
  })
}

const SCHEMES: SchemeName[] = [
  'github',
  'gitlab',
  'slack',
  'stripe',
  'linear',
  'pagerduty',
  'hmac',
  'bearer',
  'basic',
]

describe.each(SCHEMES)('a delivery by %s', (scheme) => {
  it('starts a run once, however often it arrives; a forged one leaves nothing', async () => {
    const hook = await makeHook(scheme)
    const sent = sign(scheme, { title: 'Disk full' }, Date.now())
    const forged = sign(scheme, { title: 'Disk full' }, Date.now(), 'd-2', `${SECRETS[scheme]}x`)
    await refused(deliver(hook, forged), 401, 'unauthenticated')
    expect(await deliveries(hook)).toEqual([])
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => got<Accepted>(deliver(hook, sent), 202)))
    for (const other of others) expect(other).toEqual(first)
    if (first) await completed(first)
    expect(requested).toHaveLength(1)
    const listed = await deliveries(hook)
    expect(listed).toHaveLength(1)
    expect(listed[0]?.webhook_id).toBe(['bearer', 'basic'].includes(scheme) ? null : 'd-1')
  })
})

describe('repeats', () => {
  it('of GitHub under fifty new IDs, which it does not sign, are one run', async () => {
    const hook = await makeHook('github')
    const sent = sign('github', { title: 'Opened' }, Date.now())
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        got<Accepted>(
          deliver(hook, { ...sent, headers: { ...sent.headers, 'x-github-delivery': `g-${at}` } }),
          202,
        ),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    if (answers[0]) await completed(answers[0])
    expect(await deliveries(hook)).toHaveLength(1)
    expect(requested).toHaveLength(1)
  })

  it('with an ID and another body are refused and counted', async () => {
    const hook = await makeHook('github')
    await got(deliver(hook, sign('github', { n: 1 }, Date.now())), 202)
    await refused(deliver(hook, sign('github', { n: 2 }, Date.now())), 409, 'delivery_mismatch')
    expect(await deliveries(hook)).toMatchObject([
      { state: 'mismatch', webhook_id: 'd-1' },
      { webhook_id: 'd-1', mismatches: 1 },
    ])
  })

  it('of a sender without IDs are new deliveries after five minutes', async () => {
    const hook = await makeHook('bearer')
    const sent = sign('bearer', { status: 'firing' }, Date.now())
    const first = await got<Accepted>(deliver(hook, sent), 202)
    expect(await got<Accepted>(deliver(hook, sent), 202)).toEqual(first)
    await runInDurableObject(env.HOOKS.getByName(hook.id), (_, state) => {
      state.storage.sql.exec('UPDATE deliveries SET received_at = received_at - 301000')
    })
    expect(await got<Accepted>(deliver(hook, sent), 202)).not.toEqual(first)
    expect(await deliveries(hook)).toHaveLength(2)
  })
})

describe('a form', () => {
  it('of a Slack command fills the template as JSON does', async () => {
    const hook = await makeHook('slack', { template: 'Asked: {{text}}' })
    const accepted = await got<Accepted>(
      deliver(hook, sign('slack', { text: 'what broke?' }, Date.now())),
      202,
    )
    await completed(accepted)
    const { data } = await got<{ data: Message[] }>(send(`GET /v1/threads/${accepted.thread_id}/messages`))
    expect(data[0]?.content).toEqual([
      { type: 'text', text: 'Asked: <webhook_payload>what broke?</webhook_payload>' },
    ])
  })
})

describe('a URL verification', () => {
  it('by GitHub is answered, and starts no run', async () => {
    const hook = await makeHook('github')
    const { headers, body } = sign('github', { zen: 'Design for failure.', hook_id: 1 }, Date.now())
    const answer = await deliver(hook, { headers: { ...headers, 'x-github-event': 'ping' }, body })
    expect([answer.status, await answer.text()]).toEqual([200, '{"ok":true}'])
    expect(await deliveries(hook)).toEqual([])
  })

  it('by Slack is answered with its challenge as text, if it is signed', async () => {
    const hook = await makeHook('slack')
    const challenge = '<script>3eZbrw1aB</script>'
    const { headers } = sign('slack', {}, Date.now())
    const body = JSON.stringify({ type: 'url_verification', challenge })
    await refused(
      deliver(hook, { headers: { ...headers, 'content-type': 'application/json' }, body }),
      401,
      'unauthenticated',
    )
    const form = sign('slack', { type: 'url_verification', challenge }, Date.now())
    const answer = await deliver(hook, form)
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      challenge,
    ])
    expect(await deliveries(hook)).toEqual([])
  })
})

describe('a secret', () => {
  it('is replaced under the same URL; the previous one is valid until its time is over', async () => {
    const hook = await makeHook('github')
    const rotated = await got<Made & { previous_secret_until: string }>(
      send(`POST /admin/hooks/${hook.id}/rotate`, { body: {} }),
    )
    expect(rotated.secret).not.toBe(SECRETS.github)
    expect(Date.parse(rotated.previous_secret_until)).toBeGreaterThan(Date.now() + 86_000_000)
    const by = (secret: string, n: number): Sent => sign('github', { n }, Date.now(), `d-${n}`, secret)
    await got(deliver(hook, by(SECRETS.github, 1)), 202)
    await got(deliver(hook, by(rotated.secret, 2)), 202)
    await got(
      send(`POST /admin/hooks/${hook.id}/rotate`, { body: { secret: 'a-third-secret', overlap_s: 0 } }),
    )
    await refused(deliver(hook, by(SECRETS.github, 3)), 401, 'unauthenticated')
    await refused(deliver(hook, by(rotated.secret, 4)), 401, 'unauthenticated')
    await got(deliver(hook, by('a-third-secret', 5)), 202)
    expect(await (await send(`GET /admin/hooks/${hook.id}`)).text()).not.toContain('a-third-secret')
  })

  it('that the scheme cannot use is refused, and the current one stays', async () => {
    const hook = await makeHook('basic')
    const body = { secret: 'without-a-colon' }
    const problem = await refused(
      send(`POST /admin/hooks/${hook.id}/rotate`, { body }),
      422,
      'invalid_request',
    )
    expect(problem.errors?.[0]).toMatchObject({ path: 'secret' })
    await got(deliver(hook, sign('basic', { n: 1 }, Date.now())), 202)
  })
})

describe('deliveries mutated from valid ones', () => {
  it(`start nothing and leave nothing, while valid ones beside them are accepted (seed ${SEED})`, async () => {
    const chance = seededChance(SEED)
    const signing = SCHEMES.filter((scheme) => !['gitlab', 'bearer', 'basic'].includes(scheme))
    // A filter excludes all deliveries, so that right ones are recorded without a run.
    const filter = { all: [{ header: 'x-none', exists: true }] }
    const hooks = await Promise.all(
      signing.map(async (scheme) => ({ scheme, hook: await makeHook(scheme, { filter }), taken: 0 })),
    )
    for (let round = 0; round < casesOr(100); round++) {
      const one = pick(chance, hooks)
      const right = sign(one.scheme, { n: round }, Date.now(), `d-${round}`)
      const { wrong, change } = wrongDelivery(one.scheme, right, chance)
      expect((await deliver(one.hook, wrong)).status, `${one.scheme} ${change}`).toBe(401)
      // The same delivery without the change is genuine.
      if (round % 10 > 0) continue
      expect((await deliver(one.hook, right)).status, one.scheme).toBe(202)
      one.taken += 1
    }
    for (const { hook, taken } of hooks)
      expect((await deliveries(hook)).map(({ state }) => state)).toEqual(Array(taken).fill('filtered'))
  })
})
