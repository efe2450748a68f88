// Guards that large files at once do not fill the memory: so many bytes are held at a time, in the order in which they were
// asked for, and neither what fails nor what was cut off keeps its place.

import { describe, expect, it } from 'vitest'
import { ByteLane } from '../../../src/lib/byte-lane.ts'
import { LINE_SEEN_MS } from '../../../src/limits.ts'

const RULES = { bytes: 64, patienceMs: 20_000, heldMs: 60_000 }
const BUSY = { ok: false, error: 'busy' }

/** A lane whose clock a test turns by hand. */
class Desk {
  now = 0
  readonly #sleeping = new Set<() => void>()
  readonly going = new Map<string, PromiseWithResolvers<string>>()
  isCut = false
  readonly lane = new ByteLane(
    RULES,
    () => this.now,
    (_, called) =>
      new Promise((resolve) => {
        if (this.isCut) return
        this.#sleeping.add(() => resolve(null))
        void called.then(() => resolve(null))
      }),
  )

  begin(name: string, bytes: number): ReturnType<ByteLane['holding']> {
    return this.lane.holding(bytes, () => {
      const work = Promise.withResolvers<string>()
      this.going.set(name, work)
      return work.promise.finally(() => this.going.delete(name))
    })
  }

  async settle(): Promise<readonly string[]> {
    for (let at = 0; at < 5; at++) await new Promise((resolve) => setImmediate(resolve))
    return [...this.going.keys()]
  }

  /** All who wait look after so long. */
  async pass(ms: number): Promise<readonly string[]> {
    for (const end = this.now + ms; this.now < end;) {
      this.now = Math.min(end, this.now + LINE_SEEN_MS / 5)
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
  it('are so many at once, first come first served', async () => {
    const desk = new Desk()
    const done = [desk.begin('a', 32), desk.begin('b', 32), desk.begin('c', 60), desk.begin('d', 1)]
    expect(await desk.settle()).toEqual(['a', 'b'])
    // A small one does not pass by: the large one before it would wait for ever.
    expect(await desk.end('a')).toEqual(['b'])
    expect(await desk.end('b')).toEqual(['c', 'd'])
    await desk.end('c')
    await desk.end('d')
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd'].map((value) => ({ ok: true, value })))
  })

  it('that are more than there is room for are held alone', async () => {
    const desk = new Desk()
    void desk.begin('a', 1)
    void desk.begin('b', 1_000)
    void desk.begin('c', 1)
    expect(await desk.settle()).toEqual(['a'])
    expect(await desk.end('a')).toEqual(['b'])
    expect(await desk.end('b')).toEqual(['c'])
  })

  it('are free again where the work failed', async () => {
    const desk = new Desk()
    const failed = desk.lane.holding(64, () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    void desk.begin('a', 64)
    expect(await desk.settle()).toEqual(['a'])
  })
})

describe('who waits', () => {
  it('is told so after a while, and what is behind it goes on', async () => {
    const desk = new Desk()
    void desk.begin('a', 40)
    const late = desk.begin('b', 40)
    expect(await desk.pass(RULES.patienceMs + 1_000)).toEqual(['a'])
    expect(await late).toEqual(BUSY)
    void desk.begin('c', 20)
    expect(await desk.settle()).toEqual(['a', 'c'])
  })

  it('and was cut off is passed over, and so is a place that nobody gives back', async () => {
    const desk = new Desk()
    void desk.begin('hangs', 64)
    desk.isCut = true
    void desk.begin('gone', 64)
    desk.isCut = false
    await desk.pass(RULES.heldMs - RULES.patienceMs / 2)
    void desk.begin('next', 64)
    expect(await desk.settle()).toEqual(['hangs'])
    expect(await desk.pass(RULES.patienceMs / 2 + 1_000)).toEqual(['hangs', 'next'])
  })
})
