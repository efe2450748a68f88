// Promise: `npm run keys` sends what its flags say, prints only the new key, and revokes nothing without confirmation.

import { expect, test } from 'vitest'

import { runKeyVerb, type KeyFlags } from '../../../scripts/keys/verbs.ts'
import type { KeyInfo } from '../../../src/workspace/key-api.ts'
import { served } from '../../fakes/served.ts'

const FLAGS: KeyFlags = { yes: false, json: false }
const NOW = Date.parse('2026-12-01T00:00:00Z')
const KEY: KeyInfo = {
  id: 'k1',
  role: 'chat',
  user: 'ann',
  note: 'laptop\u001b[2J',
  tools: null,
  models: ['m1'],
  caps: { day: { usd: 5 } },
  max_budget: null,
  state: 'active',
  created_at: '2026-11-01T00:00:00.000Z',
  expires_at: '2026-12-31T00:00:00.000Z',
  last_used_at: '2026-11-30T09:00:00.000Z',
  rotated_at: null,
  previous_secret_until: null,
  revoked_at: null,
}

test('a key is created from flags and printed alone; a warning goes to standard error', async () => {
  const made = { ...KEY, key: 'sk_default_k1_secret', warning: 'No user.' }
  const { requested, output, complaints, ports } = served({ 'POST /admin/keys': [201, made] })
  const flags = { ...FLAGS, user: 'ann', days: '30', models: 'm1, m2', note: 'laptop' }
  expect(await runKeyVerb(['create', 'chat'], flags, NOW, ports)).toBe(0)
  expect(requested[0]?.body).toEqual({
    role: 'chat',
    user: 'ann',
    note: 'laptop',
    expires_at: '2026-12-31T00:00:00.000Z',
    models: ['m1', 'm2'],
  })
  expect(output).toEqual(['sk_default_k1_secret'])
  expect(complaints).toEqual(['No user.'])
})

test('keys are listed by state, page by page, without control characters', async () => {
  const { output, ports } = served({
    'GET /admin/keys?state=active&limit=100': [200, { data: [KEY], next_cursor: 'n' }],
    'GET /admin/keys?state=active&limit=100&cursor=n': [200, { data: [KEY], next_cursor: null }],
  })
  expect(await runKeyVerb(['list'], { ...FLAGS, state: 'active' }, NOW, ports)).toBe(0)
  expect(output).toHaveLength(3)
  expect(output[1]).toMatch(/k1 +chat +ann +active +2026-12-31 +2026-11-30 09h +m1 +day\.usd=5 +laptop/)
  expect(output.join('')).not.toContain('\u001b[2J')
})

test('a change resets what it says, and a rotation takes its overlap in hours', async () => {
  const rotated = { ...KEY, key: 'sk_default_k1_new' }
  const { requested, output, ports } = served({
    'PATCH /admin/keys/k1': [200, KEY],
    'POST /admin/keys/k1/rotate': [200, rotated],
  })
  expect(await runKeyVerb(['change', 'k1'], { ...FLAGS, days: 'never', models: 'all' }, NOW, ports)).toBe(0)
  for (const tools of [{ allow: 'web, bash' }, { allow: 'all', deny: 'none' }])
    expect(await runKeyVerb(['change', 'k1'], { ...FLAGS, ...tools }, NOW, ports)).toBe(0)
  const limits = { caps: 'day.usd=5, day.runs=9', 'max-budget': 'default' }
  expect(await runKeyVerb(['change', 'k1'], { ...FLAGS, ...limits }, NOW, ports)).toBe(0)
  expect(await runKeyVerb(['rotate', 'k1'], { ...FLAGS, overlap: '0.5' }, NOW, ports)).toBe(0)
  expect(requested.map(({ body }) => body)).toEqual([
    { expires_at: null, models: null },
    { tools: { allow: ['web', 'bash'] } },
    { tools: { allow: null, deny: [] } },
    { caps: { day: { usd: 5, runs: 9 } }, max_budget: null },
    { overlap_s: 1_800 },
  ])
  expect(output.at(-1)).toBe('sk_default_k1_new')
})

test.each([
  [[], {}, /Specify a verb/],
  [['make', 'x'], {}, /no verb make/],
  [['create'], {}, /role: chat/],
  [['change', 'k1'], {}, /at least one option/],
  [['change', 'k1'], { days: 'soon' }, /number of days/],
  [['change', 'k1'], { caps: 'day.usd' }, /not an amount/],
  [['rotate', 'k1'], { overlap: 'x' }, /number of hours/],
  [['revoke', 'sk_default_k1_secret'], {}, /the key's ID/],
  [['list', 'k1'], {}, /takes no argument/],
  [['change', 'k1'], { note: 'x', user: 'y' }, /change does not take --user; only create does/],
  [['rotate', 'k1'], { days: '3' }, /only create and change do/],
])('%j with %j is refused before anything is sent', async (words, flags, message) => {
  const { requested, ports } = served({})
  expect(await runKeyVerb(words, { ...FLAGS, ...flags }, NOW, ports)).toMatch(message)
  expect(requested).toEqual([])
})

test('nothing is revoked without confirmation', async () => {
  const { requested, ports } = served({ 'DELETE /admin/keys/k1': [200, KEY] })
  expect(await runKeyVerb(['revoke', 'k1'], FLAGS, NOW, ports)).toBe(2)
  const asking = { ...ports, ask: async () => 'n' }
  expect(await runKeyVerb(['revoke', 'k1'], FLAGS, NOW, asking)).toBe(1)
  expect(requested).toEqual([])
  expect(await runKeyVerb(['revoke', 'k1'], { ...FLAGS, yes: true }, NOW, ports)).toBe(0)
  expect(requested).toHaveLength(1)
})
