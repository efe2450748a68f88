// Guards "accepted is kept" for queued runs: a run that cannot begin ends with a reason and those behind it continue at
// once, and a repeated request is answered from rows even if other objects are unavailable.
import { describe, expect, it } from 'vitest'
import { fail } from '../../src/lib/result.ts'
import { QUEUED_RUNS_MAX, QUEUED_RUNS_ROOM } from '../../src/thread/start/limits.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text } from './scripted-model.ts'

const KEY = { idempotency: { key: 'k', digest: 'd' } }

/** A model that answers once the gate is open, and a catalog that a test can make unavailable. */
function gated(): { model: ScriptedModel; gate: { open: boolean } } {
  const gate = { open: false }
  const model = new ScriptedModel(() => ({
    act: async (request, onDelta, signal) => {
      while (!gate.open && !signal.aborted) await scheduler.wait(1)
      return new ScriptedModel(() => ({ content: [text('Done.')] })).call(request, onDelta, signal)
    },
  }))
  return { model, gate }
}

/** One run whose model blocks, and one queued behind it with `catalog` as its catalog. */
async function inLine(
  catalog: ThreadPorts['liveCatalog'],
): Promise<{ thread: TestThread; gate: { open: boolean }; model: ScriptedModel; ids: readonly string[] }> {
  const { model, gate } = gated()
  let build = ''
  let away = false
  const thread = new TestThread({
    ...speaks(model),
    now: new HandClock(1_000).now,
    liveCatalog: async (workspace, requested) => {
      build ||= requested
      return away ? catalog(workspace, requested) : { ok: true, value: { version: 1, index: build } }
    },
  })
  const first = await thread.start('One.')
  const second = await thread.start('Two.', { onBusy: 'enqueue' })
  const third = await thread.start('Three.', { onBusy: 'enqueue', ...KEY })
  away = true
  return { thread, gate, model, ids: [first.run_id, second.run_id, third.run_id] }
}

describe('a hook that is refused because its thread is busy', () => {
  it('gets one notice: when half of the queue is free, or when the thread is idle if it needs that', async () => {
    const { model, gate } = gated()
    const reported: { readonly keyId: string; readonly answered: number }[] = []
    const thread: TestThread = new TestThread({
      ...speaks(model),
      starter: (_, keyId) =>
        keyId.startsWith('hook:')
          ? { threadHasRoom: async () => void reported.push({ keyId, answered: model.requests.length }) }
          : null,
    })
    await thread.start('0')
    const last = { run_id: '' }
    for (let at = 1; at <= QUEUED_RUNS_MAX; at++)
      Object.assign(last, await thread.start(String(at), { onBusy: 'enqueue' }))
    for (const [keyId, onBusy] of [
      ['hook:hk_1', 'enqueue'],
      ['hook:hk_2', 'reject'],
      ['k2', 'enqueue'],
    ] as const) {
      const input = await thread.input('Too many.', { onBusy })
      expect(await thread.api.start({ ...thread.caller, keyId }, input)).toMatchObject({
        error: { code: 'thread_busy' },
      })
    }
    expect(reported).toEqual([])
    gate.open = true
    await thread.ended(last.run_id)
    await eventually(() => reported.length === 2)
    expect(reported.map(({ keyId }) => keyId)).toEqual(['hook:hk_1', 'hook:hk_2'])
    expect(reported[0]?.answered).toBeLessThanOrEqual(QUEUED_RUNS_MAX + 1 - QUEUED_RUNS_ROOM)
    expect(reported[1]?.answered).toBe(QUEUED_RUNS_MAX + 1)
  })
})

describe('a queued run', () => {
  for (const [how, catalog] of [
    ['answers with a failure', async () => fail('catalog_broken', 'The index is lost.')],
    [
      'is away',
      async () => {
        throw new Error('The index is lost.')
      },
    ],
  ] as const)
    it(`ends with its reason, and those behind it too, when the catalog ${how} for good`, async () => {
      const { thread, gate, ids } = await inLine(catalog)
      gate.open = true
      for (const id of ids.slice(1)) {
        const receipt = await eventually(
          async () => {
            await thread.alarm()
            return thread.receipt(id)
          },
          ({ ended_at }) => ended_at !== null,
        )
        expect(receipt).toMatchObject({
          status: 'failed',
          stop_reason: 'internal',
          error: { code: 'internal' },
        })
        expect(receipt.error?.detail).toContain('The index is lost.')
        const kept = (await thread.messages()).filter((message) => message.run_id === id)
        expect(kept).toMatchObject([{ role: 'user', content: [{ type: 'text' }] }])
        await thread.checkEnded(id, 0, false)
      }
      expect(await thread.receipt(ids[0] ?? '')).toMatchObject({ status: 'completed' })
    })

  it('starts at once when the run before it is cancelled during the preparation', async () => {
    const { model, gate } = gated()
    let hold = false
    let requested = 0
    let build = ''
    const thread = new TestThread({
      ...speaks(model),
      // By this clock, no alarm is due during the test.
      now: new HandClock().now,
      liveCatalog: async (_, wanted) => {
        build ||= wanted
        if (hold) requested += 1
        while (hold) await scheduler.wait(1)
        return { ok: true, value: { version: 1, index: build } }
      },
    })
    const first = await thread.start('One.')
    const second = await thread.start('Two.', { onBusy: 'enqueue' })
    const third = await thread.start('Three.', { onBusy: 'enqueue' })
    hold = true
    gate.open = true
    await eventually(
      () => requested === 1,
      (begun) => begun,
    )
    await thread.api.cancel(thread.caller, second.run_id)
    hold = false
    // No request names the thread: it continues by itself.
    await eventually(
      () => thread.status(third.run_id),
      (status) => status === 'completed',
    )
    expect(await thread.receipt(first.run_id)).toMatchObject({ status: 'completed' })
    expect(await thread.receipt(second.run_id)).toMatchObject({ status: 'cancelled' })
  })

  it('fails to start once, however many requests ask for its thread while the catalog is unavailable', async () => {
    const { model, gate } = gated()
    const catalog = { held: false, away: false }
    let requested = 0
    let answered = 0
    let build = ''
    const thread = new TestThread({
      ...speaks(model),
      now: new HandClock().now,
      liveCatalog: async (_, wanted) => {
        build ||= wanted
        requested += 1
        while (catalog.held) await scheduler.wait(1)
        answered += 1
        return catalog.away ? fail('overloaded', 'Away.') : { ok: true, value: { version: 1, index: build } }
      },
    })
    await thread.start('One.')
    const { run_id } = await thread.start('Two.', { onBusy: 'enqueue' })
    const before = requested
    catalog.held = true
    catalog.away = true
    gate.open = true
    for (let at = 1; at <= 6; at++) {
      if (at > 1) value(await thread.api.info(thread.caller))
      await eventually(
        () => requested - before,
        (times) => times >= (at === 1 ? 1 : 2),
      )
    }
    catalog.held = false
    const attempts = (): Promise<unknown> =>
      thread.sql((sql) => sql.exec('SELECT attempts AS n FROM runs WHERE id = ?', run_id).one()['n'])
    await eventually(
      () => answered,
      (all) => all === requested,
    )
    await eventually(attempts, (count) => count !== 0)
    expect(await attempts()).toBe(1)
    expect(await thread.status(run_id)).toBe('queued')
  })
})

describe('a repeated request', () => {
  it('is answered with its run while the catalog is unavailable', async () => {
    const { thread, gate, ids } = await inLine(async () => {
      throw new Error('Away.')
    })
    const again = await thread.start('Three.', { onBusy: 'enqueue', ...KEY })
    expect(again).toMatchObject({ run_id: ids[2], created: false })
    const other = await thread.refused('Three.', { idempotency: { key: 'k', digest: 'other' } })
    expect(other.code).toBe('idempotency_mismatch')
    const otherKey = { ...thread.caller, user: 'bob' }
    const refused = await thread.api.start(otherKey, await thread.input('Three.', KEY))
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_found' } })
    gate.open = true
  })
})
