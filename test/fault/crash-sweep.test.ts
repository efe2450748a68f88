// Guards "accepted is kept", "nothing is said twice", "effects happen once" and "the prefix is frozen": a run is killed
// once at each point that it passes, with and without its last writes, and must end as if nothing had happened.
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../src/agent/events.ts'
import type { Block } from '../../src/agent/message.ts'
import type { Model } from '../../src/agent/model.ts'
import { RUN_RECOVERIES_DEFAULT } from '../../src/limits/runs.ts'
import { unwatch, watchPoints, type Crash, type CrashMode } from './plan.ts'
import { read, Reader } from './reader.ts'
import { cursors, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { World } from './world.ts'

const KEY = { idempotency: { key: 'one', digest: 'd' } }
const STORY: readonly Turn[] = [
  {
    content: [
      { type: 'thinking', thinking: 'Two things to look at 😀.', signature: 's1' },
      text('I look at both. 😀 And on.'),
      use('t1', 'look', { at: 'a' }),
      use('t2', 'look', { at: 'b' }),
    ],
  },
  { content: [text('Now I act.'), use('t3', 'put'), use('t4', 'send'), use('t5', 'look', { at: 'c' })] },
  { content: [{ type: 'thinking', thinking: 'Done?', signature: 's2' }, text('All is done.')] },
]

interface Reported {
  readonly thread: TestThread
  readonly runId: string
  readonly model: ScriptedModel
  readonly world: World
  readonly crash: Crash
  /** A reader that reconnected as soon as the stream broke. */
  readonly reader: Reader
}

/** As in reality, a model call leaves the object only when everything written before it is on disk. */
function leaving(model: ScriptedModel): Model {
  return {
    call: async (...requested) => {
      await env.SKILLS.get('the way out')
      return model.call(...requested)
    },
  }
}

type When = (index: number, point: string, crash: Crash) => CrashMode | null

/**
 * Sends a message with one key until it is accepted, follows the run as long as possible, and wakes the object until
 * the run has ended.
 */
async function play(when: When): Promise<Reported> {
  const model = new ScriptedModel(STORY)
  const world = new World()
  const thread = new TestThread({ ...speaks(leaving(model)), tools: () => world.tools })
  const crash = watchPoints(thread.name, when)
  const started = await eventually(
    () => thread.start('Do it.', { ...KEY, follow: true }).catch(() => null),
    (answer) => answer !== null,
  )
  if (!started) throw new Error('never accepted')
  const reader = new Reader(0)
  reader.apply((await read(started.events)).events)
  for (let turn = 0; turn < 100 && !reader.terminal; turn++) {
    await thread.alarm()
    const stream = await thread.stream(started.run_id, reader.cursor).catch(() => null)
    if (stream) reader.apply((await read(stream)).events)
  }
  return { thread, runId: started.run_id, model, world, crash, reader }
}

/** The transcript without ids. The result of a `once` call is left out if its outcome is unknown. */
async function contents(thread: TestThread): Promise<readonly (readonly Block[])[]> {
  return (await thread.messages()).map((message) => message.content.map(withoutUnknown))
}

function withoutUnknown(block: Block): Block {
  const unknown =
    block.type === 'tool_result' && String(block['content']).includes('outcome of this call is unknown')
  return unknown ? { ...block, content: 'sent', is_error: false } : block
}

/** Frame sequences for which every number was already tried. */
const walked = new Set<string>()

/** A reader that stopped at any number must reach the same end. Checked once for runs with the same frames. */
async function checkCursors({ thread, runId }: Reported, whole: readonly Event[]): Promise<void> {
  const frames = whole.map(({ type, seq, from }) => `${type} ${from ?? seq} ${seq}`).join('\n')
  if (walked.has(frames)) return
  walked.add(frames)
  for (const after of cursors(whole)) {
    const seen = new Reader(0).apply(whole.filter((event) => event.seq <= after))
    seen.apply(await thread.replay(runId, after))
    expect(seen.problems, `after ${after}`).toEqual([])
    expect(seen.transcript()).toEqual(new Reader(0).apply(whole).transcript())
    expect(seen.terminal).not.toBeNull()
  }
}

async function check(reported: Reported, quiet: Reported): Promise<void> {
  const { thread, runId, model, world, reader } = reported
  const receipt = await thread.receipt(runId)
  expect(receipt).toMatchObject({ status: 'completed', stop_reason: 'answered', steps: 3 })
  expect(await contents(thread)).toEqual(await contents(quiet.thread))
  const whole = await thread.checkEnded(runId, model.requests.length)
  expect(model.problems).toEqual([])
  expect(reader.problems).toEqual([])
  expect(reader.transcript()).toEqual(new Reader(0).apply(whole).transcript())
  expect(world.sent.length).toBeLessThanOrEqual(1)
  expect([...world.keys.keys()]).toEqual([`${runId}:4:t3`])
  expect(whole.filter((event) => event.type === 'run.accepted')).toHaveLength(1)
  for (const id of ['t1', 't2', 't3', 't4', 't5'])
    expect(whole.filter((event) => event.type === 'tool.completed' && event.tool_use_id === id)).toHaveLength(
      1,
    )
  await checkCursors(reported, whole)
}

describe('a run that is killed', () => {
  let quiet: Reported
  beforeAll(async () => {
    quiet = await play(() => null)
  })
  afterAll(unwatch)

  it('passes every point when it is not disturbed', async () => {
    await check(quiet, quiet)
    expect(quiet.model.requests).toHaveLength(3)
    expect(quiet.world.sent).toHaveLength(1)
    expect(new Set(quiet.crash.points)).toEqual(
      new Set([
        'accepted',
        'step.begun',
        'model.answered',
        'model.committed',
        'tool.started',
        'tool.ran',
        'tool.finished',
        'results.appended',
        'run.ended',
      ]),
    )
    expect((await quiet.thread.receipt(quiet.runId)).recoveries).toBe(0)
  })

  for (const mode of ['lose', 'keep'] as const)
    it(`ends like an undisturbed one, wherever it dies (${mode})`, async () => {
      for (const [at, point] of quiet.crash.points.entries()) {
        const reported = await play((index) => (index === at ? mode : null))
        const where = `${point} (${at}, ${mode})`
        expect(reported.crash.fired, where).toBe(1)
        await check(reported, quiet).catch((error: unknown) => {
          throw new Error(`killed at ${where}`, { cause: error })
        })
        // An unknown outcome may be reported only if the call may have been sent, and the call is never made again.
        const ambiguous = ['tool.started', 'tool.ran'].includes(point)
        if (!ambiguous) expect(reported.world.sent, where).toHaveLength(1)
      }
    })

  for (const mode of ['lose', 'keep'] as const)
    it(`again and again at the same point is given up, and says so (${mode})`, async () => {
      for (const point of ['step.begun', 'model.answered', 'tool.started', 'tool.ran']) {
        let accepted = false
        const reported = await play((_, passed) => {
          const now = passed === point && accepted
          // The object lives until the run was accepted; otherwise there would be nothing to continue.
          accepted ||= passed === 'accepted'
          return now ? mode : null
        })
        const receipt = await reported.thread.receipt(reported.runId)
        expect(receipt, point).toMatchObject({ status: 'failed', stop_reason: 'recovery_limit' })
        expect(reported.model.requests.length, point).toBeLessThanOrEqual(RUN_RECOVERIES_DEFAULT + 2)
        await reported.thread.checkEnded(reported.runId, reported.model.requests.length)
        expect(reported.world.sent.length).toBeLessThanOrEqual(1)
      }
    })

  it('several times, each at another point, still ends like an undisturbed one', async () => {
    const reported = await play((index, _, crash) => (index % 7 === 6 && crash.fired < 8 ? 'lose' : null))
    expect(reported.crash.fired).toBeGreaterThan(2)
    await check(reported, quiet)
  })
})
