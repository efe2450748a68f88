// Guards the numbering of events: a number is shown only after it was reserved on disk, a milestone only after it was
// written itself, and nothing waits longer than that. The next event covers numbers lost in a crash.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../src/agent/events.ts'
import { rfc3339 } from '../../src/lib/clock.ts'
import { RESERVED_EVENT_NUMBERS } from '../../src/thread/events/limits.ts'
import { entriesOf } from '../../src/thread/events/event-rows.ts'
import { EventLog, type EventFrame } from '../../src/thread/events/log.ts'
import { speaks, TestThread } from '../fault/rig.ts'
import { ScriptedModel, text } from '../fault/scripted-model.ts'

const STEP: EventBody = { type: 'step.started', step: 2 }
const DELTA: EventBody = { type: 'text.delta', step: 2, block: 0, offset: 0, text: 'Hi' }
const DONE: EventBody = {
  type: 'tool.completed',
  tool_use_id: 't1',
  name: 'look',
  is_error: false,
  preview: '',
  duration_ms: 1,
}

/** The log of an idle thread, on its real rows, with a disk that confirms writes when the test says so. */
class SlowLog {
  readonly shown: EventFrame[] = []
  readonly first: number
  readonly #waiting: (() => void)[] = []
  /** Each reading advances the clock. */
  #clock = 0
  log: EventLog

  constructor(sql: SqlStorage) {
    this.log = this.reopen(sql)
    this.first = this.log.lastSeq + 1
  }

  reopen(sql: SqlStorage): EventLog {
    const sync = (): Promise<void> => new Promise((resolve) => this.#waiting.push(resolve))
    // The cast is safe: the log uses only these two members of its storage.
    this.log = new EventLog(
      { sql, sync } as unknown as DurableObjectStorage,
      'th_1',
      () => this.#clock++,
      (to) => sql.exec('UPDATE thread SET reserved_to = ?', to),
    )
    this.log.onFrame((frame) => this.shown.push(frame))
    return this.log
  }

  get numbers(): readonly number[] {
    return this.shown.map((frame) => frame.seq - this.first)
  }

  /** Resolves when the disk has written everything requested so far. */
  async written(): Promise<void> {
    for (const resolve of this.#waiting.splice(0)) resolve()
    await scheduler.wait(0)
  }
}

async function inIdleThread(look: (slow: SlowLog, sql: SqlStorage) => Promise<void>): Promise<void> {
  const thread = new TestThread(speaks(new ScriptedModel([{ content: [text('Done.')] }])))
  const { run_id } = await thread.start()
  await thread.ended(run_id)
  await runInDurableObject(env.THREADS.getByName(thread.name), (_, { storage }) =>
    look(new SlowLog(storage.sql), storage.sql),
  )
}

describe('an event', () => {
  it('has the same time for live readers and for later readers of its row', () =>
    inIdleThread(async (slow) => {
      slow.log.appendLater('run_1', STEP)
      slow.log.append('run_1', { type: 'loop.warning', detail: 'x' })
      await slow.written()
      expect(slow.shown).toHaveLength(2)
      const events = slow.log.rows(slow.first - 1, null, 10).flatMap(entriesOf)
      expect(events.map(({ at }) => rfc3339(at))).toEqual(
        slow.shown.map(({ json }) => (JSON.parse(json) as { at: string }).at),
      )
    }))

  it('waits for its number to be reserved, and no longer', () =>
    inIdleThread(async (slow) => {
      slow.log.append('run_1', STEP)
      slow.log.send('run_1', DELTA)
      slow.log.append('run_1', { type: 'loop.warning', detail: 'x' })
      expect(slow.numbers).toEqual([])
      // One write reserved the numbers for all of them; the disk is not asked again.
      await slow.written()
      expect(slow.numbers).toEqual([0, 1, 2])
      slow.log.send('run_1', DELTA)
      expect(slow.numbers).toEqual([0, 1, 2, 3])
    }))

  it('that is a milestone waits until it is written, and holds back later ones', () =>
    inIdleThread(async (slow) => {
      slow.log.append('run_1', STEP)
      await slow.written()
      slow.log.append('run_1', DONE)
      slow.log.append('run_1', STEP)
      expect(slow.numbers).toEqual([0])
      expect(slow.log.isSettled).toBe(false)
      const synced = slow.log.sync()
      slow.log.append('run_1', DONE)
      await slow.written()
      await synced
      expect(slow.numbers).toEqual([0, 1, 2])
      const again = slow.log.sync()
      await slow.written()
      await again
      expect(slow.numbers).toEqual([0, 1, 2, 3])
      expect(slow.log.isSettled).toBe(true)
    }))

  it('is not shown on a reservation that was released while the disk was busy', () =>
    inIdleThread(async (slow) => {
      slow.log.append('run_1', STEP)
      await slow.written()
      const synced = slow.log.sync()
      slow.log.release()
      slow.log.append('run_2', STEP)
      slow.log.send('run_2', DELTA)
      expect(slow.numbers).toEqual([0])
      await slow.written()
      await synced
      expect(slow.numbers).toEqual([0, 1, 2])
    }))

  it('after a crash covers the numbers that were reserved and not used', () =>
    inIdleThread(async (slow, sql) => {
      const { first } = slow
      slow.log.append('run_1', STEP)
      for (let at = 0; at < 5; at++) slow.log.send('run_1', DELTA)
      await slow.written()
      const log = slow.reopen(sql)
      const promised = log.lastSeq
      expect(promised).toBeGreaterThanOrEqual(first + 5)
      expect(promised).toBeLessThanOrEqual(first + 5 + RESERVED_EVENT_NUMBERS)
      log.append('run_1', { type: 'step.restarted', step: 2, reason: 'crash' })
      await slow.written()
      const frame = slow.shown.at(-1)
      expect([frame?.from, frame?.seq]).toEqual([first + 1, promised + 1])
      expect(log.rows(first, null, 10)).toMatchObject([{ from: first + 1, seq: promised + 1 }])
      log.release()
      expect(slow.reopen(sql).lastSeq).toBe(promised + 1)
    }))
})
