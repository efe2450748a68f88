// Guards that counting runs holds up none: where the workspace is away, slow or wrong, chat goes on; and what is told of a
// run matches its life, also after a crash.
import { describe, expect, it } from 'vitest'
import { fail, ok, type Result } from '../../src/lib/result.ts'
import type { OpenRun, WorkspaceApi } from '../../src/workspace/api.ts'
import { eventually, speaks, TestThread } from './rig.ts'
import { hang, ScriptedModel, text, type Turn } from './scripted-model.ts'

const DONE: Turn = { content: [text('Done.')] }
const HANG: Turn = { act: (_, __, signal) => hang(signal) }

/** What the workspace was told of runs, in order. */
class Told {
  readonly said: string[] = []
  answer: () => Promise<Result<null>> = async () => ok(null)

  readonly port = {
    workspace: () =>
      ({
        admit: (run: OpenRun, accepted: boolean) => {
          this.said.push(`${accepted ? 'told' : 'asked'} ${run.queued ? 'waiting' : 'running'} ${run.key}`)
          return this.answer()
        },
        leave: async () => {
          this.said.push('left')
          return ok(null)
        },
        record: async (_: unknown, run: object | null) => {
          if (run) this.said.push('ended')
          return ok(null)
        },
        forget: async () => ok(null),
      }) as unknown as WorkspaceApi, // a thread calls no more of it
  }
}

describe('a workspace that cannot say whether there is a place', () => {
  for (const [how, answer] of [
    ['throws', () => Promise.reject(new Error('away'))],
    ['never answers', () => new Promise<never>(() => undefined)],
  ] as const)
    it(`because it ${how}: the run goes on`, async () => {
      const told = new Told()
      told.answer = answer
      const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), ...told.port })
      const { run_id } = await thread.start()
      expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    })
})

describe('what the workspace is told of runs', () => {
  it('is each change once: asked for, waiting, running, ended', async () => {
    const told = new Told()
    const model = new ScriptedModel((_, call) => (call === 0 ? HANG : DONE))
    const thread = new TestThread({ ...speaks(model), ...told.port })
    const first = await thread.start('One.')
    const second = await thread.start('Two.', { onBusy: 'enqueue' })
    expect((await thread.refused('Three.')).code).toBe('thread_busy')
    await thread.api.cancel(thread.caller, first.run_id)
    await thread.ended(second.run_id)
    await eventually(
      () => told.said.filter((word) => word === 'ended').length,
      (count) => count === 2,
    )
    expect(told.said.toSorted()).toEqual(
      ['asked running k1', 'asked waiting k1', 'told running k1', 'ended', 'ended'].toSorted(),
    )
  })

  it('is nothing when a request comes again', async () => {
    const told = new Told()
    const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), ...told.port })
    const same = { idempotency: { key: 'k', digest: 'd' } }
    const { run_id } = await thread.start('Hello', same)
    await thread.ended(run_id)
    told.answer = async () => fail('too_many_runs', 'Enough.')
    expect((await thread.start('Hello', same)).run_id).toBe(run_id)
    expect((await thread.refused('Another.')).code).toBe('too_many_runs')
    expect(told.said.filter((word) => word.startsWith('asked'))).toHaveLength(2)
    await eventually(
      () => told.said.includes('left'),
      (left) => left,
    )
  })

  it('is told again when a run goes on after a crash', async () => {
    const told = new Told()
    const model = new ScriptedModel((_, call) => (call === 0 ? HANG : DONE))
    const thread = new TestThread({ ...speaks(model), ...told.port })
    const { run_id } = await thread.start()
    await eventually(
      () => model.requests.length,
      (calls) => calls === 1,
    )
    await thread.kill()
    await thread.alarm()
    await thread.ended(run_id)
    expect(told.said.slice(0, 2)).toEqual(['asked running k1', 'told running k1'])
  })
})
