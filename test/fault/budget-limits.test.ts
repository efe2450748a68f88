// Guards "money has a limit": each budget stops the run before it is exceeded, keeps what was said, leaves a legal
// transcript, and is not reset by a crash.
import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/agent/events.ts'
import type { ModelRequest } from '../../src/agent/model.ts'
import { MODEL_OUTPUT_MAX_TOKENS } from '../../src/limits/model.ts'
import { modelRegistry, type ModelRegistry } from '../../src/model/registry.ts'
import type { RunBudget } from '../../src/thread/api.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { BUDGET, HandClock, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { tool, World } from './world.ts'

/** A model that calls a tool with new input forever. */
const RESTLESS = (request: ModelRequest): Turn => ({
  content: [text('I look.'), use(`t${request.messages.length}`, 'look', { at: request.messages.length })],
  tokens: 1_000,
})

interface Reported {
  readonly thread: TestThread
  readonly runId: string
  readonly receipt: Receipt
  readonly model: ScriptedModel
  readonly world: World
}

async function run(
  budget: Partial<RunBudget>,
  turns: ConstructorParameters<typeof ScriptedModel>[0] = RESTLESS,
  ports: Partial<ThreadPorts> = {},
  registry?: ModelRegistry,
): Promise<Reported> {
  const model = new ScriptedModel(turns)
  const world = new World()
  const thread = new TestThread({ ...speaks(model, registry), tools: () => world.tools, ...ports })
  const { run_id: runId } = await thread.start('Go.', { budget: { ...BUDGET, ...budget } })
  const receipt = await thread.ended(runId)
  await thread.checkEnded(runId, model.requests.length)
  expect(model.problems).toEqual([])
  return { thread, runId, receipt, model, world }
}

describe('a run that reaches its limit', () => {
  it('on steps fails with the text so far, and the thread stays valid', async () => {
    const { thread, runId, receipt, model, world } = await run({ steps: 3 })
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'step_limit', steps: 3 })
    expect(model.requests).toHaveLength(3)
    expect(world.ran).toHaveLength(2)
    const reply = await thread.api.reply(thread.caller, runId, 1_000)
    expect(reply).toMatchObject({ value: { status: 'failed', text: 'I look.' } })
    expect((await thread.messages()).at(-1)?.content).toMatchObject([
      { is_error: true, content: 'Not run: the run reached its step limit.' },
    ])
    const next = await thread.start('Go on.', { budget: { ...BUDGET, steps: 1 } })
    await thread.ended(next.run_id)
    expect(model.problems).toEqual([])
  })

  it('on tokens never exceeds it', async () => {
    const { receipt, model } = await run({ tokens: 6_000 })
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'budget', error: { code: 'budget' } })
    expect(model.requests.length).toBeGreaterThan(1)
    for (const { maxTokens } of model.requests) expect(maxTokens).toBeLessThan(6_000)
  })

  it('before its first call is refused, even for the queue, and stores nothing', async () => {
    const model = new ScriptedModel(() => ({ act: (_, __, signal) => hang(signal) }))
    const thread = new TestThread(speaks(model))
    for (const budget of [{ tokens: 1 }, { tokens: 1_024 }]) {
      const refused = await thread.refused('Go.', { budget: { ...BUDGET, ...budget } })
      expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ path: 'budget' }] })
      expect(await thread.api.info(thread.caller)).toMatchObject({ error: { code: 'not_found' } })
    }
    const { run_id } = await thread.start('Go.')
    const waits = await thread.refused('More.', { budget: { ...BUDGET, tokens: 1 }, onBusy: 'enqueue' })
    expect(waits.errors?.[0]?.path).toBe('budget')
    await thread.api.cancel(thread.caller, run_id)
    expect(await thread.ended(run_id)).toMatchObject({ status: 'cancelled' })
    // By everything that the model would get: a message that is long itself, and a thread that has become long.
    const long = { budget: { ...BUDGET, tokens: 20_000 } }
    expect((await thread.refused('x '.repeat(40_000), long)).errors?.[0]?.path).toBe('budget')
  })

  it('on dollars stops before a call that it cannot pay for', async () => {
    const price = { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 }
    const models = [{ id: 'm', price }]
    const registry = modelRegistry({ apiKey: 'k', baseUrl: null, model: 'm', models })
    const { receipt, model } = await run({ usd: 0.03 }, RESTLESS, {}, registry)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expect(receipt.error?.detail).toContain('budget.usd')
    expect(receipt.charged.usd).toBeLessThanOrEqual(0.03)
    expect(model.requests.length).toBeGreaterThan(0)
    const enough = await run({ usd: 0.5 }, [{ content: [text('Cheap.')] }], {}, registry)
    expect(enough.receipt).toMatchObject({ status: 'completed' })
    expect(enough.receipt.budget['usd']?.used).toBeLessThan(0.001)
  })

  it('on tool calls may still answer, and fails if it calls another', async () => {
    const four = [1, 2, 3, 4].map((at) => use(`c${at}`, 'look', { at }))
    const content = [text('Done.')]
    const answered = await run({ tool_calls: 2 }, [{ content: four }, { content }])
    expect(answered.receipt).toMatchObject({ status: 'completed', stop_reason: 'answered' })
    expect(answered.world.ran).toHaveLength(2)
    expect(answered.receipt.budget['tool_calls']).toEqual({ used: 2, limit: 2 })
    const exact = await run({ tool_calls: 4 }, [{ content: four }, { content }])
    expect(exact.receipt).toMatchObject({ status: 'completed', stop_reason: 'answered' })
    expect(exact.world.ran).toHaveLength(4)
    const restless = await run({ tool_calls: 2 })
    expect(restless.receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expect(restless.world.ran).toHaveLength(2)
    const none = await run({ tool_calls: 0 }, [{ content }])
    expect(none.receipt).toMatchObject({ status: 'completed', stop_reason: 'answered' })
    const never = await run({ tool_calls: 0 })
    expect(never.receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expect(never.world.ran).toEqual([])
  })

  it('on time stops between two steps, and within one', async () => {
    const between = await run({ wall_s: 60 }, RESTLESS, { now: new HandClock(5_000).now })
    expect(between.receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    const speaking = await run({ wall_s: 0.03 }, [{ act: (_, __, signal) => hang(signal) }])
    expect(speaking.receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expect(speaking.receipt.error?.detail).toContain('0.03 seconds')
    const deaf = [tool('look', 'read', () => new Promise(() => undefined))]
    const running = await run({ wall_s: 0.03 }, RESTLESS, { tools: () => deaf })
    expect(running.receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
  })
})

describe('after a crash', () => {
  it('a call that was made counts once, and is completed', async () => {
    let tries = 0
    const tools = [
      tool('put', 'idempotent', async () => {
        tries += 1
        while (tries === 1) await scheduler.wait(1)
        return { content: 'put', isError: false }
      }),
    ]
    const model = new ScriptedModel([{ content: [use('t1', 'put')] }, { content: [text('Done.')] }])
    const thread = new TestThread({ ...speaks(model), tools: () => tools })
    const { run_id } = await thread.start('Go.', { budget: { ...BUDGET, tool_calls: 1 } })
    await eventually(
      () => tries === 1,
      (begun) => begun,
    )
    await thread.kill()
    await thread.alarm()
    const receipt = await thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'completed', recoveries: 1, budget: { tool_calls: { used: 1 } } })
    expect(tries).toBe(2)
  })

  /** Kills a call `aliveMs` after the alarm that found it in progress, and wakes the object `awayMs` later. */
  async function killed(
    aliveMs: readonly number[],
    awayMs: number,
  ): Promise<{ readonly charged: Receipt['charged']; readonly produced: number }> {
    const model = new ScriptedModel((_, call) =>
      call === 0 ? { act: (__, ___, signal) => hang(signal) } : { content: [text('Done.')] },
    )
    const clock = new HandClock()
    const registry = modelRegistry({ apiKey: 'k', baseUrl: null, model: 'claude-opus-5-5', models: null })
    const thread = new TestThread({ ...speaks(model, registry), now: clock.now })
    const { run_id } = await thread.start('Go.', { budget: { ...BUDGET, wall_s: 7_200 } })
    await eventually(
      () => model.requests.length === 1,
      (requested) => requested,
    )
    const input = await thread.sql((sql) =>
      Number(sql.exec('SELECT open_input FROM runs').one()['open_input']),
    )
    for (const ms of aliveMs) {
      clock.ms += ms
      await thread.alarm()
    }
    await thread.kill()
    clock.ms += awayMs
    await thread.alarm()
    const receipt = await thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'completed', model_calls: 2, interrupted_waits: 1 })
    const { charged } = receipt
    return { charged, produced: charged.tokens - input - 20 }
  }

  it('a killed model call is charged its input and what it can have produced in its time', async () => {
    const { charged, produced } = await killed([], 3_000)
    expect(produced).toBe(3 * 140)
    expect(charged.estimated).toBe(true)
    expect(charged.usd).toBeLessThan(0.05)
  })

  it('a killed call stops costing soon after it was last seen, however late the object wakes', async () => {
    expect((await killed([], 7_000_000)).produced).toBe(15 * 140)
    expect((await killed([10_000], 7_000_000)).produced).toBe(25 * 140)
  })

  it('a clock that was set back makes no killed call cheaper', async () => {
    expect((await killed([], -3_600_000)).produced).toBe(15 * 140)
  })

  it('a call is never charged more than was reserved, however long it took', async () => {
    expect((await killed([60_000, 60_000], 7_000_000)).produced).toBe(MODEL_OUTPUT_MAX_TOKENS)
  })
})
