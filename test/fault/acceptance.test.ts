// Guards "accepted is kept" when a message is accepted: one idempotency key leads to one run however often it is sent,
// a busy thread refuses or queues, and a refused message leaves nothing behind.
import { describe, expect, it } from 'vitest'
import { IDEMPOTENCY_RETENTION_MS } from '../../src/limits/requests.ts'
import { QUEUED_RUNS_MAX } from '../../src/thread/start/limits.ts'
import { read } from './reader.ts'
import { ANN, HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text } from './scripted-model.ts'

const KEY = { idempotency: { key: 'k', digest: 'd' } }
const DONE = { content: [text('Done.')] }

/** A model that answers once the gate is open. */
function gated(): { model: ScriptedModel; gate: { open: boolean } } {
  const gate = { open: false }
  const model = new ScriptedModel(() => ({
    act: async (request, onDelta, signal) => {
      while (!gate.open && !signal.aborted) await scheduler.wait(1)
      return new ScriptedModel(() => DONE).call(request, onDelta, signal)
    },
  }))
  return { model, gate }
}

async function runs(thread: TestThread): Promise<readonly string[]> {
  const page = value(await thread.api.receipts(thread.caller, null, 100))
  return page.data.map((receipt) => receipt.run_id).toReversed()
}

describe('an idempotency key', () => {
  it('returns the same run for the same request, during and after the run, with all of its events', async () => {
    const { model, gate } = gated()
    const thread = new TestThread(speaks(model))
    const first = await thread.start('Go.', KEY)
    const again = await thread.start('Go.', { ...KEY, follow: true })
    expect([first.created, again.created]).toEqual([true, false])
    expect(again.run_id).toBe(first.run_id)
    gate.open = true
    expect((await read(again.events)).events.map(({ type }) => type)).toContain('run.completed')
    const late = await thread.start('Go.', { ...KEY, follow: true })
    expect((await read(late.events)).events).toEqual(await thread.replay(first.run_id))
    expect(await runs(thread)).toEqual([first.run_id])
    expect(model.requests).toHaveLength(1)
  })

  it('is refused with another request, and nothing runs', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model))
    const { run_id } = await thread.start('Go.', KEY)
    await thread.ended(run_id)
    const other = { idempotency: { key: 'k', digest: 'other' } }
    expect((await thread.refused('Stop.', other)).code).toBe('idempotency_mismatch')
    expect(await runs(thread)).toEqual([run_id])
    expect(model.requests).toHaveLength(1)
  })

  it('makes one run when it is sent many times at once, in a new thread and an existing one', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model))
    for (const key of ['k1', 'k2']) {
      const more = { idempotency: { key, digest: 'd' } }
      const all = await Promise.all(Array.from({ length: 5 }, () => thread.start('Go.', more)))
      expect(new Set(all.map(({ run_id }) => run_id)).size).toBe(1)
      expect(all.filter(({ created }) => created)).toHaveLength(1)
      await thread.ended(all[0]?.run_id ?? '')
    }
    expect(await runs(thread)).toHaveLength(2)
    expect(model.requests).toHaveLength(2)
    expect(model.problems).toEqual([])
  })

  it('is independent for each credential, and expires after a day', async () => {
    const clock = new HandClock()
    const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), now: clock.now })
    const first = await thread.start('Go.', KEY)
    await thread.ended(first.run_id)
    const other = await thread.api.start({ ...ANN, keyId: 'k2' }, await thread.input('Go.', KEY))
    expect(value(other).run_id).not.toBe(first.run_id)
    await thread.ended(value(other).run_id)
    clock.ms += IDEMPOTENCY_RETENTION_MS
    expect((await thread.start('Go.', { ...KEY, create: false })).run_id).toBe(first.run_id)
    clock.ms += 1
    expect((await thread.start('Go.', { ...KEY, create: false })).run_id).not.toBe(first.run_id)
  })

  it('finds its run while the catalog is unavailable', async () => {
    const thread = new TestThread(speaks(new ScriptedModel(() => DONE)))
    const { run_id } = await thread.start('Go.', KEY)
    await thread.ended(run_id)
    thread.replan({
      liveCatalog: async () => {
        throw new Error('Away.')
      },
    })
    await thread.kill()
    expect((await thread.start('Go.', KEY)).run_id).toBe(run_id)
  })
})

describe('a busy thread', () => {
  it('refuses another message, also when two arrive at once, and keeps no trace of it', async () => {
    const { model, gate } = gated()
    const thread = new TestThread(speaks(model))
    const { run_id } = await thread.start('One.')
    expect(await thread.refused('Two.')).toMatchObject({ code: 'thread_busy', retryAfterS: 1 })
    gate.open = true
    await thread.ended(run_id)
    gate.open = false // else the first message might be answered before the second arrives
    const both = await Promise.all(
      ['Three.', 'Four.'].map(async (words) => thread.api.start(thread.caller, await thread.input(words))),
    )
    expect(both.filter((result) => result.ok)).toHaveLength(1)
    gate.open = true
    for (const id of await runs(thread)) await thread.ended(id)
    expect(await thread.messages()).toHaveLength(4)
    expect(model.problems).toEqual([])
  })

  it('processes queued messages in order, one at a time, up to a limit', async () => {
    const { model, gate } = gated()
    const thread = new TestThread(speaks(model))
    const first = await thread.start('0')
    const waiting: string[] = []
    for (let at = 1; at <= QUEUED_RUNS_MAX; at++)
      waiting.push((await thread.start(String(at), { onBusy: 'enqueue' })).run_id)
    expect(await thread.refused('Too many.', { onBusy: 'enqueue' })).toMatchObject({ code: 'thread_busy' })
    // A queued message is not yet part of the conversation.
    expect(await thread.messages()).toHaveLength(1)
    expect((await thread.receipt(waiting[0] ?? '')).status).toBe('queued')
    gate.open = true
    await thread.ended(waiting.at(-1) ?? '')
    const output = (await thread.messages()).map((message) => [message.role, message.content[0]?.['text']])
    expect(output).toEqual(
      Array.from({ length: QUEUED_RUNS_MAX + 1 }, (_, at) => [
        ['user', String(at)],
        ['assistant', 'Done.'],
      ]).flat(),
    )
    for (const id of [first.run_id, ...waiting])
      expect(await thread.receipt(id)).toMatchObject({ status: 'completed', recoveries: 0, model_calls: 1 })
    expect(model.problems).toEqual([])
    // The first event of a run that waited records the wait.
    expect((await thread.replay(waiting[0] ?? ''))[0]).toMatchObject({
      type: 'run.accepted',
      status: 'queued',
    })
  })

  it('continues with the queue after a run is cancelled or dies', async () => {
    const { model, gate } = gated()
    const thread = new TestThread(speaks(model))
    const first = await thread.start('One.')
    const [second, third] = [
      await thread.start('Two.', { onBusy: 'enqueue' }),
      await thread.start('Three.', { onBusy: 'enqueue' }),
    ]
    await thread.api.cancel(thread.caller, first.run_id)
    await eventually(
      () => model.requests.length === 2,
      (begun) => begun,
    )
    await thread.kill()
    gate.open = true
    await thread.alarm()
    expect(await thread.ended(second.run_id)).toMatchObject({ status: 'completed', interrupted_waits: 1 })
    expect(await thread.ended(third.run_id)).toMatchObject({ status: 'completed', recoveries: 0 })
    await thread.checkEnded(third.run_id, 1, false)
    expect(model.problems).toEqual([])
  })

  it('starts queued runs as soon as the catalog is available again', async () => {
    const { model, gate } = gated()
    let away = false
    const clock = new HandClock(1_000)
    const thread = new TestThread({ ...speaks(model), now: clock.now })
    const first = await thread.start('One.')
    const next = await thread.start('Two.', { onBusy: 'enqueue' })
    await thread.kill()
    thread.replan({
      ...speaks(model),
      now: clock.now,
      liveCatalog: async (_, build) => {
        away = !away
        return away
          ? { ok: false, error: { code: 'overloaded', detail: 'Away.' } }
          : { ok: true, value: { version: 1, index: build } }
      },
    })
    gate.open = true
    await thread.alarm()
    await thread.ended(first.run_id)
    await eventually(
      async () => {
        await thread.alarm()
        return thread.status(next.run_id)
      },
      (status) => status === 'completed',
    )
  })
})

describe('a missing thread', () => {
  it('is not found, and a request for it stores nothing', async () => {
    const thread = new TestThread()
    const { api, caller } = thread
    const answers = await Promise.all([
      api.start(caller, await thread.input('Hello', { create: false })),
      api.info(caller),
      api.patch(caller, { title: 'Mine' }),
      api.remove(caller),
      api.messages(caller, null, 10),
      api.receipts(caller, null, 10),
      api.receipt(caller, 'run_1'),
      api.events(caller, null, null),
      api.cancel(caller, 'run_1'),
      api.reply(caller, 'run_1', 10),
    ])
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))).toEqual(
      Array(10).fill('not_found'),
    )
    const tables = await thread.sql((sql) =>
      sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray(),
    )
    expect(tables.filter(({ name }) => !String(name).startsWith('_cf'))).toEqual([])
    expect(await thread.alarmAt()).toBeNull()
  })
})
