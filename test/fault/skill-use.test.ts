// Guards that counting skill use harms no run: an unavailable or slow catalog loses counts, never a run, and repeated
// reports count once.

import { describe, expect, it } from 'vitest'
import { fail, ok } from '../../src/lib/result.ts'
import type { WorkspaceApi } from '../../src/workspace/api.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { ANN, ROOM, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'

const LOADS = [
  { content: [use('t1', 'load_skill', { name: 'api-design' })] },
  { content: [use('t2', 'load_skill', { name: 'api-design' })] },
  { content: [text('Done.')] },
]

const yes = (so: boolean): boolean => so

/** A port that records its reports, then does what the test says. */
class Counter {
  readonly reported: (readonly string[])[] = []
  readonly owners: string[] = []
  readonly port: Pick<ThreadPorts, 'countUses'>

  constructor(then: () => Promise<unknown>) {
    this.port = {
      countUses: async (_workspace, _build, names, owner) => {
        this.reported.push(names)
        this.owners.push(owner)
        return then()
      },
    }
  }
}

/** A workspace that accepts reports only while `up` returns true. */
function workspaceThat(up: () => boolean): {
  readonly heard: string[]
  readonly port: Pick<ThreadPorts, 'workspace'>
} {
  const heard: string[] = []
  const workspace = {
    ...ROOM,
    record: async (_: unknown, run: { id: string } | null) => {
      if (!up()) throw new Error('away')
      if (run) heard.push(run.id)
      return ok(null)
    },
  } as unknown as WorkspaceApi // the cast is safe: a thread calls no other method
  return { heard, port: { workspace: () => workspace } }
}

describe('a catalog that cannot be notified', () => {
  for (const [how, answer] of [
    ['throws', () => Promise.reject(new Error('away'))],
    ['refuses', async () => fail('overloaded', 'Not now.')],
    ['never answers', () => new Promise<never>(() => undefined)],
  ] as const)
    it(`because it ${how} affects neither the run, nor its report to the workspace, nor the next run`, async () => {
      const counter = new Counter(answer)
      const { heard, port } = workspaceThat(() => true)
      const model = new ScriptedModel((_, call) => LOADS[call] ?? { content: [text('Done.')] })
      const thread = new TestThread({ ...speaks(model), ...port, ...counter.port })
      const first = await thread.start('One.')
      const second = await thread.start('Two.', { onBusy: 'enqueue' })
      expect(await thread.ended(first.run_id)).toMatchObject({ status: 'completed' })
      expect(await thread.ended(second.run_id)).toMatchObject({ status: 'completed' })
      await eventually(() => heard.length === 2, yes)
      await eventually(() => counter.reported.length > 0, yes)
      await thread.alarm()
      await thread.alarm()
      // No report is left: a lost count is not worth an alarm.
      expect(await thread.alarmAt()).toBeNull()
      expect(heard).toEqual([first.run_id, second.run_id])
      expect(counter.reported[0]).toEqual(['api-design'])
      expect(model.problems).toEqual([])
    })
})

describe('a run that is reported again', () => {
  it('because its workspace was unavailable counts once, when that is back', async () => {
    let up = false
    const counter = new Counter(async () => ok(null))
    const { heard, port } = workspaceThat(() => up)
    const thread = new TestThread({ ...speaks(new ScriptedModel(LOADS)), ...port, ...counter.port })
    const { run_id } = await thread.start()
    await thread.ended(run_id)
    await eventually(
      () => thread.alarmAt(),
      (at) => at !== null,
    )
    await thread.alarm()
    expect(counter.reported).toEqual([])
    up = true
    await thread.alarm()
    await thread.alarm()
    await eventually(() => counter.reported.length === 1, yes)
    expect([heard, counter.reported]).toEqual([[run_id], [['api-design']]])
  })

  it('by two reporters at the same time counts once', async () => {
    const gate = { open: false, waiting: 0, answered: 0 }
    const counter = new Counter(async () => ok(null))
    const workspace = {
      ...ROOM,
      record: async (_: unknown, run: { id: string } | null) => {
        if (run) gate.waiting += 1
        while (run && !gate.open) await scheduler.wait(1)
        if (run) gate.answered += 1
        return ok(null)
      },
    } as unknown as WorkspaceApi // the cast is safe: a thread calls no other method
    const thread = new TestThread({
      ...speaks(new ScriptedModel(LOADS)),
      ...counter.port,
      workspace: () => workspace,
    })
    const { run_id } = await thread.start()
    await thread.ended(run_id)
    // On a slow machine, the thread's own alarm may send a third report.
    await eventually(() => gate.waiting >= 1, yes)
    const second = thread.alarm()
    await eventually(() => gate.waiting >= 2, yes)
    gate.open = true
    await second
    await eventually(() => gate.answered >= 2 && counter.reported.length > 0, yes)
    await thread.receipt(run_id)
    expect(counter.reported).toEqual([['api-design']])
  })

  it('after it was killed counts at most once', async () => {
    const counter = new Counter(() => new Promise<never>(() => undefined))
    const { heard, port } = workspaceThat(() => true)
    const thread = new TestThread({ ...speaks(new ScriptedModel(LOADS)), ...port, ...counter.port })
    const { run_id } = await thread.start()
    await thread.ended(run_id)
    await eventually(() => counter.reported.length === 1, yes)
    await thread.kill()
    await thread.alarm()
    await thread.receipt(run_id)
    await thread.alarm()
    expect([heard, counter.reported]).toEqual([[run_id], [['api-design']]])
  })
})

describe('the owner of a reported use', () => {
  for (const [whose, caller, owner] of [
    ['a user', ANN, 'user:ann'],
    ['a key without a user', { ...ANN, user: null }, 'key:k1'],
    ['a hook', { ...ANN, keyId: 'hook:hk_w1_h1', user: null }, 'key:hook:hk_w1_h1'],
  ] as const)
    it(`is that of the thread: ${whose}, run after run`, async () => {
      const counter = new Counter(async () => ok(null))
      const { port } = workspaceThat(() => true)
      const model = new ScriptedModel((_, call) => LOADS[call % LOADS.length] ?? { content: [text('Done.')] })
      const thread = new TestThread({ ...speaks(model), ...port, ...counter.port }, caller)
      for (const words of ['One.', 'Two.']) await thread.ended((await thread.start(words)).run_id)
      await eventually(() => counter.reported.length === 2, yes)
      expect(counter.owners).toEqual([owner, owner])
    })
})
