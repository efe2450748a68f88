// Promise: a deployment's configuration is wrangler.toml with names of its own. A second deployment shares no store,
// rate limit or address with the first, and everything else.

import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { configFor, withoutLoader, withStores } from '../../../../scripts/deploy/config.ts'
import { deployAddress, addressFromFlag } from '../../../../scripts/deploy/address.ts'
import { stampOf } from '../../../../scripts/deploy/stamp.ts'

import type { Config } from '../../../../scripts/deploy/config.ts'

const RAW = {
  name: 'satchel',
  main: 'src/index.ts',
  compatibility_date: '2026-11-01',
  alias: { '@a/b': './src/b.ts', c: 'd' },
  routes: [{ pattern: 'chat.example.com', custom_domain: true }],
  workers_dev: false,
  kv_namespaces: [{ binding: 'SKILLS', id: 'of-production' }],
  r2_buckets: [{ binding: 'RESOURCES' }, { binding: 'FILES', bucket_name: 'of-production' }],
  worker_loaders: [{ binding: 'LOADER' }],
  observability: { logs: { enabled: true, invocation_logs: false } },
  ratelimits: [{ name: 'CHAT_RATE', namespace_id: '1001', simple: { limit: 1, period: 60 } }],
  vars: { MODEL: 'a', MODELS: '[]' },
  env: { staging: { vars: { MODEL: 'b' } }, eu: { name: 'satchel-europe', routes: ['eu.example.com/*'] } },
}

/** The configuration that results from `raw` for the environment `env`, in /project. */
function config(env: string | null, raw: unknown = RAW): Config {
  const made = configFor(raw, '/project', env)
  if (!made.ok) throw new Error(made.error)
  return made.value
}

test('the first deployment is wrangler.toml, with absolute paths', () => {
  expect(config(null)).toEqual({
    ...RAW,
    env: undefined,
    main: '/project/src/index.ts',
    alias: { '@a/b': '/project/src/b.ts', c: 'd' },
  })
})

test('each rate limit counts separately', () => {
  const ids = readFileSync('wrangler.toml', 'utf8').match(/(?<=namespace_id = ")\d+/g) ?? []
  expect(ids.length).toBeGreaterThan(5)
  expect(new Set(ids).size).toBe(ids.length)
})

test('another deployment shares no store, counter or address with the first', () => {
  const staging = config('staging')
  expect(staging).toMatchObject({
    name: 'satchel-staging',
    compatibility_date: '2026-11-01',
    kv_namespaces: [{ binding: 'SKILLS' }],
    r2_buckets: [{ binding: 'RESOURCES' }, { binding: 'FILES' }],
    worker_loaders: [{ binding: 'LOADER' }],
    observability: RAW.observability,
  })
  // The repository's own configuration keeps logs, without addresses of requests.
  expect(readFileSync('wrangler.toml', 'utf8')).toMatch(
    /\[observability\.logs\]\nenabled = true\ninvocation_logs = false/,
  )
  expect(JSON.stringify(staging)).not.toMatch(/of-production|chat\.example|workers_dev/)
  const counters = [config(null), staging, config('test')].map(
    ({ ratelimits }) => ratelimits[0]?.namespace_id,
  )
  expect(new Set(counters).size).toBe(3)
  for (const counter of counters) expect(counter).toMatch(/^[1-9]\d*$/)
  expect(config('staging')).toEqual(staging)
})

test('settings of an environment in wrangler.toml override the shared ones', () => {
  expect(config('staging')['vars']).toEqual({ MODEL: 'b', MODELS: '[]' })
  expect(config('eu')).toMatchObject({ name: 'satchel-europe', routes: ['eu.example.com/*'] })
})

test.each(['Staging', 'a b', '-a', '../x', 'a'.repeat(33), 'production', ''])(
  '%j names no other deployment',
  (env) => {
    expect(configFor(RAW, '/project', env)).toMatchObject({
      ok: false,
      error: expect.stringContaining('--env'),
    })
  },
)

test('a wrangler.toml without a name is reported by its field', () => {
  const read = configFor({ ...RAW, name: undefined }, '/project', null)
  expect(read).toMatchObject({ ok: false, error: expect.stringMatching(/wrangler\.toml[\s\S]*name/) })
})

test('found stores are in it; a loader can be omitted', () => {
  const whole = withStores(config('staging'), { SKILLS: 'kv', RESOURCES: 'r', FILES: 'f' })
  expect(whole).toMatchObject({
    kv_namespaces: [{ id: 'kv' }],
    r2_buckets: [{ bucket_name: 'r' }, { bucket_name: 'f' }],
  })
  expect(withoutLoader(whole)).not.toHaveProperty('worker_loaders')
})

test('a stamp depends on what is sent, not on the place of the checkout', () => {
  const at = (root: string, env: string | null, code: string, digest = 'new') => {
    const made = configFor(RAW, root, env)
    return made.ok ? stampOf(root, made.value, code, 'compiled-in', digest) : null
  }
  const one = at('/project', null, 'code "compiled-in"')
  expect(at('/elsewhere', null, 'code "compiled-in"')).toBe(one)
  expect(at('/project', null, 'code ""')).toBe(one)
  for (const other of [
    at('/project', 'staging', 'code "compiled-in"'),
    at('/project', null, 'code 2 "compiled-in"'),
    at('/project', null, 'code "compiled-in"', 'newer'),
  ])
    expect(other).not.toBe(one)
})

test.each([
  [['https://satchel.team.workers.dev'], 'https://satchel.team.workers.dev'],
  [['satchel.team.workers.dev'], 'https://satchel.team.workers.dev'],
  [['chat.example.com (custom domain)'], 'https://chat.example.com'],
  [['*.example.com/*', 'chat.example.com/* (zone name: example.com)'], 'https://chat.example.com'],
  [['schedule: 0 0 * * *'], null],
  [[], null],
])('of the targets %j the address is %j', (targets, address) => {
  expect(deployAddress(targets)).toBe(address)
})

test.each([
  ['https://chat.example.com/', 'https://chat.example.com'],
  ['http://127.0.0.1:8787/x//', 'http://127.0.0.1:8787/x'],
  ['chat.example.com', null],
  ['ftp://example.com', null],
])('--url %j is %j', (text, address) => {
  expect(addressFromFlag(text)).toBe(address)
})
