// Guards "nothing is said twice" and "nothing haunts": stored events expire only as the operator set it. The rest stays
// gapless, and a reader that asks for expired events is told so.
import { afterEach, describe, expect, it } from 'vitest'
import { isTerminal } from '../../src/agent/events.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../../src/limits/requests.ts'
import { PURGE_BATCH_ROWS } from '../../src/limits/runs.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { unwatch, watchPoints } from './plan.ts'
import { read } from './reader.ts'
import { HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'
import { World } from './world.ts'

const DAY = 86_400_000
const KEEP = 30 * DAY

interface Reported {
  readonly thread: TestThread
  readonly clock: HandClock
  readonly ids: readonly string[]
}

/** A thread with two runs that used a tool, idle since. */
async function quiet(ports: Partial<ThreadPorts>): Promise<Reported> {
  const clock = new HandClock()
  const world = new World()
  const model = new ScriptedModel([
    { content: [text('I look.'), use('t1', 'look')] },
    { content: [text('Done.')] },
  ])
  const thread = new TestThread({ ...speaks(model), tools: () => world.tools, now: clock.now, ...ports })
  const ids: string[] = []
  for (const words of ['One.', 'Two.']) {
    const { run_id } = await thread.start(words, { idempotency: { key: words, digest: 'd' } })
    await thread.ended(run_id)
    ids.push(run_id)
  }
  return { thread, clock, ids }
}

function count(thread: TestThread, table: string): Promise<number> {
  return thread.sql((sql) => Number(sql.exec(`SELECT count(*) AS n FROM ${table}`).one()['n']))
}

/** Number of rows that leave a number out, or cover one that another row covers. */
function gaps(thread: TestThread): Promise<number> {
  return thread.sql((sql) =>
    Number(
      sql
        .exec(
          `SELECT count(*) AS n FROM (SELECT from_seq, coalesce(lag(seq) OVER (ORDER BY seq), 0) AS before FROM events)
           WHERE from_seq <> before + 1`,
        )
        .one()['n'],
    ),
  )
}

describe('the events of an idle thread', () => {
  afterEach(unwatch)

  it('are kept forever by default', async () => {
    const { thread, clock } = await quiet({})
    const before = await count(thread, 'events')
    clock.ms += 10_000 * DAY
    await thread.alarm()
    expect(await count(thread, 'events')).toBe(before)
    expect(await thread.alarmAt()).toBeNull()
  })

  it('expire after the configured days, by their own alarm, except the end of each run', async () => {
    const { thread, clock, ids } = await quiet({ eventsRetentionMs: KEEP })
    const messages = await thread.messages()
    const receipts = await Promise.all(ids.map((id) => thread.receipt(id)))
    const whole = await thread.threadReplay(ids[1] ?? '')
    const before = await count(thread, 'events')
    await thread.alarm()
    expect(await count(thread, 'events')).toBe(before)
    expect(await thread.alarmAt()).toBe(clock.ms + KEEP)
    clock.ms += KEEP
    await thread.alarm()
    expect(await count(thread, 'events')).toBe(2)
    expect(await thread.messages()).toEqual(messages)
    expect(await Promise.all(ids.map((id) => thread.receipt(id)))).toEqual(receipts)
    // A reader gets what is kept, and its first frame covers the rest.
    const kept = await thread.threadReplay(ids[1] ?? '')
    expect(kept.map(({ type }) => type)).toEqual(['run.completed', 'run.completed'])
    expect(kept[0]?.from).toBe(1)
    expect(kept[1]?.from).toBe((kept[0]?.seq ?? 0) + 1)
    expect(kept.at(-1)?.seq).toBe(whole.at(-1)?.seq)
    for (const [at, id] of ids.entries()) {
      const events = await thread.replay(id)
      expect(events).toMatchObject([{ type: 'run.completed', receipt: receipts[at] }])
      expect((await thread.replay(id, 2)).filter(({ type }) => isTerminal(type))).toHaveLength(1)
    }
    await thread.alarm()
    expect(await thread.alarmAt()).toBeNull()
    // It continues with the next numbers.
    await thread.kill()
    const next = await thread.start('Three.')
    await thread.ended(next.run_id)
    expect((await thread.replay(next.run_id))[0]?.seq).toBe((whole.at(-1)?.seq ?? 0) + 1)
  })

  it('expire even if the days are configured later: any read of the thread sets its alarm', async () => {
    const { thread, clock } = await quiet({})
    await thread.alarm()
    const before = await count(thread, 'events')
    thread.adjust({ eventsRetentionMs: KEEP })
    await thread.kill()
    value(await thread.api.info(thread.caller))
    expect(await thread.alarmAt()).toBeNull()
    clock.ms += KEEP
    value(await thread.api.info(thread.caller))
    await eventually(
      async () => {
        await thread.alarm()
        return count(thread, 'events')
      },
      (left) => left < before,
    )
    expect(await count(thread, 'events')).toBe(2)
    // Exactly one alarm.
    await thread.alarm()
    value(await thread.api.info(thread.caller))
    expect(await thread.alarmAt()).toBeNull()
  })

  it('do not expire during a run, however long it takes', async () => {
    const { thread, clock } = await quiet({ eventsRetentionMs: KEEP })
    const gate = { open: false }
    thread.replan({
      ...speaks(
        new ScriptedModel(() => ({
          act: async (request, onDelta, signal) => {
            while (!gate.open && !signal.aborted) await scheduler.wait(1)
            return new ScriptedModel(() => ({ content: [text('Late.')] })).call(request, onDelta, signal)
          },
        })),
      ),
      now: clock.now,
      eventsRetentionMs: KEEP,
    })
    await thread.kill()
    const { run_id } = await thread.start('Three.')
    const before = await count(thread, 'events')
    clock.ms += 2 * KEEP
    await thread.alarm()
    expect(await count(thread, 'events')).toBeGreaterThanOrEqual(before)
    gate.open = true
    await thread.ended(run_id)
  })

  it('expire in batches, so that other requests get their turn, and have no gaps in between', async () => {
    const { thread, clock, ids } = await quiet({ eventsRetentionMs: KEEP })
    await thread.sql((sql) => {
      const from = Number(sql.exec('SELECT max(seq) + 1 AS s FROM events').one()['s'])
      sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ${2 * PURGE_BATCH_ROWS})
         INSERT INTO events SELECT i, i, ?2, 'loop.warning', '{"type":"loop.warning","detail":""}', 0 FROM n`,
        from,
        ids[1] ?? '',
      )
      sql.exec(
        "INSERT INTO events SELECT max(seq) + 1, max(seq) + 1, '', 'run.completed', '{', 0 FROM events",
      )
    })
    clock.ms += KEEP
    const before = await count(thread, 'events')
    const crash = watchPoints(thread.name, (_, __, { fired }) => (fired < 2 ? 'lose' : null))
    const counts: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      await thread.alarm()
      counts.push(await count(thread, 'events'))
      expect(await gaps(thread)).toBe(0)
    }
    expect(crash.fired).toBe(2)
    expect(counts.map((left) => before - left)).toEqual([
      PURGE_BATCH_ROWS,
      2 * PURGE_BATCH_ROWS,
      before - 3,
      before - 3,
    ])
  })
})

describe('idempotency keys', () => {
  it('expire after a day by the alarm, except the one that created the thread', async () => {
    const { thread, clock, ids } = await quiet({})
    expect(await count(thread, 'idempotency')).toBe(2)
    clock.ms += IDEMPOTENCY_RETENTION_MS + 1
    await eventually(
      async () => {
        await thread.alarm()
        return count(thread, 'idempotency')
      },
      (left) => left === 1,
    )
    const again = await thread.start('One.', { idempotency: { key: 'One.', digest: 'd' } })
    expect(again.run_id).toBe(ids[0])
    const { events } = await read(value(await thread.api.events(thread.caller, ids[0] ?? '', null)))
    expect(events.at(-1)?.type).toBe('run.completed')
  })
})
