// Promise: `npm run limits` prints limits as its arguments are written, and changes only the given ones.

import { expect, test } from 'vitest'

import { readAmounts, writeAmounts } from '../../../scripts/lib/amounts.ts'
import { showHistory } from '../../../scripts/limits/history.ts'
import { setLimits, showLimits } from '../../../scripts/limits/verbs.ts'
import { served } from '../../fakes/served.ts'

const LIMITS = {
  workspace: { day: { usd: 50, runs: 10 }, month: { usd: 500 } },
  key: {},
  users: { 'ann.b@example.com': { day: { usd: 5 } } },
  thread: { usd: 1 },
  max_budget: {},
}
const STORED = { version: 3, limits: LIMITS, updated_at: null, updated_by: null }
const WORDS = [
  'workspace.day.usd=50',
  'workspace.day.runs=10',
  'workspace.month.usd=500',
  'users.ann.b@example.com.day.usd=5',
  'thread.usd=1',
]

test('limits are printed as arguments, and parsed back unchanged', async () => {
  const { output, ports } = served({ 'GET /admin/limits': [200, STORED] })
  expect(await showLimits({ json: false }, ports)).toBe(0)
  expect(output).toEqual(WORDS)
  expect(readAmounts(WORDS)).toEqual({
    ok: true,
    value: { workspace: LIMITS.workspace, users: LIMITS.users, thread: LIMITS.thread },
  })
  expect(writeAmounts({})).toEqual([])
})

test('a change keeps what it does not name, and "none" removes', async () => {
  const { requested, ports } = served({
    'GET /admin/limits': [200, STORED],
    'PATCH /admin/limits': [200, STORED],
  })
  const texts = [
    'workspace.day.usd=60',
    'workspace.month.usd=none',
    'users.ann.b@example.com=none',
    'users.bo.day.runs=2',
    'thread.usd=none',
    'max_budget.chat.steps=9',
  ]
  expect(await setLimits(texts, { json: true }, ports)).toBe(0)
  expect(requested.at(-1)?.body).toEqual({
    workspace: { day: { usd: 60, runs: 10 }, month: null },
    users: { 'ann.b@example.com': null, bo: { day: { runs: 2 } } },
    thread: { usd: null },
    max_budget: { chat: { steps: 9 } },
  })
})

test('the history shows each change with who made it, and what a deleted user left as that', async () => {
  const data = [
    { version: 3, at: '2026-11-29T15:04:32.058Z', author: 'ann', change: { users: { '': null, bo: null } } },
    {
      version: 2,
      at: '2026-11-28T09:00:00.000Z',
      author: 'admin',
      change: { workspace: { day: { usd: 50 }, month: null } },
    },
  ]
  const { output, ports } = served({
    'GET /admin/limits/history?limit=2': [200, { data, next_cursor: 'c' }],
    'GET /admin/limits/history?limit=20': [200, { data: [], next_cursor: null }],
  })
  expect(await showHistory({ limit: '2', json: false }, ports)).toBe(0)
  expect(await showHistory({ json: false }, ports)).toBe(0)
  expect(output).toEqual([
    '3: 2026-11-29 15:04, ann',
    '  users.bo=none',
    '  users: removed with a deleted user',
    '2: 2026-11-28 09:00, admin',
    '  workspace.day.usd=50',
    '  workspace.month=none',
    'There are more. Use --limit, at most 100.',
    'The limits were never changed.',
  ])
})

test.each(['workspace', 'workspace.day.usd=', 'workspace.day.usd=much', '=5'])(
  '%s is refused before anything is sent',
  async (text) => {
    const { requested, ports } = served({})
    expect(await setLimits([text], { json: false }, ports)).toMatch(/is not an amount/)
    expect(requested).toEqual([])
  },
)
