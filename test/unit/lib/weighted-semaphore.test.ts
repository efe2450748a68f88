// Guards that many large files do not fill the memory: a bounded number of bytes is held at a time, keys and their
// threads take turns, and neither failed nor cancelled work keeps its share.

import { describe, expect, it } from 'vitest'
import { WeightedSemaphore } from '../../../src/lib/weighted-semaphore.ts'
import type { Requester } from '../../../src/lib/semaphore-slot.ts'
import { QUEUE_ABANDONED_AFTER_MS } from '../../../src/limits/skills.ts'

const RULES = { capacity: 64, waitMaxMs: 20_000, slotIdleMaxMs: 60_000 }
const BUSY = { ok: false, error: 'busy' }

/** A semaphore with a clock that the test advances. */
class Desk {
  now = 0
  readonly #sleeping = new Set<() => void>()
  readonly going = new Map<string, PromiseWithResolvers<string>>()
  isCut = false
  readonly semaphore: WeightedSemaphore

  constructor(reserve = 0) {
    this.semaphore = new WeightedSemaphore(
      { ...RULES, reservedForOthers: reserve },
      () => this.now,
      (_, called) =>
        new Promise((resolve) => {
          if (this.isCut) return
          this.#sleeping.add(() => resolve(null))
          void called.then(() => resolve(null))
        }),
    )
  }

  begin(name: string, bytes: number, more: Partial<Requester> = {}): ReturnType<WeightedSemaphore['run']> {
    return this.semaphore.run({ key: 'k', thread: 't', ...more }, bytes, () => {
      const work = Promise.withResolvers<string>()
      this.going.set(name, work)
      return work.promise.finally(() => this.going.delete(name))
    })
  }

  async settle(): Promise<readonly string[]> {
    for (let at = 0; at < 5; at++) await new Promise((resolve) => setImmediate(resolve))
    return [...this.going.keys()]
  }

  /** Advances the clock so that all waiting requests check again. */
  async pass(ms: number): Promise<readonly string[]> {
    for (const end = this.now + ms; this.now < end;) {
      this.now = Math.min(end, this.now + QUEUE_ABANDONED_AFTER_MS / 5)
      for (const wake of this.#sleeping) wake()
      this.#sleeping.clear()
      await this.settle()
    }
    return this.settle()
  }

  async end(name: string): Promise<readonly string[]> {
    this.going.get(name)?.resolve(name)
    return this.settle()
  }
}

describe('bytes in memory', () => {
  it('are limited at a time, first come first served', async () => {
    const desk = new Desk()
    const done = [desk.begin('a', 32), desk.begin('b', 32), desk.begin('c', 60), desk.begin('d', 1)]
    expect(await desk.settle()).toEqual(['a', 'b'])
    // A small request does not overtake the large one before it, which would otherwise wait forever.
    expect(await desk.end('a')).toEqual(['b'])
    expect(await desk.end('b')).toEqual(['c', 'd'])
    await desk.end('c')
    await desk.end('d')
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd'].map((value) => ({ ok: true, value })))
  })

  it('beyond the limit are held alone', async () => {
    const desk = new Desk()
    void desk.begin('a', 1)
    void desk.begin('b', 1_000)
    void desk.begin('c', 1)
    expect(await desk.settle()).toEqual(['a'])
    expect(await desk.end('a')).toEqual(['b'])
    expect(await desk.end('b')).toEqual(['c'])
  })

  it('are freed when the work fails', async () => {
    const desk = new Desk()
    const failed = desk.semaphore.run({ key: 'k', thread: 't' }, 64, () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    void desk.begin('a', 64)
    expect(await desk.settle()).toEqual(['a'])
  })
})

describe('keys', () => {
  const order = async (desk: Desk): Promise<readonly string[]> => {
    const ended: string[] = []
    for (let going = await desk.settle(); going[0] !== undefined; going = await desk.end(going[0]))
      ended.push(going[0])
    return ended
  }

  it('take turns, and so do the threads of one key: the one that holds the least is next', async () => {
    const desk = new Desk()
    for (let at = 0; at < 32; at++)
      for (const thread of ['x', 'y']) void desk.begin(`${thread}${at}`, 16, { key: 'greedy', thread })
    for (const name of ['m0', 'm1']) void desk.begin(name, 16, { key: 'modest', thread: 'z' })
    void desk.begin('w0', 16, { key: 'greedy', thread: 'w' })
    expect(await desk.settle()).toEqual(['x0', 'y0', 'x1', 'y1'])
    const ended = await order(desk)
    expect(ended).toHaveLength(67)
    expect(ended.slice(4, 7).toSorted()).toEqual(['m0', 'm1', 'w0'])
  })

  it('that hold something leave capacity for one that holds nothing', async () => {
    const desk = new Desk(16)
    for (let at = 0; at < 8; at++) void desk.begin(`a${at}`, 16, { key: 'a' })
    expect(await desk.settle()).toEqual(['a0', 'a1', 'a2'])
    void desk.begin('b0', 16, { key: 'b' })
    void desk.begin('b1', 16, { key: 'b' })
    expect(await desk.settle()).toEqual(['a0', 'a1', 'a2', 'b0'])
  })
})

describe('a waiting request', () => {
  it('passes its wait to the caller, and ends when it is cancelled', async () => {
    const desk = new Desk()
    const waits: string[] = []
    const stop = new AbortController()
    const waiting = async <T>(wait: Promise<T>): Promise<T> => {
      waits.push('began')
      return wait.finally(() => waits.push('ended'))
    }
    void desk.begin('a', 64)
    const stopped = desk.begin('b', 64, { trackWait: waiting, signal: stop.signal })
    await desk.settle()
    expect(waits).toEqual(['began'])
    stop.abort()
    expect(await desk.pass(1_000)).toEqual(['a'])
    expect(await stopped).toEqual(BUSY)
    expect(waits).toEqual(['began', 'ended'])
  })

  it('fails after its timeout, and the next in the queue proceeds', async () => {
    const desk = new Desk()
    void desk.begin('a', 40)
    const late = desk.begin('b', 40)
    expect(await desk.pass(RULES.waitMaxMs + 1_000)).toEqual(['a'])
    expect(await late).toEqual(BUSY)
    void desk.begin('c', 20)
    expect(await desk.settle()).toEqual(['a', 'c'])
  })

  it('is skipped when it was disconnected, and so is a share that is never returned', async () => {
    const desk = new Desk()
    void desk.begin('hangs', 64)
    desk.isCut = true
    void desk.begin('gone', 64)
    desk.isCut = false
    await desk.pass(RULES.slotIdleMaxMs - RULES.waitMaxMs / 2)
    void desk.begin('next', 64)
    expect(await desk.settle()).toEqual(['hangs'])
    expect(await desk.pass(RULES.waitMaxMs / 2 + 1_000)).toEqual(['hangs', 'next'])
  })
})

it('polls less often the more requests wait, but before they count as disconnected', async () => {
  const slept: number[] = []
  const gate = Promise.withResolvers<void>()
  const semaphore = new WeightedSemaphore(
    { ...RULES, capacity: 1, reservedForOthers: 0 },
    () => 0,
    (ms, called) => {
      slept.push(ms)
      return called
    },
  )
  const all = Array.from({ length: 1_001 }, () =>
    semaphore.run({ key: 'a', thread: '' }, 1, () => gate.promise),
  )
  expect([slept[0], slept[149], slept.at(-1)]).toEqual([250, 500, 2_000])
  gate.resolve()
  await Promise.all(all)
})
