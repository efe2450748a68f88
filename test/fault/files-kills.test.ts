// Guards "files change with the call that changes them": wherever a run is killed, the files are those from before or
// after a call, and in the end rows and R2 hold what undisturbed runs write, and nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededChance } from '../../scripts/lab/rig/random.ts'
import type { Block } from '../../src/agent/message.ts'
import { BUILTINS } from '../../src/tools/builtins.ts'
import { SEED } from '../fuzz/seed.ts'
import { checkAgree, large, tree, watched } from './files-rig.ts'
import { unwatch, watchPoints, type Crash, type CrashMode } from './plan.ts'
import { HandClock, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answersSince, ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { tool } from './world.ts'

const SMALL = '/mnt/user-data/workspace/small.md'
const LARGE = '/mnt/user-data/outputs/large.txt'
const DONE: Turn = { content: [text('Done.')] }

/** Two runs, one after the other, with files that fit a row and files that do not: new, changed and overwritten. */
const STORY: readonly (readonly Turn[])[] = [
  [
    {
      content: [
        use('a1', 'write_file', { path: SMALL, content: 'one\n' }),
        use('a2', 'write_file', { path: LARGE, content: large('first') }),
      ],
    },
    {
      content: [
        use('b1', 'str_replace', { path: SMALL, old: 'one', new: 'two' }),
        use('b2', 'write_file', { path: LARGE, content: 'the end\n', append: true }),
        use('b3', 'tell'),
      ],
    },
    DONE,
  ],
  [
    {
      content: [
        use('c1', 'write_file', { path: LARGE, content: 'short now' }),
        use('c2', 'write_file', { path: SMALL, content: large('second') }),
      ],
    },
    DONE,
  ],
]

/** A tool whose result is too long, so that all of it goes to a file. */
const TELL = tool('tell', 'idempotent', async () => ({ content: large('told'), isError: false }))

interface Reported {
  readonly thread: TestThread
  readonly clock: HandClock
  readonly crash: Crash
  readonly results: readonly Block[]
  readonly end: Readonly<Record<string, string>>
}

type When = (index: number, point: string, crash: Crash) => CrashMode | null

/** A summary of a tree, to compare those that existed with those that a test allows. */
function shape(files: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(files).map(([path, held]) => [path, held.slice(0, 20), held.length]))
}

async function play(when: When, seen: (tree: string) => void): Promise<Reported> {
  const model = new ScriptedModel((request) => {
    const requested = request.messages.filter(({ content }) => content.some(isRequested)).length
    return STORY[requested - 1]?.[answersSince(request)] ?? DONE
  })
  const clock = new HandClock()
  const thread = new TestThread({ ...speaks(model), now: clock.now, tools: () => [...BUILTINS, TELL] })
  const crash = watchPoints(thread.name, when)
  thread.adjust({ store: watched(crash.pass) })
  for (const run of STORY.keys()) {
    const key = { idempotency: { key: `k${run}`, digest: 'd' } }
    const started = await eventually(
      () => thread.start(`Ask ${run}.`, key).catch(() => null),
      (answer) => answer !== null,
    )
    for (let turn = 0, fired = -1; ; turn++) {
      if (turn > 5_000) throw new Error('it never came to an end')
      // Called between any two points, and right after a death.
      const there = await tree(thread).catch(() => null)
      if (there) seen(shape(there))
      if (crash.fired !== fired) await thread.alarm()
      fired = crash.fired
      const receipt = await thread.receipt(started?.run_id ?? '').catch(() => null)
      if (receipt?.ended_at != null) break
      await scheduler.wait(1)
    }
    await thread.checkEnded(started?.run_id ?? '', 0, false)
  }
  expect(model.problems).toEqual([])
  const output = (await thread.messages()).flatMap(({ content }) => content)
  const results = output.filter(({ type }) => type === 'tool_result')
  return { thread, clock, crash, results, end: await tree(thread) }
}

function isRequested(block: Block): boolean {
  return block.type === 'text' && /^Ask \d\.$/.test(String(block['text']))
}

describe('a killed run that writes files', () => {
  let quiet: Reported
  const trees = new Set<string>()

  /** Runs the calls once, with a kill, and checks what must always hold. */
  async function killed(where: string, when: When): Promise<Crash> {
    const seen = new Set<string>()
    const reported = await play(when, (one) => seen.add(one))
    try {
      expect([...seen].filter((one) => !trees.has(one))).toEqual([])
      expect(reported.end).toEqual(quiet.end)
      expect(reported.results).toEqual(quiet.results)
      await checkAgree(reported.thread, reported.clock)
    } catch (error) {
      throw new Error(`killed at ${where}`, { cause: error })
    }
    return reported.crash
  }

  beforeAll(async () => {
    quiet = await play(
      () => null,
      () => undefined,
    )
    // The trees after each call in turn.
    let now: Record<string, string> = {}
    const step = (path: string, held: string): void => {
      now = { ...now, [path]: held }
      trees.add(shape(Object.fromEntries(Object.entries(now).sort(([a], [b]) => (a < b ? -1 : 1)))))
    }
    trees.add(shape({}))
    const reported = Object.keys(quiet.end).find((path) => path.startsWith('workspace/results/tell-')) ?? ''
    step('workspace/small.md', 'one\n')
    step('outputs/large.txt', large('first'))
    step('workspace/small.md', 'two\n')
    step('outputs/large.txt', `${large('first')}the end\n`)
    step(reported, large('told'))
    step('outputs/large.txt', 'short now')
    step('workspace/small.md', large('second'))
    expect(quiet.end).toEqual(now)
    await checkAgree(quiet.thread, quiet.clock)
  })
  afterAll(unwatch)

  it('passes the points of the store when it is not disturbed', () => {
    expect(quiet.crash.points.filter((point) => point === 'store.put')).toHaveLength(4)
    expect(quiet.results.map((block) => block['is_error'])).toEqual(Array(7).fill(false))
  })

  it('leaves the files from before or after a call, at every point', async () => {
    // A story takes half a second: each point in one mode, and which one depends on the seed.
    const modeAt = (at: number): CrashMode => ((at + SEED) % 2 === 0 ? 'lose' : 'keep')
    let fired = 0
    for (const [at, point] of quiet.crash.points.entries())
      fired += (
        await killed(`${point} (${at}, ${modeAt(at)})`, (index) => (index === at ? modeAt(at) : null))
      ).fired
    expect(fired).toBe(quiet.crash.points.length)
  }, 240_000)

  it('leaves the files from before or after a call when killed repeatedly at random points', async () => {
    const luck = seededChance(SEED)
    let fired = 0
    for (let story = 0; story < 10; story++)
      fired += (
        await killed(`story ${story} of seed ${SEED}`, (_, __, crash) =>
          crash.fired < 6 && luck.yes(0.15) ? (luck.yes(0.5) ? 'lose' : 'keep') : null,
        )
      ).fired
    expect(fired).toBeGreaterThan(20)
  }, 120_000)
})
