// Guards that many new threads at once hold up nobody: a few begin at a time, the keys take turns, and neither a client that
// went away nor a request that was cut off keeps the others waiting.

import { describe, expect, it } from 'vitest'
import { Births } from '../../../src/http/births.ts'
import { ok, type Result } from '../../../src/lib/result.ts'
import {
  BIRTH_HELD_MS,
  BIRTH_LINE_MAX,
  BIRTH_LINE_OF_KEY,
  BIRTH_LOOK_MS,
  BIRTH_SEEN_MS,
  BIRTH_WAIT_MS,
  BIRTHS_AT_ONCE,
} from '../../../src/limits.ts'

const OVERLOADED = { ok: false, error: { code: 'overloaded', retryAfterS: 2 } }

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** A door whose clock a test turns by hand; who sleeps wakes when its time has come, or when it is called. */
class Door {
  now = 0
  #lose = false
  readonly #sleeping = new Set<{ readonly until: number; readonly wake: () => void }>()
  /** What is under way, by the name it was given; calling one ends it. */
  readonly going = new Map<string, () => void>()
  most = 0
  readonly births = new Births(
    () => this.now,
    (ms, called) =>
      new Promise((resolve) => {
        if (this.#lose) return
        this.#sleeping.add({ until: this.now + ms, wake: resolve })
        void called.then(resolve)
      }),
  )

  begin(name: string, key = name): Promise<Result<string>> {
    return this.births.inTurn(
      key,
      () =>
        new Promise((resolve) => {
          this.going.set(name, () => {
            this.going.delete(name)
            resolve(ok(name))
          })
          this.most = Math.max(this.most, this.going.size)
        }),
    )
  }

  /** One that asks and is cut off while it waits: it never looks again. */
  cutOff(key: string): void {
    this.#lose = true
    void this.births.inTurn(key, () => Promise.reject(new Error('it is gone')))
    this.#lose = false
  }

  async pass(ms: number): Promise<void> {
    for (const end = this.now + ms; this.now < end;) {
      this.now = Math.min(end, this.now + BIRTH_LOOK_MS)
      for (const one of this.#sleeping)
        if (one.until <= this.now) {
          this.#sleeping.delete(one)
          one.wake()
        }
      await turn()
    }
  }

  /** Ends what is under way, and what follows it, until nothing is; says in which order. */
  async finishAll(): Promise<readonly string[]> {
    const order: string[] = []
    for (;;) {
      const [next] = this.going
      if (!next) return order
      const [name, end] = next
      order.push(name)
      end()
      for (let at = 0; at < 5; at++) await turn()
    }
  }
}

function names(key: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${key}${at}`)
}

/** Fills all places. */
async function full(): Promise<Door> {
  const door = new Door()
  for (const name of names('first', BIRTHS_AT_ONCE)) void door.begin(name)
  await turn()
  expect(door.going.size).toBe(BIRTHS_AT_ONCE)
  return door
}

describe('new threads', () => {
  it('begin a few at a time, each in the end, without waiting for a look', async () => {
    const door = new Door()
    const all = names('n', 500).map((name) => door.begin(name, 'one key'))
    await turn()
    const order = await door.finishAll()
    expect(order).toEqual(names('n', 500))
    expect(door.most).toBe(BIRTHS_AT_ONCE)
    expect(await Promise.all(all)).toEqual(order.map((name) => ok(name)))
    expect(door.now).toBe(0)
  })

  it('of keys that ask little come before the rest of a key that asks for much', async () => {
    const door = await full()
    for (const name of names('greedy', 100)) void door.begin(name, 'greedy')
    for (const name of ['ann', 'ben']) void door.begin(name)
    await turn()
    const order = (await door.finishAll()).slice(BIRTHS_AT_ONCE)
    expect(order.slice(0, 5)).toEqual(['greedy0', 'ann', 'ben', 'greedy1', 'greedy2'])
    expect(order).toHaveLength(102)
  })

  it('give their place on when they fail or throw', async () => {
    const door = new Door()
    for (let at = 0; at < BIRTHS_AT_ONCE; at++)
      await expect(door.births.inTurn('k', () => Promise.reject(new Error('broken')))).rejects.toThrow(
        'broken',
      )
    void door.begin('next')
    await turn()
    expect([...door.going.keys()]).toEqual(['next'])
  })
})

describe('the line', () => {
  it('is bounded, for all and for each key, and says when to come back', async () => {
    const door = await full()
    for (const name of names('a', BIRTH_LINE_OF_KEY)) void door.begin(name, 'a')
    expect(await door.begin('more', 'a')).toMatchObject(OVERLOADED)
    for (let key = 0; key < BIRTH_LINE_MAX / BIRTH_LINE_OF_KEY - 1; key++)
      for (const name of names('b', BIRTH_LINE_OF_KEY)) void door.begin(name, `b${key}`)
    expect(await door.begin('more', 'c')).toMatchObject(OVERLOADED)
  })

  it('is left after a while by those whose turn does not come', async () => {
    // Nothing is ever given back: places come free when what holds them is given up.
    const door = await full()
    const turns = BIRTH_WAIT_MS / BIRTH_HELD_MS
    const waits = names('w', BIRTHS_AT_ONCE * (turns + 2)).map((name) => door.begin(name, 'w'))
    await door.pass(BIRTH_HELD_MS)
    expect([...door.going.keys()].slice(BIRTHS_AT_ONCE)).toEqual(names('w', BIRTHS_AT_ONCE))
    await door.pass(BIRTH_WAIT_MS - BIRTH_HELD_MS)
    expect(await waits.at(-1)).toMatchObject(OVERLOADED)
  })

  it('passes over those that were cut off, however many', async () => {
    const door = await full()
    for (let at = 0; at < 50; at++) door.cutOff('gone')
    void door.begin('there', 'gone')
    await door.pass(BIRTH_SEEN_MS + BIRTH_LOOK_MS)
    for (const end of [...door.going.values()].slice(0, 1)) end()
    for (let at = 0; at < 5; at++) await turn()
    expect([...door.going.keys()]).toContain('there')
  })

  it('takes back what was granted to one that is gone, and what was never given back', async () => {
    const door = await full()
    for (let at = 0; at < BIRTHS_AT_ONCE; at++) door.cutOff(`gone${at}`)
    void door.begin('there')
    await door.finishAll()
    expect(door.going.size).toBe(0)
    await door.pass(BIRTH_SEEN_MS)
    expect([...door.going.keys()]).toEqual(['there'])

    const stuck = await full()
    void stuck.begin('patient')
    await stuck.pass(BIRTH_HELD_MS)
    expect([...stuck.going.keys()]).toContain('patient')
  })
})
