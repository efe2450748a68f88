// Promise: each step of a deployment does what is missing and nothing else, and a refusal by Cloudflare is reported
// with what to do.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { findAccount } from '../../../../scripts/deploy/account.ts'
import { waitUntilServed } from '../../../../scripts/deploy/ready.ts'
import { gatherSecrets, missingSecrets, sendSecrets } from '../../../../scripts/deploy/secrets.ts'
import { findStores, createStores } from '../../../../scripts/deploy/stores.ts'
import { upload } from '../../../../scripts/deploy/worker.ts'
import { WranglerError, type RunWrangler } from '../../../../scripts/lib/wrangler.ts'
import { READY_DEADLINE_MS } from '../../../../scripts/deploy/limits.ts'
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

test('what the Worker is bound to is asked of nobody', async () => {
  const { run, calls } = scripted({})
  const linked = { SKILLS: 'id', RESOURCES: 'mine', FILES: 'also-mine' }
  const stores = await findStores(CONFIG, { ...NONE, exists: true, stores: linked }, run)
  expect(stores.map(({ id, state }) => [id, state])).toEqual([
    ['id', 'linked'],
    ['mine', 'linked'],
    ['also-mine', 'linked'],
  ])
  expect([await createStores(stores, run, nobody), calls]).toEqual([linked, []])
})

test('a store of the right name is taken, one that is missing is made', async () => {
  const namespaces = [{ id: 'other', title: 'other' }]
  const { run, calls } = scripted({
    'kv namespace list': () => JSON.stringify(namespaces, null, 2),
    'r2 bucket list':
      'Listing buckets...\nname:           satchel-files\ncreation_date:  2026\n\nname:           x\ncreation_date:  2026',
    'kv namespace create': ([, , , title = '']) => {
      namespaces.push({ id: 'new-id', title })
      return 'Success!'
    },
    'r2 bucket create': 'Created',
  })
  const stores = await findStores(CONFIG, NONE, run)
  expect(stores.map(({ name, state }) => [name, state])).toEqual([
    ['satchel-skills', 'new'],
    ['satchel-resources', 'new'],
    ['satchel-files', 'found'],
  ])
  const output: string[] = []
  expect(await createStores(stores, run, (line) => output.push(line))).toEqual({
    SKILLS: 'new-id',
    RESOURCES: 'satchel-resources',
    FILES: 'satchel-files',
  })
  expect(output).toEqual(['created KV satchel-skills', 'created R2 satchel-resources'])
  expect(calls.filter((args) => args.includes('create')).map((args) => args[3])).toEqual([
    'satchel-skills',
    'satchel-resources',
  ])
})

test('for an account without R2 the error says where to enable it', async () => {
  const { run } = scripted({
    'kv namespace list': '[]',
    'r2 bucket list': new WranglerError(['r2', 'bucket', 'list'], '[ERROR] Please enable R2 [code: 10042]'),
  })
  await expect(findStores(CONFIG, NONE, run)).rejects.toThrow(
    'R2, which stores skills and files, is not enabled',
  )
})

const ACCOUNTS = [
  { id: 'a1', name: 'One' },
  { id: 'a2', name: 'Two' },
]
const who = (accounts: readonly object[]) =>
  scripted({ whoami: `A notice.\n${JSON.stringify({ loggedIn: true, email: 'a@b.c', accounts }, null, 2)}` })
    .run

const LOGIN = { accountId: null, hasToken: false }

test('a login that is refused is fixed by a new token, or by a login where there is none', async () => {
  const { run } = scripted({ whoami: new WranglerError(['whoami'], 'Authentication error [code: 10000]') })
  expect(await findAccount(run, { ...LOGIN, hasToken: true }, null, nobody)).toMatchObject({
    error: expect.stringContaining('the token in CLOUDFLARE_API_TOKEN'),
  })
  expect(await findAccount(run, LOGIN, null, nobody)).toMatchObject({
    error: expect.stringContaining('this login. Log in first'),
  })
})

test('of several accounts a person chooses; without one they are listed', async () => {
  const chosen = await findAccount(who(ACCOUNTS), LOGIN, async () => '2', nobody)
  expect(chosen).toEqual({ ok: true, value: { id: 'a2', name: 'Two', email: 'a@b.c' } })
  for (const answer of ['', '3', 'x'])
    expect(await findAccount(who(ACCOUNTS), LOGIN, async () => answer, nobody)).toMatchObject({ ok: false })
  const listed = await findAccount(who(ACCOUNTS), LOGIN, null, nobody)
  expect(listed).toMatchObject({
    ok: false,
    error: expect.stringMatching(/CLOUDFLARE_ACCOUNT_ID[\s\S]*Two \(a2\)/),
  })
})

test('the only account, or the given one, is used without a question', async () => {
  expect(await findAccount(who(ACCOUNTS.slice(0, 1)), LOGIN, null, nobody)).toMatchObject({
    value: { id: 'a1' },
  })
  expect(await findAccount(who(ACCOUNTS), { ...LOGIN, accountId: 'a2' }, null, nobody)).toMatchObject({
    value: { name: 'Two' },
  })
  expect(await findAccount(who([]), { ...LOGIN, accountId: 'a9' }, null, nobody)).toMatchObject({
    value: { id: 'a9', name: null },
  })
  expect(await findAccount(who([]), LOGIN, null, nobody)).toMatchObject({ ok: false })
})

test('a bucket that was there and not listed, among many others, is taken', async () => {
  const there = 'The bucket you tried to create already exists, and you own it. [code: 10004]'
  const { run } = scripted({
    'r2 bucket list': 'Listing buckets...',
    'r2 bucket create': new WranglerError(['r2', 'bucket', 'create'], `[ERROR] ${there}`),
  })
  const config = { ...CONFIG, kv_namespaces: [] }
  const output: string[] = []
  const ids = await createStores(await findStores(config, NONE, run), run, (line) => output.push(line))
  expect(ids).toEqual({ RESOURCES: 'satchel-resources', FILES: 'satchel-files' })
  expect(output[0]).toBe('R2 satchel-resources already exists')
})

test('secrets: what is there is left alone, what is given is used, the rest is made or asked for', async () => {
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

test('secrets are in no argument, and none are sent where none are missing', async () => {
  const { run, calls, inputs } = scripted({ 'secret bulk': 'done' })
  await sendSecrets(run, {})
  expect(calls).toEqual([])
  await sendSecrets(run, { ADMIN_KEY: 'the-value' })
  expect([JSON.stringify(calls), inputs]).toEqual([
    expect.not.stringContaining('the-value'),
    ['{"ADMIN_KEY":"the-value"}'],
  ])
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
