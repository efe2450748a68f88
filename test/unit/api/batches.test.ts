import { describe, expect, it } from 'vitest'
import { Batches } from '../../../src/api/admission/batches.ts'
import { RequestQueue } from '../../../src/api/admission/request-queue.ts'
import { fail, ok } from '../../../src/lib/result.ts'

const RULES = { waitingMax: 100, requestsMaxPerKey: 10, waitMaxMs: 600_000, slotIdleMaxMs: 60_000 }

/** A batch of strings whose calls end when the test says so. */
function setUp({ itemsMax = 100, bytesMax = 100, retryAfterMs = 60_000 } = {}) {
  const clock = { aheadMs: 0 }
  const now = (): number => Date.now() + clock.aheadMs
  const limits = { waitMaxMs: 700_000, waitingMaxBytes: 100, sizeOf: (item: string): number => item.length }
  const queue = new RequestQueue({ ...RULES, concurrency: 1 }, now)
  const batches = new Batches<string, string>(queue, { itemsMax, bytesMax, retryAfterMs, ...limits }, now)
  const calls: {
    readonly items: readonly string[]
    readonly done: PromiseWithResolvers<readonly string[]>
  }[] = []
  const kept: Promise<unknown>[] = []
  const run = (item: string, key = 'hook') =>
    batches.run(
      key,
      item,
      async (items) => {
        const done = Promise.withResolvers<readonly string[]>()
        calls.push({ items, done })
        return done.promise
      },
      (work) => kept.push(work),
    )
  const call = async (nth: number) => {
    await expect.poll(() => calls.length, { interval: 1, timeout: 30_000 }).toBeGreaterThan(nth)
    const { items, done } = calls[nth]!
    return { items, done, end: () => done.resolve(items.map((item) => `${item} done`)) }
  }
  return { run, call, calls, kept, clock }
}

describe('waiting items', () => {
  it('are sent together in the next call, and each gets its own result', async () => {
    const { run, call, calls } = setUp()
    const all = ['a', 'b', 'c', 'd'].map((item) => run(item))
    const first = await call(0)
    expect(first.items).toEqual(['a'])
    first.end()
    const second = await call(1)
    expect(second.items).toEqual(['b', 'c', 'd'])
    second.end()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'].map((item) => ok(`${item} done`)))
    expect(calls).toHaveLength(2)
  })

  it('are sent in several calls if they are too many or too large for one', async () => {
    const { run, call } = setUp({ itemsMax: 3, bytesMax: 10 })
    const all = ['a', 'b'.repeat(8), 'c', 'd', 'e'.repeat(20), 'f'].map((item) => run(item))
    ;(await call(0)).end()
    const second = await call(1)
    expect(second.items).toEqual(['b'.repeat(8), 'c', 'd'])
    second.end()
    const third = await call(2)
    expect(third.items).toEqual(['e'.repeat(20)])
    third.end()
    const fourth = await call(3)
    expect(fourth.items).toEqual(['f'])
    fourth.end()
    expect((await Promise.all(all)).every(({ ok: isOk }) => isOk)).toBe(true)
  })

  it('of another key are sent in their own call', async () => {
    const { run, call } = setUp()
    const all = [run('a', 'one'), run('b', 'one'), run('c', 'two'), run('d', 'one')]
    const seen: string[][] = []
    for (const nth of [0, 1, 2]) {
      const { items, end } = await call(nth)
      seen.push([...items])
      end()
    }
    await Promise.all(all)
    expect(seen.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([['a'], ['b', 'd'], ['c']])
  })

  it('are refused if they are too large together', async () => {
    const { run, call } = setUp()
    const all = [run('a'), run('b'.repeat(60)), run('c'.repeat(60))]
    expect(await all[2]).toMatchObject(fail('overloaded', expect.any(String)))
    ;(await call(0)).end()
    ;(await call(1)).end()
    expect(await Promise.all(all.slice(0, 2))).toHaveLength(2)
    const later = run('d'.repeat(90))
    ;(await call(2)).end()
    expect((await later).ok).toBe(true)
  })

  it('are refused beyond the limit of the queue, and the others proceed', async () => {
    const { run, call } = setUp()
    const all = Array.from({ length: 11 }, (_, nth) => run(String(nth)))
    expect(await all[10]).toMatchObject(fail('rate_limited', expect.any(String)))
    ;(await call(0)).end()
    const second = await call(1)
    expect(second.items).toHaveLength(9)
    second.end()
    expect(await Promise.all(all.slice(0, 10))).toHaveLength(10)
  })
})

describe('a call that several requests wait for', () => {
  it('continues if the client of the request that made it disconnects', async () => {
    const { run, call, kept } = setUp()
    const one = run('a')
    const first = await call(0)
    expect(kept).toHaveLength(1) // one for each request
    first.end()
    await Promise.all([one, ...kept])
  })

  it('is repeated for each item alone if it fails, so that one item fails no other', async () => {
    const { run, call } = setUp()
    const all = ['a', 'b', 'c'].map((item) => run(item))
    ;(await call(0)).end()
    ;(await call(1)).done.reject(new Error('c is bad'))
    for (const nth of [2, 3]) {
      const alone = await call(nth)
      if (alone.items[0] === 'c') alone.done.reject(new Error('c is bad'))
      else alone.end()
    }
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
  })

  it('is repeated by those that wait if it never ends', async () => {
    const { run, call, clock } = setUp({ retryAfterMs: 5 })
    const all = ['a', 'b', 'c'].map((item) => run(item))
    ;(await call(0)).end()
    const lost = await call(1)
    expect(lost.items).toEqual(['b', 'c'])
    clock.aheadMs = 90_000
    const alone = await call(2)
    expect(alone.items).toEqual(['c'])
    alone.end()
    expect(await all[2]).toEqual(ok('c done'))
    lost.end()
    await Promise.all(all)
  })
})
