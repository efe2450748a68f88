// Guards the memory for parts of uploads: a slow sender does not keep it from a key that has none.

import { describe, expect, it } from 'vitest'
import { RequestQueue } from '../../../src/api/admission/request-queue.ts'
import { holdPart, type HeldPart } from '../../../src/api/upload/part-queue.ts'
import { UPLOAD_PART_QUEUE, UPLOAD_PART_SLOW_AFTER_MS } from '../../../src/api/upload/limits.ts'
import { UPLOAD_PART_BYTES } from '../../../src/limits/files.ts'
import { QUEUED_BODY_MIN_BYTES_PER_S, QUEUE_POLL_INTERVAL_MS } from '../../../src/limits/skills.ts'

const PIECE = new Uint8Array(65_536).fill(7)

/** A queue in which three keys hold all places and a fourth checks for one at its intervals. */
async function full() {
  let now = 0
  const sleeping = new Set<() => void>()
  const line = new RequestQueue(
    UPLOAD_PART_QUEUE,
    () => now,
    (_, called) =>
      new Promise((resolve) => {
        sleeping.add(() => resolve(null))
        void called.then(resolve)
      }),
  )
  const hold = async (key: string): Promise<HeldPart> => {
    const part = await holdPart(key, line, () => now)
    if (!part.ok) throw new Error(part.error.detail)
    return part.value
  }
  const parts = await Promise.all(['a', 'a', 'b', 'c'].map(hold))
  let served = false
  const other = hold('d').then((part) => {
    served = true
    return part
  })
  const pass = async (ms: number): Promise<boolean> => {
    now += ms
    for (const wake of sleeping) wake()
    sleeping.clear()
    await new Promise((resolve) => setImmediate(resolve))
    return served
  }
  return { parts, other, pass }
}

describe('a part that its sender fills slowly', () => {
  it('is given to a key that has none after a second, not after the time limit of a body', async () => {
    const { parts, other, pass } = await full()
    for (const part of parts) expect(part.add(PIECE)).toBe(PIECE.length)
    expect(await pass(UPLOAD_PART_SLOW_AFTER_MS - 1)).toBe(false)
    expect(await pass(QUEUE_POLL_INTERVAL_MS)).toBe(true)
    expect((await other).add(PIECE)).toBe(PIECE.length)
    // The key that held two places lost one of them. Nothing of that part can be sent any more.
    expect(parts.map((part) => part.add(PIECE))).toEqual([
      null,
      ...Array.from({ length: 3 }, () => PIECE.length),
    ])
    expect(parts.map((part) => part.complete()?.length)).toEqual([undefined, 131_072, 131_072, 131_072])
  })

  it('is kept while it fills fast enough, and once it is full', async () => {
    const { parts, pass } = await full()
    const seconds = (2 * UPLOAD_PART_SLOW_AFTER_MS) / 1_000
    const [first, ...rest] = parts
    first?.add(PIECE)
    expect(first?.complete()?.length).toBe(PIECE.length)
    for (const part of rest) part.add(new Uint8Array(seconds * QUEUED_BODY_MIN_BYTES_PER_S))
    expect(await pass(seconds * 1_000)).toBe(false)
    first?.release()
    expect(await pass(0)).toBe(true)
  })

  it('accepts no more than its size', async () => {
    const { parts } = await full()
    expect(parts[0]?.add(new Uint8Array(UPLOAD_PART_BYTES + 1))).toBe(UPLOAD_PART_BYTES)
    expect(parts[0]?.freeBytes).toBe(0)
  })
})
