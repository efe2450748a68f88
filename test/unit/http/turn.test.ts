// Guards that heavy work which anybody may cause runs once at a time, and that no request that was cut off blocks others.

import { expect, it } from 'vitest'
import { turns } from '../../../src/http/turn.ts'
import { ok, type Result } from '../../../src/lib/result.ts'
import { TURN_HELD_MS, TURN_WAIT_MS } from '../../../src/limits.ts'

/** Turns by a clock that only waiting moves. */
function fakeTurns(): ReturnType<typeof turns> {
  let now = 0
  return turns(
    () => now,
    async (ms) => {
      now += ms
      await new Promise((resolve) => setImmediate(resolve))
    },
  )
}

const never = (): Promise<Result<string>> => new Promise(() => undefined)

it('runs one at a time, each in the end', async () => {
  const inTurn = fakeTurns()
  let [running, most] = [0, 0]
  const work = async (): Promise<Result<number>> => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return ok(running)
  }
  const all = await Promise.all(Array.from({ length: 10 }, () => inTurn(work)))
  expect(all).toEqual(Array.from({ length: 10 }, () => ok(0)))
  expect(most).toBe(1)
})

it('passes on when work fails or throws', async () => {
  const inTurn = fakeTurns()
  await expect(inTurn(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await inTurn(async () => ok('next'))).toEqual(ok('next'))
})

it('is refused after a while, and comes back from a request that was cut off', async () => {
  const inTurn = fakeTurns()
  void inTurn(never)
  const tries = Math.ceil(TURN_HELD_MS / TURN_WAIT_MS)
  for (let tried = 1; tried < tries; tried++)
    expect(await inTurn(async () => ok('early'))).toMatchObject({
      ok: false,
      error: { code: 'overloaded', retryAfterS: 2 },
    })
  expect(await inTurn(async () => ok('late'))).toEqual(ok('late'))
})
