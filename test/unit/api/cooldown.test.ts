// Guards the pause after expensive work: in proportion to the work, bounded, and also kept after a failure.

import { expect, it } from 'vitest'
import { withCooldown } from '../../../src/api/admission/cooldown.ts'

const RULES = { factor: 2, maxMs: 1_000 }

async function rested(
  tookMs: number,
  work: () => Promise<string>,
): Promise<{ rest: number; answer: string }> {
  let [now, rest] = [5_000, 0]
  const ran = withCooldown(
    RULES,
    () => {
      now += tookMs
      return work()
    },
    () => now,
    async (ms) => void (rest += ms),
  )
  return { answer: await ran.catch((error: unknown) => String(error)), rest }
}

it('pauses twice as long as the work took, at most a second, even after a failure', async () => {
  const done = async (): Promise<string> => 'done'
  const failed = (): Promise<string> => Promise.reject(new Error('broken'))
  expect(await rested(25, done)).toEqual({ answer: 'done', rest: 50 })
  expect(await rested(60_000, done)).toEqual({ answer: 'done', rest: 1_000 })
  expect(await rested(25, failed)).toEqual({ answer: 'Error: broken', rest: 50 })
  // The clock was set back.
  expect(await rested(-25, done)).toEqual({ answer: 'done', rest: 0 })
})
