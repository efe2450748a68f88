// Promise: the page says what a run was charged, and "at least" where part of that is a guess.

import { expect, test } from 'vitest'

import { cost } from '../../../src/web/assets/receipt.js'

test('a cost is told as it is, and as the least that it can be where a call was not counted', () => {
  const charged = { tokens: 1_234, usd: 0.0123, estimated: false }
  expect(cost(charged)).toBe('$0.0123, 1,234 tokens')
  expect(cost({ ...charged, estimated: true })).toMatch(/^at least \$0\.0123, 1,234 tokens \(an estimate: /)
  expect(cost({ tokens: 0, usd: 0, estimated: false })).toBe('$0, 0 tokens')
})
