// Promise: the rest of a cap is described in one line, with everything that the cap limits.

import { expect, test } from 'vitest'

import { describeCap } from '../../../src/client/cap-text.ts'

test('describes a cap by its owner, its window and the rest of each limit', () => {
  const resets_at = '2026-12-01T00:00:00.000Z'
  const all = { usd: 5, tokens: 2_000_000, runs: 10 }
  const left = { usd: 1.2345, tokens: 5_000, runs: 0 }
  expect(describeCap({ scope: 'key:k1', window: 'day', cap: all, left, resets_at })).toBe(
    'Your key, today: $1.23 of $5.00, 5,000 of 2,000,000 tokens, 0 of 10 runs left',
  )
  const month = { window: 'month', cap: { usd: 5 }, left: { usd: 5 }, resets_at } as const
  expect(describeCap({ scope: 'user:ann', ...month })).toBe('You, this month: $5.00 of $5.00 left')
  expect(describeCap({ scope: 'workspace', ...month })).toMatch(/^The workspace, this month:/)
})
