// Guards "a command changes all of its files or none": wherever a thread is killed while a command runs, its files are
// those from before or after the command, the command is run again, and in the end rows and R2 agree.
import { afterEach, describe, expect, it } from 'vitest'
import { err } from '../../src/lib/result.ts'
import { sandboxOf } from '../../src/sandbox/sandbox.ts'
import { FREE, scripted } from '../workers/scripted-guest.ts'
import { checkAgree, large, tree, upload, watched } from './files-rig.ts'
import { unwatch, watchPoints, type Crash, type CrashMode } from './plan.ts'
import { HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answersSince, ScriptedModel, text, use, type Turn } from './scripted-model.ts'

const DATA = '/mnt/user-data'
const DONE: Turn = { content: [text('Done.')] }
const BEFORE = { 'uploads/old.txt': 'old', 'workspace/a.txt': 'A' }
const LARGE = large('x').length
/** Writes small and large files, one of them over an existing file, and removes one. */
const COMMAND = [
  `write ${DATA}/workspace/a.txt new`,
  `fill ${DATA}/outputs/large.bin ${LARGE}`,
  `python3 write ${DATA}/outputs/small.txt small`,
  `remove ${DATA}/uploads/old.txt`,
  'print done',
].join('\n')
const AFTER = {
  'outputs/large.bin': 'x'.repeat(LARGE),
  'outputs/small.txt': 'small',
  'workspace/a.txt': 'new',
}

interface Reported {
  readonly thread: TestThread
  readonly clock: HandClock
  readonly crash: Crash
  readonly result: unknown
}

async function play(name: string, when: Parameters<typeof watchPoints>[1]): Promise<Reported> {
  const model = new ScriptedModel((request) =>
    answersSince(request) === 0 ? { content: [use('t1', 'bash', { command: COMMAND })] } : DONE,
  )
  const clock = new HandClock()
  const thread = new TestThread({ ...speaks(model), now: clock.now })
  value(await thread.api.createEmpty(thread.caller, thread.id))
  await upload(thread, BEFORE)
  const crash = watchPoints(thread.name, when)
  thread.adjust({
    store: watched(crash.pass),
    sandbox: (...of) => sandboxOf(scripted(name), ...of),
  })
  await thread.kill()
  const started = await eventually(
    () => thread.start('Go.', { idempotency: { key: 'k', digest: 'd' } }).catch(() => null),
    (answer) => answer !== null,
  )
  for (let turn = 0, fired = -1; ; turn++) {
    if (turn > 5_000) throw new Error('it never came to an end')
    const there = await tree(thread).catch(() => null)
    if (there) expect([BEFORE, AFTER]).toContainEqual(there)
    if (crash.fired !== fired) await thread.alarm()
    fired = crash.fired
    const receipt = await thread.receipt(started?.run_id ?? '').catch(() => null)
    if (receipt?.ended_at != null) break
    await scheduler.wait(1)
  }
  await thread.checkEnded(started?.run_id ?? '', 0, false)
  expect(model.problems).toEqual([])
  const output = (await thread.messages()).flatMap(({ content }) => content)
  const result = output.find(({ type }) => type === 'tool_result')
  return { thread, clock, crash, result }
}

describe('a command whose thread is killed', () => {
  afterEach(unwatch)

  it('leaves the files from before it or after it, at any point', async () => {
    const quiet = await play('kills', () => null)
    expect(await tree(quiet.thread)).toEqual(AFTER)
    expect(quiet.result).toMatchObject({
      is_error: false,
      content: expect.stringContaining('done\n[Files changed: '),
    })
    expect(quiet.crash.points).toContain('store.put')
    const modes: readonly CrashMode[] = ['lose', 'keep']
    for (const mode of modes)
      for (const [at, point] of quiet.crash.points.entries()) {
        unwatch()
        const reported = await play('kills', (index, _, { fired }) =>
          fired === 0 && index === at ? mode : null,
        )
        try {
          expect(await tree(reported.thread)).toEqual(AFTER)
          expect(reported.result).toEqual(quiet.result)
          await checkAgree(reported.thread, reported.clock)
        } catch (error) {
          throw new Error(`killed at ${point} (${mode})`, { cause: error })
        }
      }
  }, 120_000)

  it('because it blocked everything is reported as such when it is called again', async () => {
    const model = new ScriptedModel((request) =>
      answersSince(request) === 0 ? { content: [use('t1', 'bash', { command: 'hang' })] } : DONE,
    )
    const thread = new TestThread(speaks(model))
    const late = new Set<string>()
    thread.adjust({
      sandbox: (...of) =>
        sandboxOf(
          scripted('held up', {
            deadlines: {
              // As with the watcher of `npm start`: the process dies with the call, and the call's name is refused from
              // then on.
              guard: async (key, ms, work) => {
                if (late.has(key)) return err({ key })
                late.add(key)
                return FREE.guard(key, ms, work)
              },
            },
          }),
          ...of,
        ),
    })
    const { run_id } = await thread.start('Go.')
    await eventually(
      () => late.size,
      (known) => known === 1,
    )
    await thread.kill()
    await thread.alarm()
    await thread.ended(run_id)
    const output = (await thread.messages()).flatMap(({ content }) => content)
    expect(output.find(({ type }) => type === 'tool_result')).toMatchObject({
      is_error: true,
      content: expect.stringContaining('blocked the server before and was killed'),
    })
  })
})

describe('a command during an edit by a person', () => {
  it('changes nothing if the person changed one of its files, and keeps their version', async () => {
    const model = new ScriptedModel((request) =>
      answersSince(request) === 0
        ? {
            content: [
              use('t1', 'bash', {
                command: `write ${DATA}/workspace/a.txt mine\nwrite ${DATA}/workspace/b.txt mine\ntell here\nwait 200`,
              }),
            ],
          }
        : DONE,
    )
    const thread = new TestThread(speaks(model))
    let begun = false
    thread.adjust({
      sandbox: (...of) => {
        const sandbox = sandboxOf(scripted('beside'), ...of)
        return {
          ...sandbox,
          run: (command, call) => sandbox.run(command, { ...call, progress: () => void (begun = true) }),
        }
      },
    })
    value(await thread.api.createEmpty(thread.caller, thread.id))
    await upload(thread, BEFORE)
    const { run_id } = await thread.start('Go.')
    await eventually(
      () => begun,
      (yes) => yes,
    )
    await upload(thread, { 'workspace/a.txt': 'theirs', 'uploads/more.txt': 'more' })
    await thread.ended(run_id)
    expect(await tree(thread)).toEqual({
      'uploads/more.txt': 'more',
      'uploads/old.txt': 'old',
      'workspace/a.txt': 'theirs',
    })
    const output = (await thread.messages()).flatMap(({ content }) => content)
    expect(output.find(({ type }) => type === 'tool_result')).toMatchObject({
      is_error: true,
      content: expect.stringContaining(
        '/mnt/user-data/workspace/a.txt has been changed by somebody else in the meantime',
      ),
    })
  })
})
