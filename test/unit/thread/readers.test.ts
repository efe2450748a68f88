// Guards "one slow reader delays nobody": all readers of an isolate share one budget of bytes, the reader that is
// furthest behind is disconnected first, and a frame is encoded once for all readers of its thread.
import { afterEach, describe, expect, it } from 'vitest'
import { SSE_LIFE_MS, SSE_QUEUE_MAX_BYTES } from '../../../src/thread/events/limits.ts'
import { KeyStreams } from '../../../src/thread/events/key-streams.ts'
import { Backlog } from '../../../src/thread/events/backlog.ts'
import { frameOf, type EventFrame } from '../../../src/thread/events/log.ts'
import { Readers, type Replay } from '../../../src/thread/events/readers.ts'

const KB = 1_024

function frame(seq: number, bytes = 10 * KB): EventFrame {
  return frameOf('th_1', 'run_1', seq, seq, 0, { type: 'loop.warning', detail: 'x'.repeat(bytes) })
}

const END = frameOf('th_1', 'run_1', 999, 999, 0, { type: 'thread.titled', title: 'The end.' })

function replayOf(frames: readonly EventFrame[]): Replay & { made: number } {
  const replay = {
    made: 0,
    *page(after: number) {
      for (const one of frames.filter(({ seq }) => seq > after)) {
        replay.made += 1
        yield one
      }
    },
    partial: () => [],
    settle: async () => undefined,
    terminal: () => null,
  }
  return replay
}

const NOTHING = replayOf([])

interface Watched {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  readonly chunks: Uint8Array[]
}

const open: Watched[] = []

const ANN = { workspace: 'w', keyId: 'ann' }

function follow(readers: Readers, replay: Replay = NOTHING, fresh = true, caller = ANN): Watched {
  const stream = readers.open(replay, { caller, runId: null, after: 0 }, undefined, fresh)
  const watched = { reader: stream.getReader(), chunks: [] }
  open.push(watched)
  return watched
}

/** Reads until the stream ends or `enough` chunks were read. */
async function take({ reader, chunks }: Watched, enough = Number.POSITIVE_INFINITY): Promise<boolean> {
  while (chunks.length < enough) {
    const { value, done } = await reader.read()
    if (done) return true
    chunks.push(value)
  }
  return false
}

function seqs({ chunks }: Watched): readonly number[] {
  const text = chunks.map((chunk) => new TextDecoder().decode(chunk)).join('')
  return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
}

/** Lets pending work in memory finish. */
async function turn(): Promise<void> {
  for (let at = 0; at < 20; at++) await Promise.resolve()
}

describe('readers of one isolate', () => {
  afterEach(async () => {
    for (const { reader } of open.splice(0)) await reader.cancel()
  })

  it('hold no more bytes together than their budget, whatever thread they read', async () => {
    const max = 250 * KB
    const backlog = new Backlog(max)
    const threads = Array.from({ length: 8 }, () => new Readers(backlog))
    const idle = threads.flatMap((readers) => Array.from({ length: 32 }, () => follow(readers)))
    const busy = threads.map((readers) => follow(readers))
    const taken = busy.map((watched) => take(watched))
    let most = 0
    for (let seq = 1; seq <= 40; seq++) {
      for (const readers of threads) readers.send(frame(seq))
      most = Math.max(most, backlog.bytes)
      await turn()
    }
    expect(most).toBeLessThanOrEqual(max)
    expect(most).toBeGreaterThan(max / 2)
    // The readers that read were never the furthest behind.
    for (const readers of threads) readers.closeAll()
    expect(await Promise.all(taken)).toEqual(busy.map(() => true))
    for (const watched of busy) expect(seqs(watched)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
    for (const watched of idle) expect(await take(watched)).toBe(true)
    expect(backlog.bytes).toBe(0)
  })

  it('are disconnected in the order in which they are behind', async () => {
    const backlog = new Backlog(100 * KB)
    const [slow, slower] = [new Readers(backlog), new Readers(backlog)]
    const some = follow(slow)
    const more = follow(slower)
    for (let seq = 1; seq <= 3; seq++) slow.send(frame(seq))
    for (let seq = 1; seq <= 7; seq++) slower.send(frame(seq))
    expect(slower.hasReaders('run_1')).toBe(false)
    expect(slow.hasReaders('run_1')).toBe(true)
    slow.closeAll()
    expect(await take(some)).toBe(true)
    expect(seqs(some)).toEqual([1, 2, 3])
    // Cut off after a whole frame; it reconnects with what it has.
    expect(await take(more)).toBe(true)
    expect(seqs(more)).toEqual([])
    expect(backlog.bytes).toBe(0)
  })

  it('are disconnected one by one beyond their own limit, too', async () => {
    const backlog = new Backlog(Number.POSITIVE_INFINITY)
    const readers = new Readers(backlog)
    const watched = follow(readers)
    for (let seq = 1; seq <= 30; seq++) readers.send(frame(seq, 100 * KB))
    expect(readers.hasReaders('run_1')).toBe(false)
    expect(backlog.bytes).toBe(0)
    expect(await take(watched)).toBe(true)
    expect(SSE_QUEUE_MAX_BYTES).toBeLessThan(30 * 100 * KB)
  })

  it('of one key are limited over all of its threads; streams that nobody ended count until their time is over', async () => {
    let now = 0
    const streams = new KeyStreams(3, () => now)
    const backlog = new Backlog(250 * KB)
    const threads = Array.from({ length: 3 }, () => new Readers(backlog, streams))
    const [one = new Readers(), ...others] = threads
    const [mine] = threads.map((readers) => follow(readers))
    expect(one.refusal(ANN)).toMatchObject({ error: { code: 'rate_limited', retryAfterS: 5 } })
    for (const other of [
      { workspace: 'w', keyId: 'ben' },
      { workspace: 'other', keyId: 'ann' },
    ])
      expect(one.refusal(other)).toBeNull()
    await mine?.reader.cancel()
    expect(others.map((readers) => readers.refusal(ANN))).toEqual([null, null])
    follow(one)
    expect(one.refusal(ANN)).not.toBeNull()
    now = SSE_LIFE_MS
    expect(one.refusal(ANN)).toBeNull()
  })

  it('whose timer could not be cleared in the turn of another thread clear it in their own', () => {
    const { setInterval: setReal, clearInterval: clearReal } = globalThis
    const pings: (() => void)[] = []
    const cleared: unknown[] = []
    let mine = true
    // As in workerd, a timer is valid only in turns of the object that set it.
    globalThis.setInterval = ((ping: () => void) => pings.push(ping)) as unknown as typeof setInterval
    globalThis.clearInterval = (timer) => void (mine && cleared.push(timer))
    try {
      const backlog = new Backlog(100 * KB)
      const [slow, busy] = [new Readers(backlog), new Readers(backlog)]
      slow.open(NOTHING, { caller: ANN, runId: null, after: 0 }, undefined, true)
      const other = follow(busy)
      for (let seq = 1; seq <= 6; seq++) slow.send(frame(seq))
      mine = false
      for (let seq = 1; seq <= 5; seq++) busy.send(frame(seq))
      expect(slow.hasReaders('run_1')).toBe(false)
      expect(cleared).toEqual([])
      mine = true
      pings[0]?.()
      expect(cleared).toEqual([1])
      expect(busy.hasReaders('run_1')).toBe(true)
      void other.reader.cancel()
    } finally {
      globalThis.setInterval = setReal
      globalThis.clearInterval = clearReal
    }
  })

  it('of one thread get the very same bytes, encoded once', async () => {
    const backlog = new Backlog(1_024 * KB)
    const readers = new Readers(backlog)
    const all = Array.from({ length: 16 }, () => follow(readers))
    readers.send(frame(1))
    await Promise.all(all.map((watched) => take(watched, 1)))
    readers.send(frame(2))
    await Promise.all(all.map((watched) => take(watched, 2)))
    expect(new Set(all.map(({ chunks }) => chunks[1])).size).toBe(1)
    readers.send(frame(3))
    expect(backlog.bytes).toBeLessThan(12 * KB)
    expect(all[0] && seqs(all[0])).toEqual([1, 2])
  })

  it('get stored events as fast as they read them, and no faster', async () => {
    const backlog = new Backlog(1_024 * KB)
    const readers = new Readers(backlog)
    const past = Array.from({ length: 200 }, (_, at) => frame(at + 1))
    const replay = replayOf(past)
    const watched = follow(readers, replay, false)
    await take(watched, 1)
    expect(replay.made).toBeLessThan(10)
    expect(backlog.bytes).toBeLessThan(100 * KB)
    const all = take(watched)
    while (replay.made < 200) await turn()
    for (let at = 0; at < 100; at++) await turn()
    readers.send({ ...END, seq: 201, from: 201 })
    readers.closeAll()
    expect(await all).toBe(true)
    expect(seqs(watched)).toEqual(Array.from({ length: 201 }, (_, at) => at + 1))
  })
})
