// Promise: each step of a deployment does what is missing and nothing else, and a refusal by Cloudflare is reported
// with what to do.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'

import { findAccount, logIn, remoteOf, type Remote } from '../../../../scripts/deploy/account.ts'
import { waitUntilServed } from '../../../../scripts/deploy/ready.ts'
import { gatherSecrets, missingSecrets, sendSecrets } from '../../../../scripts/deploy/secrets.ts'
import { findStores, createStores } from '../../../../scripts/deploy/stores.ts'
import { upload } from '../../../../scripts/deploy/worker.ts'
import { cloudflareApi } from '../../../../scripts/lib/cloudflare.ts'
import { WranglerError, type RunWrangler } from '../../../../scripts/lib/wrangler.ts'
import { READY_DEADLINE_MS } from '../../../../scripts/deploy/limits.ts'
import { ACCOUNT, CloudflareApi } from '../../../fakes/cloudflare-api.ts'
import { apiOf } from './api-of.ts'
import { scripted } from './scripted-wrangler.ts'

const CONFIG = {
  name: 'satchel',
  main: '/project/src/index.ts',
  kv_namespaces: [{ binding: 'SKILLS' }],
  r2_buckets: [{ binding: 'RESOURCES' }, { binding: 'FILES' }],
  ratelimits: [],
}
const NONE = { exists: false, secrets: new Set<string>(), stores: {}, stamp: null }
const nobody = () => {}

let cloudflare: CloudflareApi
let remote: Remote
beforeEach(async () => {
  cloudflare = await new CloudflareApi().start()
  remote = remoteOf(apiOf(cloudflare), ACCOUNT, CONFIG.name)
})
afterEach(async () => cloudflare.stop())

test('resources that the Worker is bound to are not asked for', async () => {
  const linked = { SKILLS: 'id', RESOURCES: 'mine', FILES: 'also-mine' }
  const stores = await findStores(CONFIG, { ...NONE, exists: true, stores: linked }, remote)
  expect(stores.map(({ id, state }) => [id, state])).toEqual([
    ['id', 'linked'],
    ['mine', 'linked'],
    ['also-mine', 'linked'],
  ])
  expect([await createStores(stores, remote, nobody), cloudflare.requested]).toEqual([linked, []])
})

test('a store with the right name is used, even among hundreds, and a missing one is created', async () => {
  const others = Array.from({ length: 120 }, (_, index) => `other-${index}`)
  const titles = [...others, 'satchel-skills']
  const namespaces = titles.map((title) => ({ id: `id of ${title}`, title, keys: new Map<string, string>() }))
  cloudflare.stores.namespaces.push(...namespaces)
  cloudflare.stores.buckets.set('satchel-files', new Map())
  const stores = await findStores(CONFIG, NONE, remote)
  expect(stores.map(({ name, state }) => [name, state])).toEqual([
    ['satchel-skills', 'found'],
    ['satchel-resources', 'new'],
    ['satchel-files', 'found'],
  ])
  const output: string[] = []
  expect(await createStores(stores, remote, (line) => output.push(line))).toEqual({
    SKILLS: 'id of satchel-skills',
    RESOURCES: 'satchel-resources',
    FILES: 'satchel-files',
  })
  expect(output).toEqual(['created R2 satchel-resources'])
  expect(cloudflare.requested.filter((line) => line.startsWith('POST'))).toEqual(['POST /r2/buckets'])
})

test('for an account without R2 the error says where to enable it', async () => {
  cloudflare.stores.hasR2 = false
  await expect(findStores(CONFIG, NONE, remote)).rejects.toThrow(
    'R2, which stores skills and files, is not enabled',
  )
})

test('a request that fails temporarily is sent again, one that creates something is not', async () => {
  cloudflare.refuse(/^GET \/r2\/buckets$/, 503, 10_001, 'Try again.')
  await expect(findStores(CONFIG, NONE, remote)).rejects.toThrow('Try again. [code: 10001]')
  expect(cloudflare.requested.filter((line) => line === 'GET /r2/buckets')).toHaveLength(3)
  cloudflare.fix()
  cloudflare.refuse(/^POST /, 503, 10_001, 'Try again.')
  cloudflare.requested.length = 0
  const stores = await findStores(CONFIG, NONE, remote)
  await expect(createStores(stores, remote, nobody)).rejects.toThrow('Try again.')
  expect(cloudflare.requested.filter((line) => line.startsWith('POST'))).toHaveLength(1)
})

test('an API that cannot be reached is named with the reason', async () => {
  const environment = { CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4' }
  const away = cloudflareApi({}, { fetch, environment, wait: async () => {} })
  await expect(away.result(z.unknown(), 'GET /user')).rejects.toThrow(/127\.0\.0\.1:9: .+/)
})

test('an interrupted response is requested again, and a list that repeats a page ends', async () => {
  const page = { success: true, result: [1], result_info: { cursor: 'again' } }
  let requests = 0
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('cut off')) })
  const fetches = async () => new Response(++requests === 1 ? broken : JSON.stringify(page))
  const api = cloudflareApi({}, { fetch: fetches, environment: {}, wait: async () => {} })
  expect(await api.result(z.array(z.number()), 'GET /list')).toEqual([1])
  expect(requests).toBe(2)
  await expect(api.list(z.array(z.number()), 'GET /list')).rejects.toThrow('GET /list repeats the same page')
})

const ACCOUNTS = [
  { id: 'a1', name: 'One' },
  { id: 'a2', name: 'Two' },
]
const LOGIN = { accountId: null, hasToken: false }

test('the fix for a refused login is a new token, or a login if there is no token', async () => {
  const wrong = apiOf(cloudflare, 'a-wrong-token')
  expect(await findAccount(wrong, { ...LOGIN, hasToken: true }, null, nobody)).toMatchObject({
    error: expect.stringContaining('the token in CLOUDFLARE_API_TOKEN'),
  })
  expect(await findAccount(wrong, LOGIN, null, nobody)).toMatchObject({
    error: expect.stringContaining('this login. Log in first'),
  })
})

test('of several accounts a person chooses; without one they are listed', async () => {
  cloudflare.accounts = ACCOUNTS
  const chosen = await findAccount(remote.api, LOGIN, async () => '2', nobody)
  expect(chosen).toEqual({ ok: true, value: { id: 'a2', name: 'Two', email: 'dev@example.com' } })
  for (const answer of ['', '3', 'x'])
    expect(await findAccount(remote.api, LOGIN, async () => answer, nobody)).toMatchObject({ ok: false })
  const listed = await findAccount(remote.api, LOGIN, null, nobody)
  expect(listed).toMatchObject({
    ok: false,
    error: expect.stringMatching(/CLOUDFLARE_ACCOUNT_ID[\s\S]*Two \(a2\)/),
  })
})

test('the only account, or the given one, is used without a question', async () => {
  const find = (accountId: string | null) => findAccount(remote.api, { ...LOGIN, accountId }, null, nobody)
  expect(await find(null)).toMatchObject({ value: { id: ACCOUNT } })
  cloudflare.accounts = ACCOUNTS
  expect(await find('a2')).toMatchObject({ value: { name: 'Two' } })
  cloudflare.accounts = []
  expect(await find('a9')).toMatchObject({ value: { id: 'a9', name: null } })
  expect(await find(null)).toMatchObject({ ok: false })
})

test('a token that may not read its user or its memberships is enough', async () => {
  cloudflare.refuse(/^GET \/(?:user|memberships)$/, 403, 9_109, 'Unauthorized to access requested resource')
  expect(await findAccount(remote.api, LOGIN, null, nobody)).toMatchObject({
    value: { id: ACCOUNT, email: null },
  })
})

test('each kind of login that wrangler has is used, and none is shown', async () => {
  const headersFor = async (login: object) => {
    const { run } = scripted({ 'auth token': `A notice.\n${JSON.stringify(login, null, 2)}\nAnother.` })
    let sent: HeadersInit | undefined
    const fake = async (_: string, init: RequestInit) => (
      (sent = init.headers),
      Response.json({ success: true, result: {} })
    )
    const api = await logIn(run, { fetch: fake, environment: {}, wait: async () => {} })
    if (api.ok) await api.value.result(z.unknown(), 'GET /user')
    return sent
  }
  expect(await headersFor({ type: 'oauth', token: 't' })).toEqual({ Authorization: 'Bearer t' })
  expect(await headersFor({ type: 'api_token', token: 't' })).toEqual({ Authorization: 'Bearer t' })
  expect(await headersFor({ type: 'api_key', key: 'k', email: 'e' })).toEqual({
    'X-Auth-Key': 'k',
    'X-Auth-Email': 'e',
  })
  const ports = { fetch, environment: {}, wait: async () => {} }
  for (const out of ['{"type":"new","token":"the-value"}', '{"token": the-value}', 'the-value']) {
    const { run } = scripted({ 'auth token': out })
    await expect(logIn(run, ports)).rejects.toThrow(/^(?!.*the-value).*could not be read/)
  }
})

test('existing secrets are kept, given ones used, and others generated or asked for', async () => {
  const missing = missingSecrets(new Set(['ID_SECRET']), {
    ADMIN_KEY: 'an-admin-key-of-24-or-more',
    PATH: 'x',
  })
  expect(missing).toEqual({
    ok: true,
    value: {
      provided: { ADMIN_KEY: 'an-admin-key-of-24-or-more' },
      generated: ['ENCRYPTION_KEY'],
      prompted: ['ANTHROPIC_API_KEY'],
    },
  })
  if (!missing.ok) return
  const gathered = await gatherSecrets(missing.value, async () => 'sk-ant-1')
  expect(gathered).toEqual({
    ok: true,
    value: {
      ADMIN_KEY: 'an-admin-key-of-24-or-more',
      ENCRYPTION_KEY: expect.stringMatching(/^satchel_[0-9a-z]{40}$/),
      ANTHROPIC_API_KEY: 'sk-ant-1',
    },
  })
  const names = async (answer: string | null) => {
    const result = await gatherSecrets(missing.value, async () => answer)
    return result.ok ? Object.keys(result.value) : result.error
  }
  expect(await names('')).toEqual(['ADMIN_KEY', 'ENCRYPTION_KEY'])
  expect(await names(null)).toContain('nothing was changed')
})

test('no secrets are sent when none are missing', async () => {
  await sendSecrets(remote, {})
  expect(cloudflare.requested).toEqual([])
})

test.each([
  'you must switch to a paid plan at https://dash.cloudflare.com/a/workers/plans. [code: 10195]',
  'binding LOADER of type worker_loader is invalid [code: 10021]',
])('a plan without the loader gets the Worker without it, once: %s', async (error) => {
  const { run, calls } = scripted({
    'deploy --var': new WranglerError(['deploy'], `[ERROR] ${error}`),
    'triggers deploy': 'Deployed satchel triggers (1 sec)\n  https://satchel.team.workers.dev\n',
  })
  const root = mkdtempSync(join(tmpdir(), 'satchel-deploy-'))
  const config = { ...CONFIG, worker_loaders: [{ binding: 'LOADER' }] }
  const what = { root, config, run, stamp: 's', onLine: nobody }
  const uploaded = await upload({ ...what, liveStamp: 's-bare' })
  expect(uploaded).toEqual({
    targets: ['https://satchel.team.workers.dev'],
    hasSandbox: false,
    isNew: false,
  })
  expect(calls.map((args) => args.slice(0, 3))).toEqual([
    ['deploy', '--var', 'DEPLOYED_AS:s'],
    ['triggers', 'deploy'],
  ])
})

test('any other refusal of an upload ends the deployment', async () => {
  const run: RunWrangler = async (args) => {
    throw new WranglerError(args, '[ERROR] binding X of type kv_namespace is invalid [code: 10021]')
  }
  const config = { ...CONFIG, worker_loaders: [{ binding: 'LOADER' }] }
  const ended = upload({ root: '/nowhere', config, run, stamp: 's', liveStamp: null, onLine: nobody })
  await expect(ended).rejects.toThrow('kv_namespace is invalid')
})

test('the deployment waits until the sent build is served, and not forever', async () => {
  let now = 0
  const answers = [
    Response.json({ code: 'not_ready', detail: 'The skills are missing.' }, { status: 503 }),
    new Response('<html>', { status: 404 }),
    Response.json({ status: 'ready', build: 'old' }),
  ]
  const onLine: string[] = []
  const ports = (fetch: () => Promise<Response>) => ({
    fetch,
    now: () => now,
    wait: async (ms: number) => void (now += ms),
    waiting: (what: string) => void onLine.push(what),
  })
  const last = () => Response.json({ status: 'ready', build: 'new' })
  expect(
    await waitUntilServed(
      'https://x',
      'new',
      ports(async () => answers.shift() ?? last()),
    ),
  ).toMatchObject({
    ok: true,
  })
  expect(onLine).toEqual([
    '503 not_ready: The skills are missing.',
    'it responds with 404',
    'the previous version is still live',
  ])
  const away = async (): Promise<Response> => {
    throw new Error('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') })
  }
  const began = now
  expect(await waitUntilServed('https://x', 'new', ports(away))).toEqual({
    ok: false,
    error: 'no response yet: getaddrinfo ENOTFOUND',
  })
  expect(now - began).toBeLessThan(READY_DEADLINE_MS + 2_000)
})

test('errors of wrangler are printed without their frame', () => {
  const error = new WranglerError(
    ['kv', 'namespace', 'create', 'x'],
    '⛅️ wrangler\n\n✘ [ERROR] A request failed.\n\n  already exists [code: 10014]\n\n  If you think this is a bug, please open an issue\n\n🪵  Logs were written to "/x"\n',
  )
  expect(error.message).toBe(
    'wrangler kv namespace create failed: A request failed.\nalready exists [code: 10014]',
  )
  expect(error.codes).toEqual([10_014])
})
