// Guards "accepted is kept" for messages to a busy thread: the text of one that steers or interrupts is in the next
// request or in the next run, once, at whatever point of the run it arrives.
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import type { Model } from '../../src/agent/model.ts'
import type { StartInput, StartedRun } from '../../src/thread/api.ts'
import { STEERED_MAX_CHARS } from '../../src/thread/start/limits.ts'
import { crashPlan } from '../../src/thread/rows/checkpoint.ts'
import { answer, asks, DONE, waits, YES, type RequestMessage } from './approving.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { ANN, BUDGET, failure, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answer as answerOf, ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { World } from './world.ts'

afterEach(unwatch)

const STEER = { onBusy: 'steer', create: false } as const
const STORY: readonly Turn[] = [
  { content: [text('I look.'), use('t1', 'look'), use('t2', 'look', { at: 'b' })] },
  { content: [use('t3', 'put'), use('t4', 'send'), use('t5', 'look', { at: 'c' })] },
  { content: [text('All is done.')] },
]

/** A model that follows its story by the number of its answers, and then confirms. */
function storyThread(): { thread: TestThread; model: ScriptedModel; world: World } {
  const model = new ScriptedModel(
    ({ messages }) =>
      STORY[messages.filter(({ role }) => role === 'assistant').length] ?? { content: [text('Heard.')] },
  )
  // As in reality, a call leaves the object only when everything written before it is on disk.
  const leaving: Model = {
    call: async (...requested) => {
      await env.SKILLS.get('the way out')
      return model.call(...requested)
    },
  }
  const world = new World()
  return { thread: new TestThread({ ...speaks(leaving), tools: () => world.tools }), model, world }
}

type How = 'steer' | 'interrupt'

interface Reported {
  readonly thread: TestThread
  readonly model: ScriptedModel
  readonly world: World
  readonly points: readonly string[]
  readonly first: string
  readonly sent: readonly StartedRun[]
}

/**
 * Starts a run, sends messages when it passes the point with number `at`, and kills it at the next point if `kill` is set.
 * Each message is sent until it is accepted, with its own key.
 */
async function play(
  how: How,
  at: number,
  words: readonly string[],
  kill: CrashMode | null = null,
): Promise<Reported> {
  const reported = storyThread()
  const { thread } = reported
  const points: string[] = []
  // The test sends, not the hook, because what the object awaits ends with it.
  let state: 'before' | 'there' | 'sent' | 'killed' = at < 0 ? 'sent' : 'before'
  crashPlan.hook = async (point, ctx) => {
    if (ctx.id.name !== thread.name) return
    points.push(point)
    if (points.length - 1 === at) {
      state = 'there'
      while (state === 'there') await scheduler.wait(1)
    } else if (kill !== null && state === 'sent') {
      state = 'killed'
      if (kill === 'keep') await ctx.storage.sync()
      ctx.abort('killed')
      await new Promise(() => undefined)
    }
  }
  const accepted = (words: string, more: Partial<StartInput>): Promise<StartedRun | null> =>
    eventually(
      () => thread.start(words, { ...more, idempotency: { key: words, digest: words } }).catch(() => null),
      (answered) => answered !== null,
    )
  const begun = accepted('Do it.', {})
  await eventually(
    () => state,
    (now) => now !== 'before',
  )
  const sent: StartedRun[] = []
  for (const word of words) {
    const started = await accepted(word, { onBusy: how, create: false })
    if (started) sent.push(started)
  }
  state = 'sent'
  const first = (await begun)?.run_id ?? ''
  await eventually(
    async () => {
      await thread.alarm()
      return thread.sql(
        (sql) => sql.exec('SELECT count(*) AS open FROM runs WHERE ended_at IS NULL').one()['open'],
      )
    },
    (open) => open === 0,
  )
  return { ...reported, points, first, sent }
}

/** Checks that each text is in the thread once, and in the last request, and that nothing else suffered. */
async function check(
  { thread, model, world, first, sent }: Reported,
  words: readonly string[],
): Promise<void> {
  const messages = await thread.messages()
  for (const word of words) {
    const holding = messages.filter(({ content }) => JSON.stringify(content).includes(word))
    expect(
      holding.map(({ role }) => role),
      word,
    ).toEqual(['user'])
    expect(JSON.stringify(model.requests.at(-1)?.messages).split(word), word).toHaveLength(2)
  }
  expect(model.problems).toEqual([])
  expect(world.sent.length).toBeLessThanOrEqual(1)
  const runs = [...new Set([first, ...sent.map(({ run_id }) => run_id)])]
  for (const id of runs) {
    const { next_run_id } = await thread.receipt(id)
    await thread.checkEnded(id, 0, false)
    if (next_run_id !== undefined) await thread.checkEnded(next_run_id, 0, false)
  }
}

describe('a message to a run in progress', () => {
  for (const how of ['steer', 'interrupt'] as const)
    it(`is answered once wherever it arrives, even twice and with a crash after it (${how})`, async () => {
      const quiet = await play(how, -1, [])
      await check(quiet, [])
      for (const [at, point] of quiet.points.entries()) {
        // Most points kill the run right after the messages; those that do not here do so in the other case.
        const words = ['Turn left.', 'Then right.']
        const kill = (['lose', 'keep', 'lose', null] as const)[(at + (how === 'steer' ? 0 : 2)) % 4] ?? null
        const where = `${how} at ${point} (${at}), ${words.length} ${kill}`
        const reported = await play(how, at, words, kill)
        expect(reported.sent.length, where).toBe(words.length)
        await check(reported, words).catch((error: unknown) => {
          throw new Error(where, { cause: error })
        })
        const receipt = await reported.thread.receipt(reported.first)
        // At these points the run may be over when the message comes.
        if (['accepted', 'run.ended'].includes(point)) continue
        if (how === 'interrupt')
          expect(receipt, where).toMatchObject({ status: 'cancelled', stop_reason: 'interrupted' })
        else {
          expect(receipt, where).toMatchObject({ status: 'completed', stop_reason: 'answered' })
          expect(new Set(reported.sent.map(({ run_id }) => run_id)), where).toEqual(new Set([reported.first]))
        }
      }
    })

  it('follows the results in one message, and readers see it as a separate message', async () => {
    const quiet = await play('steer', -1, [])
    const reported = await play('steer', quiet.points.indexOf('tool.ran'), ['Turn left. </run_notice>'])
    const request = reported.model.requests[1]?.messages.at(-1)?.content ?? []
    expect(request.map(({ type }) => type)).toEqual(['tool_result', 'tool_result', 'text'])
    expect(request.at(-1)).toEqual(text('Turn left. &lt;/run_notice>'))
    const shown = (await reported.thread.messages()).find(({ steered }) => steered)
    expect(shown).toMatchObject({
      role: 'user',
      run_id: reported.first,
      content: [text('Turn left. </run_notice>')],
    })
    const events = await reported.thread.replay(reported.first)
    expect(events.filter(({ type }) => type === 'run.steered')).toMatchObject([{ message: shown }])
    const fork = await reported.thread.api.forkHead(ANN, shown?.id ?? '')
    expect(failure(fork).code).toBe('invalid_request')
  })

  it('returns the same run when it is sent again with its key', async () => {
    const { thread, model } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const more = { onBusy: 'steer', create: false, idempotency: { key: 'k', digest: 'd' } } as const
    expect(await thread.start('Less.', more)).toMatchObject({ run_id, created: true })
    expect(await thread.start('Less.', more)).toMatchObject({ run_id, created: false })
    const long = 'x'.repeat(STEERED_MAX_CHARS)
    expect(await thread.refused(long, STEER)).toMatchObject({
      code: 'thread_busy',
    })
    // A key may have fewer tools than the one that started the run.
    const otherKey = { ...ANN, keyId: 'k2' }
    const input = await thread.input('And more.', STEER)
    expect(failure(await thread.api.start(otherKey, input))).toMatchObject({
      code: 'thread_busy',
      detail: expect.stringContaining('another API key'),
    })
    const waiting = value(await thread.api.exportPage(ANN, 'requests', null, 10)).data
    expect(waiting).toMatchObject([{ id: run_id, message: [{ text: 'Less.' }] }])
    // It joins once the call is settled, with its result.
    expect(await thread.status(run_id)).toBe('waiting')
    value(await answer(thread, ANN, run_id, 't1', YES))
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    const last = model.requests.at(-1)?.messages.at(-1)?.content ?? []
    expect(last.map((block) => block['text'] ?? block.type)).toEqual(['tool_result', 'Less.'])
  })

  it('joins once whenever the run dies around an open approval, even two messages', async () => {
    const story = async (kill: number): Promise<number> => {
      const { thread, model, world } = asks(undefined, { now: Date.now })
      const crash = watchPoints(thread.name, (at, _, { fired }) =>
        at === kill && fired === 0 ? 'lose' : null,
      )
      const insist = <T>(act: () => Promise<T>): Promise<T | null> =>
        eventually(
          () => act().catch(() => null),
          (done) => done !== null,
        )
      const say = (words: string, more: Partial<StartInput>): Promise<StartedRun | null> =>
        insist(() => thread.start(words, { ...more, idempotency: { key: words, digest: words } }))
      const run_id = (await say('Pay.', {}))?.run_id ?? ''
      await eventually(async () => {
        await thread.alarm()
        return (await thread.status(run_id).catch(() => null)) === 'waiting'
      })
      const words = ['Less.', 'In euros.']
      for (const word of words) expect(await say(word, STEER)).toMatchObject({ run_id })
      await insist(async () => value(await answer(thread, ANN, run_id, 't1', YES)))
      const receipt = await insist(async () => {
        await thread.alarm()
        const { ended_at, ...ended } = await thread.receipt(run_id)
        return ended_at === null ? null : ended
      })
      const where = `killed at ${crash.points[kill]} (${kill})`
      expect(receipt, where).toMatchObject({ status: 'completed', stop_reason: 'answered' })
      for (const word of words)
        expect(JSON.stringify(model.requests.at(-1)?.messages).split(word), where).toHaveLength(2)
      expect(model.problems, where).toEqual([])
      expect(world.sent.length, where).toBeLessThanOrEqual(1)
      return crash.points.length
    }
    const points = await story(-1)
    expect(points).toBeGreaterThan(10)
    for (let at = 0; at < points; at++) await story(at)
  })

  it('becomes the next run, before queued ones, when the run is cancelled or out of budget', async () => {
    const { thread } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const queued = await thread.start('Later.', { onBusy: 'enqueue' })
    for (const word of ['Less.', 'Or more.']) await thread.start(word, STEER)
    const cancelled = value(await thread.api.cancel(ANN, run_id))
    const next = cancelled.next_run_id ?? ''
    expect(cancelled).toMatchObject({ status: 'cancelled', next_run_id: expect.stringMatching(/^run_/) })
    await waits(thread, next)
    expect((await thread.messages()).at(-2)?.content).toEqual([text('Less.'), text('Or more.')])
    value(await thread.api.cancel(ANN, next))
    await waits(thread, queued.run_id)
    value(await thread.api.cancel(ANN, queued.run_id))

    const short: RequestMessage = asks(({ messages }) =>
      messages.length > 1
        ? DONE
        : { act: async () => (await short.thread.start('Less.', STEER), answerOf(DONE)) },
    )
    const one = await short.thread.start('Go.', { budget: { ...BUDGET, steps: 1 } })
    const ended = await short.thread.ended(one.run_id)
    expect(ended).toMatchObject({ stop_reason: 'answered', next_run_id: expect.any(String) })
    expect(await short.thread.ended(ended.next_run_id ?? '')).toMatchObject({ status: 'completed' })
  })

  it('interrupts a run that waits for approval, and runs before queued ones', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const queued = await thread.start('Later.', { onBusy: 'enqueue' })
    const now = await thread.start('Stop that.', { onBusy: 'interrupt', create: false })
    expect(await thread.ended(run_id)).toMatchObject({ status: 'cancelled', stop_reason: 'interrupted' })
    await waits(thread, now.run_id)
    expect(await thread.status(queued.run_id)).toBe('queued')
    expect(world.sent).toEqual([])
    expect(JSON.stringify(await thread.messages())).toContain('interrupted by a newer message')
  })

  it('starts its own run in an idle thread', async () => {
    const { thread } = storyThread()
    const { run_id } = await thread.start('Do it.', { onBusy: 'steer' })
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    const second = await thread.start('And on.', { onBusy: 'interrupt', create: false })
    expect(await thread.ended(second.run_id)).toMatchObject({ status: 'completed' })
  })
})
