// Guards that heavy work runs so many at once, in order, with a bound on who waits and how many of one caller, and that
// no request that was cut off blocks others.

import { describe, expect, it } from 'vitest'
import { turns, type InTurn, type LineRules, type Turn } from '../../../src/http/turn.ts'
import { ok, type Result } from '../../../src/lib/result.ts'
import { TURN_GONE_MS, TURN_HELD_MS, TURN_LOOK_MS } from '../../../src/limits.ts'

const RULES: LineRules = { width: 1, room: 100, each: 100, patienceMs: 5_000 }

interface FakeLine {
  readonly inTurn: InTurn
  readonly pass: (ms: number) => void
}

/** A line by a clock that only waiting, or a test, moves. */
function fakeLine(rules: Partial<LineRules> = {}): FakeLine {
  let now = 0
  const inTurn = turns(
    { ...RULES, ...rules },
    () => now,
    async (ms) => {
      now += ms
      await pause()
    },
  )
  return { inTurn, pass: (ms) => void (now += ms) }
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const never = (): Promise<Result<string>> => new Promise(() => undefined)

/** Work that goes on until it is let go, and how to let it go. */
function held(): { readonly work: () => Promise<Result<string>>; end(): void } {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => (end = resolve))
  return { work: () => over.then(() => ok('held')), end: () => end() }
}

describe('a line', () => {
  it('runs one at a time, in order, each in the end', async () => {
    const { inTurn } = fakeLine()
    const order: number[] = []
    let [running, most] = [0, 0]
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        inTurn('a', async () => {
          most = Math.max(most, ++running)
          order.push(at)
          await pause()
          return ok(--running)
        }),
      ),
    )
    expect(all).toEqual(Array.from({ length: 10 }, () => ok(0)))
    expect(most).toBe(1)
    expect(order).toEqual(Array.from({ length: 10 }, (_, at) => at))
  })

  it('runs as many at once as it is wide', async () => {
    const { inTurn } = fakeLine({ width: 3 })
    let [running, most] = [0, 0]
    const work = async (): Promise<Result<null>> => {
      most = Math.max(most, ++running)
      await pause()
      running--
      return ok(null)
    }
    await Promise.all(Array.from({ length: 12 }, () => inTurn('a', work)))
    expect(most).toBe(3)
  })

  it('passes on when work fails or throws', async () => {
    const { inTurn } = fakeLine()
    await expect(inTurn('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await inTurn('a', async () => ok('next'))).toEqual(ok('next'))
  })

  it('refuses at once what it has no room for, and what is too much of one caller', async () => {
    const { inTurn } = fakeLine({ room: 3, each: 2 })
    const first = held()
    const running = inTurn('a', first.work)
    const second = inTurn('a', async () => ok('second'))
    expect(await inTurn('a', async () => ok('third'))).toMatchObject({
      error: { code: 'rate_limited', retryAfterS: 2 },
    })
    const others = ['b', 'c'].map((who) => inTurn(who, async () => ok(who)))
    expect(await inTurn('d', async () => ok('d'))).toMatchObject({
      error: { code: 'overloaded', retryAfterS: 2 },
    })
    first.end()
    expect(await Promise.all([running, second, ...others])).toEqual([
      ok('held'),
      ok('second'),
      ok('b'),
      ok('c'),
    ])
    expect(await inTurn('a', async () => ok('again'))).toEqual(ok('again'))
  })
})

describe('a request that was cut off', () => {
  it('while it ran is waited for so long, and then its turn is another one’s', async () => {
    const { inTurn } = fakeLine()
    void inTurn('a', never)
    const tries = Math.ceil(TURN_HELD_MS / RULES.patienceMs)
    for (let tried = 1; tried < tries; tried++)
      expect(await inTurn('b', async () => ok('early'))).toMatchObject({
        ok: false,
        error: { code: 'overloaded', retryAfterS: 2 },
      })
    expect(await inTurn('b', async () => ok('late'))).toEqual(ok('late'))
  })

  it('is not one that says that it is alive', async () => {
    const { inTurn, pass } = fakeLine()
    const turn = await new Promise<Turn>((resolve) => {
      void inTurn('a', (mine) => {
        resolve(mine)
        return never()
      })
    })
    for (let at = 0; at < 5; at++) {
      pass(TURN_HELD_MS - 2 * RULES.patienceMs)
      turn.alive()
      expect(await inTurn('b', async () => ok('early'))).toMatchObject({ error: { code: 'overloaded' } })
    }
  })

  it('while it waited leaves the line, and its room', async () => {
    let now = 0
    let sleeps = 0
    // The second caller is cut off: nothing wakes it any more.
    const inTurn = turns(
      { ...RULES, room: 1 },
      () => now,
      async (ms) => {
        if (++sleeps === 1) return new Promise(() => undefined)
        now += ms
        await pause()
      },
    )
    const first = held()
    const running = inTurn('a', first.work)
    void inTurn('b', async () => ok('never'))
    expect(await inTurn('c', async () => ok('c'))).toMatchObject({ error: { code: 'overloaded' } })
    now += TURN_GONE_MS
    const third = inTurn('c', async () => ok('c'))
    first.end()
    expect(await Promise.all([running, third])).toEqual([ok('held'), ok('c')])
  })

  it('is told from one that could not look because nothing ran', async () => {
    const { inTurn, pass } = fakeLine()
    const first = held()
    const running = inTurn('a', first.work)
    const waiting = inTurn('b', async () => ok('b'))
    pass(TURN_GONE_MS + TURN_LOOK_MS)
    first.end()
    expect(await Promise.all([running, waiting])).toEqual([ok('held'), ok('b')])
  })
})
