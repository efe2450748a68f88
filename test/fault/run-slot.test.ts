// Guards that counting runs delays none: if the workspace cannot count them, runs begin, and what is reported about a run is
// correct even after a crash.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { fail, ok, type Result } from '../../src/lib/result.ts'
import { portsOf } from '../../src/thread/ports.ts'
import type { OpenRun, WorkspaceApi } from '../../src/workspace/api.ts'
import { answer, asks, waits, YES } from './approving.ts'
import { ANN, BUDGET, HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text, type Turn } from './scripted-model.ts'

const DONE: Turn = { content: [text('Done.')] }
const HANG: Turn = { act: (_, __, signal) => hang(signal) }

/** The reports of runs to the workspace, in order. */
class Reported {
  readonly output: string[] = []
  answer: () => Promise<Result<null>> = async () => ok(null)
  /** True: no waiting run gets a slot. */
  full = false

  readonly port = {
    workspace: () =>
      ({
        admit: (run: OpenRun, accepted: boolean) => {
          this.output.push(`${accepted ? 'told' : 'asked'} ${run.queued ? 'waiting' : 'running'} ${run.key}`)
          return this.answer()
        },
        resume: async (run: OpenRun) => {
          this.output.push(`resumed ${run.key}`)
          return ok(this.full ? 1_000 : null)
        },
        leave: async () => {
          this.output.push('left')
          return ok(null)
        },
        record: async (_: unknown, run: object | null) => {
          if (run) this.output.push('ended')
          return ok(null)
        },
        lease: async () => ok(null),
        recordApprovals: async () => ok(null),
        forget: async () => ok(null),
      }) as unknown as WorkspaceApi, // the cast is safe: a thread calls no other method
  }
}

describe('a workspace that cannot grant a slot', () => {
  for (const [how, answer] of [
    ['throws', () => Promise.reject(new Error('away'))],
    ['never answers', () => new Promise<never>(() => undefined)],
  ] as const)
    it(`because it ${how}: the run goes on once it says what the run may spend`, async () => {
      const reported = new Reported()
      reported.answer = answer
      const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), ...reported.port })
      const { run_id } = await thread.start()
      expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    })
})

describe('the workspace', () => {
  it('is notified of each change once: requested, queued, running, ended', async () => {
    const reported = new Reported()
    const model = new ScriptedModel((_, call) => (call === 0 ? HANG : DONE))
    const thread = new TestThread({ ...speaks(model), ...reported.port })
    const first = await thread.start('One.')
    const second = await thread.start('Two.', { onBusy: 'enqueue' })
    expect((await thread.refused('Three.')).code).toBe('thread_busy')
    await thread.api.cancel(thread.caller, first.run_id)
    await thread.ended(second.run_id)
    await eventually(
      () => reported.output.filter((word) => word === 'ended').length,
      (count) => count === 2,
    )
    // If the thread asks again, the workspace answers the same.
    const output = reported.output.filter(
      (word, at, all) => word !== 'resumed k1' || all.indexOf(word) === at,
    )
    expect(output.toSorted()).toEqual(
      ['asked running k1', 'asked waiting k1', 'resumed k1', 'ended', 'ended'].toSorted(),
    )
  })

  it('is asked before a queued run starts, which waits on without a slot', async () => {
    const reported = new Reported()
    reported.full = true
    const model = new ScriptedModel((_, call) => (call === 0 ? HANG : DONE))
    const clock = new HandClock()
    const thread = new TestThread({ ...speaks(model), ...reported.port, now: clock.now })
    const first = await thread.start('One.')
    const second = await thread.start('Two.', { onBusy: 'enqueue' })
    await thread.api.cancel(thread.caller, first.run_id)
    await eventually(
      () => reported.output.includes('resumed k1'),
      (requested) => requested,
    )
    await thread.kill()
    clock.ms += 60_000
    await thread.alarm()
    expect([await thread.status(second.run_id), model.requests.length]).toEqual(['queued', 1])
    reported.full = false
    clock.ms += 60_000
    await thread.alarm()
    expect(await thread.ended(second.run_id)).toMatchObject({ status: 'completed' })
  })

  it('is asked before an approved run continues, which waits without a slot, even across a crash, and uses no time', async () => {
    const reported = new Reported()
    reported.full = true
    const { thread, clock, world } = asks(undefined, reported.port)
    const { run_id } = await thread.start('Pay.', { budget: { ...BUDGET, wall_s: 60 } })
    await waits(thread, run_id)
    value(await answer(thread, ANN, run_id, 't1', YES))
    expect([await thread.status(run_id), world.ran, reported.output.at(-1)]).toEqual([
      'waiting',
      [],
      'resumed k1',
    ])
    await thread.kill()
    clock.ms += 3_600_000
    await thread.alarm()
    expect([await thread.status(run_id), world.ran]).toEqual(['waiting', []])
    reported.full = false
    clock.ms += 3_600_000
    await thread.alarm()
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    expect(world.ran).toHaveLength(1)
  })

  it('is asked for a slot by a message whose thread is no longer busy when it is prepared', async () => {
    const reported = new Reported()
    const model = new ScriptedModel((_, call) => (call === 0 ? HANG : DONE))
    const gate = Promise.withResolvers<void>()
    let isHeld = false
    const thread = new TestThread({
      ...speaks(model),
      ...reported.port,
      liveCatalog: async (...args) => {
        if (isHeld) await gate.promise
        return portsOf(env).liveCatalog(...args)
      },
    })
    const first = await thread.start('One.')
    isHeld = true
    const second = thread.start('Two.', { onBusy: 'steer' })
    await thread.api.cancel(thread.caller, first.run_id)
    expect(await thread.ended(first.run_id)).toMatchObject({ status: 'cancelled' })
    gate.resolve()
    const { run_id } = await second
    expect(run_id).not.toBe(first.run_id)
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    expect(reported.output.filter((word) => word === 'asked running k1')).toHaveLength(2)
  })

  it('is not notified of a repeated request', async () => {
    const reported = new Reported()
    const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), ...reported.port })
    const same = { idempotency: { key: 'k', digest: 'd' } }
    const { run_id } = await thread.start('Hello', same)
    await thread.ended(run_id)
    reported.answer = async () => fail('too_many_runs', 'Enough.')
    expect((await thread.start('Hello', same)).run_id).toBe(run_id)
    expect((await thread.refused('Another.')).code).toBe('too_many_runs')
    expect(reported.output.filter((word) => word.startsWith('asked'))).toHaveLength(2)
    await eventually(
      () => reported.output.includes('left'),
      (left) => left,
    )
  })

  it('is notified again when a run continues after a crash', async () => {
    const reported = new Reported()
    const model = new ScriptedModel((_, call) => (call === 0 ? HANG : DONE))
    const thread = new TestThread({ ...speaks(model), ...reported.port })
    const { run_id } = await thread.start()
    await eventually(
      () => model.requests.length,
      (calls) => calls === 1,
    )
    await thread.kill()
    await thread.alarm()
    await thread.ended(run_id)
    expect(reported.output.slice(0, 2)).toEqual(['asked running k1', 'told running k1'])
  })
})
