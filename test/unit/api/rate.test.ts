// Guards the rate limit: a key over its limit is refused, and only for a while.

import { expect, test } from 'vitest'

import { isOverLimit } from '../../../src/api/admission/rate.ts'
import { RATE_BLOCK_MS } from '../../../src/api/admission/limits.ts'

test('requests pass until the limiter refuses; then only that key is refused, and checked again later', async () => {
  let now = 1_000_000
  const counted: string[] = []
  // Allows the first two requests.
  const limiter: RateLimit = {
    limit: async ({ key }) => ({ success: counted.push(key) <= 2 }),
  }
  const work: Promise<void>[] = []
  const ask = async (key: string): Promise<boolean> => {
    const over = isOverLimit(
      limiter,
      key,
      () => now,
      (counting) => work.push(counting),
    )
    await Promise.all(work)
    return over
  }
  expect([await ask('a'), await ask('a'), await ask('a')], 'the third reaches the limit').toEqual([
    false,
    false,
    false,
  ])
  expect(await ask('a')).toBe(true)
  expect(counted, 'a refused request is not counted').toHaveLength(3)
  expect(await ask('b'), 'another key has its own limit').toBe(false)
  now += RATE_BLOCK_MS
  expect(await ask('a'), 'looked at again').toBe(false)
  expect(await ask('a')).toBe(true)
  now -= 3 * 3_600_000
  expect(await ask('a'), 'a clock that is put back refuses nobody for hours').toBe(false)
})

test('a failing limiter refuses nobody, and the failure has no other effect', async () => {
  const limiter: RateLimit = { limit: async () => Promise.reject(new Error('away')) }
  const work: Promise<void>[] = []
  for (let count = 0; count < 2; count += 1)
    expect(
      isOverLimit(
        limiter,
        'c',
        () => 0,
        (counting) => work.push(counting),
      ),
    ).toBe(false)
  await expect(Promise.all(work)).resolves.toHaveLength(2)
})
