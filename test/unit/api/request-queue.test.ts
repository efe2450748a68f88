// Guards the request queue: concurrent expensive work is limited, keys take turns, waiting is limited in total and per
// key, and neither a client that left nor a cancelled request blocks the others.

import { describe, expect, it } from 'vitest'
import { RequestQueue, type QueueRules } from '../../../src/api/admission/request-queue.ts'
import type { Slot } from '../../../src/lib/semaphore-slot.ts'
import { ok, type Result } from '../../../src/lib/result.ts'
import { QUEUE_POLL_INTERVAL_MS, QUEUE_ABANDONED_AFTER_MS } from '../../../src/limits/skills.ts'

const RULES: QueueRules = {
  concurrency: 3,
  waitingMax: 200,
  requestsMaxPerKey: 150,
  waitMaxMs: 60_000,
  slotIdleMaxMs: 10_000,
}
const OVERLOADED = { ok: false, error: { code: 'overloaded', retryAfterS: 2 } }
const TOO_MANY = { ok: false, error: { code: 'rate_limited', retryAfterS: 2 } }

async function settled(): Promise<void> {
  for (let at = 0; at < 5; at++) await new Promise((resolve) => setImmediate(resolve))
}

/** A queue with a clock that a test advances; a waiting request wakes when its time has come or when it is called. */
class Api {
  now = 0
  #lose = false
  readonly #sleeping = new Set<{ readonly until: number; readonly wake: () => void }>()
  /** Running work by name; calling an entry ends it. */
  readonly going = new Map<string, () => void>()
  readonly turns = new Map<string, Slot>()
  most = 0
  readonly line: RequestQueue

  constructor(rules: Partial<QueueRules> = {}) {
    this.line = new RequestQueue(
      { ...RULES, ...rules },
      () => this.now,
      (ms, called) =>
        new Promise((resolve) => {
          if (this.#lose) return
          this.#sleeping.add({ until: this.now + ms, wake: () => resolve(null) })
          void called.then(resolve)
        }),
    )
  }

  begin(name: string, key = name): Promise<Result<string>> {
    return this.line.run(
      key,
      (turn) =>
        new Promise((resolve) => {
          this.turns.set(name, turn)
          this.going.set(name, () => {
            this.going.delete(name)
            resolve(ok(name))
          })
          this.most = Math.max(this.most, this.going.size)
        }),
    )
  }

  /** A request that is cancelled while it waits: it never checks again. */
  cutOff(key: string): void {
    this.#lose = true
    void this.line.run(key, () => Promise.reject(new Error('it is gone')))
    this.#lose = false
  }

  async pass(ms: number): Promise<void> {
    for (const end = this.now + ms; this.now < end;) {
      this.now = Math.min(end, this.now + QUEUE_POLL_INTERVAL_MS)
      for (const one of this.#sleeping)
        if (one.until <= this.now) {
          this.#sleeping.delete(one)
          one.wake()
        }
      await settled()
    }
  }

  async end(name: string): Promise<void> {
    this.going.get(name)?.()
    await settled()
  }

  /** Ends running work until there is none, and returns the order in which it ended. */
  async finishAll(): Promise<readonly string[]> {
    const order: string[] = []
    for (;;) {
      const [next] = this.going.keys()
      if (next === undefined) return order
      order.push(next)
      await this.end(next)
    }
  }
}

function names(key: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${key}${at}`)
}

/** Occupies all places. */
async function full(rules: Partial<QueueRules> = {}): Promise<Api> {
  const api = new Api(rules)
  for (const name of names('first', RULES.concurrency)) void api.begin(name)
  await settled()
  expect(api.going.size).toBe(RULES.concurrency)
  return api
}

describe('expensive work', () => {
  it('runs a few at a time, and all of it in the end, without waiting for a poll', async () => {
    const api = new Api()
    const all = names('n', 100).map((name) => api.begin(name, 'one key'))
    await settled()
    const order = await api.finishAll()
    expect(order).toEqual(names('n', 100))
    expect(api.most).toBe(RULES.concurrency)
    expect(await Promise.all(all)).toEqual(order.map((name) => ok(name)))
    expect(api.now).toBe(0)
  })

  it('of keys that ask for little comes before the rest of a key that asks for much', async () => {
    const api = await full()
    for (const name of names('greedy', 100)) void api.begin(name, 'greedy')
    for (const name of ['ann', 'ben']) void api.begin(name)
    await settled()
    const order = (await api.finishAll()).slice(RULES.concurrency)
    expect(order.slice(0, 5)).toEqual(['greedy0', 'ann', 'ben', 'greedy1', 'greedy2'])
    expect(order).toHaveLength(102)
  })

  it('passes its slot on when it fails or throws', async () => {
    const api = new Api()
    for (let at = 0; at < RULES.concurrency; at++)
      await expect(api.line.run('k', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    void api.begin('next')
    await settled()
    expect([...api.going.keys()]).toEqual(['next'])
  })
})

describe('the queue', () => {
  it('is limited, in total and for each key, and says when to retry', async () => {
    const api = await full({ waitingMax: 4, requestsMaxPerKey: 3 })
    for (const name of names('a', 3)) void api.begin(name, 'a')
    expect(await api.begin('more', 'a')).toMatchObject(TOO_MANY)
    void api.begin('b')
    await api.end('first0')
    expect([...api.going.keys()]).toContain('a0')
    // Running work counts for its key, too.
    expect(await api.begin('more', 'a')).toMatchObject(TOO_MANY)
    void api.begin('c')
    expect((await api.finishAll()).toSorted()).toEqual(['a0', 'a1', 'a2', 'b', 'c', 'first1', 'first2'])
    void api.begin('again', 'a')
    await settled()
    expect([...api.going.keys()]).toEqual(['again'])
  })

  it('refuses, when it is full, the last request of the key with the most, for a key with fewer', async () => {
    const api = await full({ waitingMax: 6 })
    const greedy = [...names('a', 3), ...names('b', 3)].map((name) => api.begin(name, name[0]))
    void api.begin('c')
    await settled()
    expect(await greedy[2]).toMatchObject(OVERLOADED)
    expect(await api.begin('more', 'b')).toMatchObject(OVERLOADED)
    const order = (await api.finishAll()).slice(RULES.concurrency)
    expect(order.toSorted()).toEqual(['a0', 'a1', 'b0', 'b1', 'b2', 'c'])
    expect(order.indexOf('c')).toBeLessThan(3)
  })

  it('keeps slots free for keys that hold none, if configured', async () => {
    const api = new Api({ concurrency: 4, leavesSlotsFree: true })
    for (const name of names('a', 6)) void api.begin(name, 'a')
    await settled()
    expect([...api.going.keys()]).toEqual(['a0', 'a1'])
    for (const name of names('b', 2)) void api.begin(name, 'b')
    void api.begin('c')
    await settled()
    expect([...api.going.keys()]).toEqual(['a0', 'a1', 'b0', 'c'])
    await api.end('a0')
    await api.end('a1')
    expect([...api.going.keys()].toSorted()).toEqual(['a2', 'b0', 'c'])
  })

  it('takes a slot back from slow work for a key that holds none: one at a time, the slowest of the largest holder', async () => {
    const api = new Api({ concurrency: 4, leavesSlotsFree: true })
    const lost: string[] = []
    const slow = new Map<string, number | null>([
      ['a0', 20],
      ['a1', 10],
      ['b0', 1],
      ['c0', null],
    ])
    for (const name of ['a0', 'a1', 'b0', 'c0', 'b1', 'a2']) void api.begin(name, name[0])
    await settled()
    for (const [name, pace] of slow)
      api.turns.get(name)?.allowPreemption(
        () => pace,
        () => lost.push(name),
      )
    await api.pass(QUEUE_POLL_INTERVAL_MS)
    expect(lost).toEqual([])
    for (const name of names('d', 3)) void api.begin(name, 'd')
    await api.pass(QUEUE_POLL_INTERVAL_MS)
    expect(lost).toEqual(['a1'])
    expect(api.going.has('d0')).toBe(true)
    await api.pass(2 * QUEUE_POLL_INTERVAL_MS)
    expect(lost).toEqual(['a1'])
    expect(api.going.has('d1')).toBe(false)
  })

  it('tells running work whether another key waits', async () => {
    const api = await full()
    const alive = (): boolean | undefined => api.turns.get('first0')?.reportProgress()
    void api.begin('mine', 'first0')
    await settled()
    expect(alive()).toBe(true)
    void api.begin('other')
    await settled()
    expect(alive()).toBe(false)
  })

  it('is left after a while by requests whose turn does not come', async () => {
    // No place is ever given back: places become free when their holders are given up.
    const api = await full()
    const rounds = RULES.waitMaxMs / RULES.slotIdleMaxMs
    const waits = names('w', RULES.concurrency * (rounds + 2)).map((name) => api.begin(name, 'w'))
    await api.pass(RULES.slotIdleMaxMs)
    expect([...api.going.keys()].slice(RULES.concurrency)).toEqual(names('w', RULES.concurrency))
    await api.pass(RULES.waitMaxMs - RULES.slotIdleMaxMs)
    expect(await waits.at(-1)).toMatchObject(OVERLOADED)
  })

  it('skips disconnected requests, however many', async () => {
    const api = await full()
    for (let at = 0; at < 50; at++) api.cutOff('gone')
    void api.begin('there', 'gone')
    await api.pass(QUEUE_ABANDONED_AFTER_MS + QUEUE_POLL_INTERVAL_MS)
    await api.end('first0')
    expect([...api.going.keys()]).toContain('there')
  })

  it('is free again when disconnected requests have not polled for a while', async () => {
    const api = await full({ waitingMax: 2 })
    for (let at = 0; at < 2; at++) api.cutOff(`gone${at}`)
    expect(await api.begin('there')).toMatchObject(OVERLOADED)
    await api.pass(QUEUE_ABANDONED_AFTER_MS + QUEUE_POLL_INTERVAL_MS)
    void api.begin('there')
    await api.end('first0')
    expect([...api.going.keys()]).toContain('there')
  })

  it('is open again to a key all of whose requests were disconnected', async () => {
    const api = new Api({ concurrency: 1, requestsMaxPerKey: 3 })
    void api.begin('running', 'a')
    for (let at = 0; at < 2; at++) api.cutOff('a')
    expect(await api.begin('early', 'a')).toMatchObject(TOO_MANY)
    await api.pass(RULES.slotIdleMaxMs)
    void api.begin('late', 'a')
    await settled()
    expect([...api.going.keys()]).toContain('late')
  })

  it('takes back slots that were granted to a disconnected request or never returned', async () => {
    const api = await full()
    for (let at = 0; at < RULES.concurrency; at++) api.cutOff(`gone${at}`)
    void api.begin('there')
    await api.finishAll()
    expect(api.going.size).toBe(0)
    await api.pass(QUEUE_ABANDONED_AFTER_MS)
    expect([...api.going.keys()]).toEqual(['there'])

    const stuck = await full()
    void stuck.begin('patient')
    await stuck.pass(RULES.slotIdleMaxMs)
    expect([...stuck.going.keys()]).toContain('patient')
  })

  it('leaves the slot to work that reports progress', async () => {
    const api = await full()
    void api.begin('patient')
    for (let at = 0; at < 4; at++) {
      await api.pass(RULES.slotIdleMaxMs / 2)
      for (const turn of api.turns.values()) turn.reportProgress()
    }
    expect(api.going.has('patient')).toBe(false)
    await api.end('first0')
    expect(api.going.has('patient')).toBe(true)
  })

  it('keeps a request that could not poll because nothing ran', async () => {
    const api = await full()
    const waits = api.begin('patient')
    api.now += QUEUE_ABANDONED_AFTER_MS + 1
    await api.end('first0')
    await api.pass(QUEUE_POLL_INTERVAL_MS)
    await api.finishAll()
    expect(await waits).toEqual(ok('patient'))
  })
})
