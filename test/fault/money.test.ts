// Guards "money has a limit": what the API billed is counted even if its answer was discarded, and a charge is never
// below the bill and not far above it. A call that was refused or never sent costs nothing.
import { describe, expect, it } from 'vitest'
import type { Charged, Receipt } from '../../src/agent/events.ts'
import { totalTokens } from '../../src/agent/message.ts'
import { MODEL_OUTPUT_MAX_TOKENS } from '../../src/limits/model.ts'
import type { ModelSettings } from '../../src/model/registry.ts'
import type { RunBudget, ThreadInfo } from '../../src/thread/api.ts'
import type { ThreadRecord, WorkspaceApi } from '../../src/workspace/api.ts'
import type { RunRecord } from '../../src/workspace/run-api.ts'
import type { Reply, Script, WireEvent } from '../fakes/messages-wire.ts'
import { BUDGET, HandClock, ROOM, type TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { wired, type Wired } from './wire.ts'

const OK: Reply = { content: [{ type: 'text', text: 'All is well.' }] }
const OUTPUT = { input_tokens: 50_000, output_tokens: 1, cache_read_input_tokens: 2_000 }
/** An answer that reports its usage in the first event, and then calls a tool with 4,000 characters of input. */
const LONG = {
  content: [{ type: 'tool_use', id: 't1', name: 'look', input: { text: 'x'.repeat(4_000) } }],
  deltaChars: 400,
  usage: { start: OUTPUT },
}
const ERROR: WireEvent = {
  event: 'error',
  data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
}
const pings = Array.from({ length: 3 }, () => ({ at: 1, event: 'ping', data: { type: 'ping' } }))

type Settings = Partial<ModelSettings> & { readonly silenceMaxMs?: number }

async function charged(
  script: Script,
  budget: Partial<RunBudget> = {},
  settings: Settings = {},
): Promise<Receipt> {
  const { thread } = wired(script, new HandClock(2_000), settings)
  const { run_id } = await thread.start('Go.', { budget: { ...BUDGET, wall_s: 7_200, ...budget } })
  return thread.ended(run_id)
}

/** Starts a run, waits until everything that the API sends was read and then `ms` more, and ends the run by `stop`. */
async function stopped(
  reply: Reply,
  stop: (reported: Wired, runId: string) => Promise<unknown>,
  ms = 0,
): Promise<Receipt> {
  const clock = new HandClock()
  const reported = wired([reply, OK], clock, { silenceMaxMs: 60_000 })
  const { run_id } = await reported.thread.start('Go.')
  await eventually(
    () => reported.recorder.silent,
    (silent) => silent === 1,
  )
  clock.ms += ms
  await stop(reported, run_id)
  return reported.thread.ended(run_id)
}

const cancelled = (reply: Reply, ms = 0): Promise<Receipt> =>
  stopped(reply, ({ thread }, runId) => thread.api.cancel(thread.caller, runId), ms)

function expectOutput({ charged: sum, usage }: Receipt, output: readonly [number, number]): void {
  const prompt = OUTPUT.input_tokens + OUTPUT.cache_read_input_tokens
  expect(sum.tokens).toBeGreaterThanOrEqual(prompt + output[0])
  expect(sum.tokens).toBeLessThan(prompt + output[1])
  expect(sum.usd).toBeGreaterThan(0.1)
  expect(sum.estimated).toBe(true)
  expect(usage.input_tokens).toBe(OUTPUT.input_tokens)
  expect(totalTokens(usage)).toBe(sum.tokens)
}

/** Output tokens per second at which this model is charged if their number is unknown. */
const RATE = 180
const INPUT_MAX = 2_000

/** Expects a charge for the input and for what can have been produced in this many seconds. */
function expectMost(
  { tokens, usd, estimated }: Charged,
  seconds: readonly [least: number, most: number],
): void {
  expect(tokens).toBeGreaterThan(seconds[0] * RATE)
  expect(tokens).toBeLessThan(seconds[1] * RATE + INPUT_MAX)
  expect(usd).toBeGreaterThan((seconds[0] * RATE * 10) / 1e6)
  expect(usd).toBeLessThan((seconds[1] * RATE * 10 + INPUT_MAX * 2.5) / 1e6)
  expect(estimated).toBe(true)
}

describe('a call that was stopped after the API began to answer', () => {
  it('counts its output: cancelled during tool input', async () => {
    const receipt = await cancelled({ ...LONG, stallAfter: 8 })
    expect(receipt).toMatchObject({ status: 'cancelled', model_calls: 1 })
    expectOutput(receipt, [300, 3_000])
  })

  it('counts its output: cancelled after nothing but pings', async () => {
    expectOutput(await cancelled({ ...LONG, insert: pings, stallAfter: 4 }), [1, 50])
  })

  it('counts its output: at the time limit', async () => {
    // Its output is more than can be produced unseen within the limit, so that only the output counts.
    const reported = wired([{ ...LONG, stallAfter: 13 }], { now: () => Date.now() }, { silenceMaxMs: 60_000 })
    const { run_id } = await reported.thread.start('Go.', { budget: { ...BUDGET, wall_s: 2 } })
    const receipt = await reported.thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expectOutput(receipt, [300, 3_000])
  })

  it('counts what it can have produced unseen: thinking, or the input of a tool that arrives in one piece', async () => {
    const { charged: sum, usage } = await cancelled({ ...LONG, stallAfter: 3 }, 10_000)
    expect(sum.tokens).toBe(52_000 + 10 * RATE)
    expect(sum.usd).toBeGreaterThan(10 * RATE * 1e-5)
    expect(usage.output_tokens).toBeLessThan(50)
  })

  it('counts its input and its time without any output: cancelled before the first event', async () => {
    expectMost((await cancelled({ ...LONG, stallAfter: 0 })).charged, [0, 0])
    expectMost((await cancelled({ ...LONG, stallAfter: 0 }, 5_000)).charged, [5, 5])
    expectMost((await cancelled({ ...LONG, usage: { start: null }, stallAfter: 8 }, 5_000)).charged, [5, 5])
    const { tokens, usd } = (await cancelled({ ...LONG, stallAfter: 0 }, 500_000)).charged
    expect(tokens).toBeGreaterThan(MODEL_OUTPUT_MAX_TOKENS)
    expect(tokens).toBeLessThan(MODEL_OUTPUT_MAX_TOKENS + INPUT_MAX)
    expect(usd).toBeLessThan(0.17)
  })

  it('shows its settled charge while it runs, and afterwards the same in thread and receipt', async () => {
    const { thread, recorder } = wired([OK, { ...LONG, stallAfter: 0 }], new HandClock(), {
      silenceMaxMs: 60_000,
    })
    const info = async (): Promise<ThreadInfo> => value(await thread.api.info(thread.caller))
    const first = await thread.ended((await thread.start('One.')).run_id)
    expect((await info()).charged).toEqual(first.charged)
    expect(first.charged.estimated).toBe(false)
    const { run_id } = await thread.start('Two.')
    await eventually(
      () => recorder.silent,
      (silent) => silent === 1,
    )
    expect((await info()).charged).toEqual(first.charged)
    expect(await thread.receipt(run_id)).toMatchObject({
      charged: { tokens: 0, usd: 0, estimated: false },
      budget: { tokens: { used: 0 }, usd: { used: 0 } },
    })
    await thread.api.cancel(thread.caller, run_id)
    const second = await thread.ended(run_id)
    const tokens = first.charged.tokens + second.charged.tokens
    const usd = first.charged.usd + second.charged.usd
    expect(await info()).toMatchObject({ usage: first.usage, charged: { tokens, usd, estimated: true } })
  })

  it('counts ten times when ten runs are started and cancelled, in the thread and in the workspace', async () => {
    const reported: RunRecord[] = []
    const record = async (_: ThreadRecord, run: RunRecord | null): Promise<{ ok: true; value: null }> => {
      if (run) reported.push(run)
      return { ok: true, value: null }
    }
    const { thread, recorder } = wired(() => ({ ...LONG, stallAfter: 8 }), new HandClock(), {
      silenceMaxMs: 60_000,
    })
    // The cast is safe: a thread calls only this method to report to its workspace.
    thread.adjust({ workspace: () => ({ ...ROOM, record }) as unknown as WorkspaceApi })
    for (let round = 0; round < 10; round++) {
      const { run_id } = await thread.start('Go.')
      await eventually(
        () => recorder.silent,
        (silent) => silent === round + 1,
      )
      await thread.api.cancel(thread.caller, run_id)
    }
    const info = value(await thread.api.info(thread.caller))
    expect(info.usage.input_tokens).toBe(500_000)
    await eventually(
      () => reported.length,
      (runs) => runs === 10,
    )
    for (const run of reported) expect(run.charged.tokens).toBeGreaterThan(52_000)
    const tokens = reported.reduce((sum, run) => sum + run.charged.tokens, 0)
    const usd = reported.reduce((sum, run) => sum + run.charged.usd, 0)
    expect(info.charged).toEqual({ tokens, usd: expect.closeTo(usd, 9), estimated: true })
  })
})

describe('an answer', () => {
  it('whose tools cannot be loaded is charged its output', async () => {
    const { thread, world } = wired([{ ...LONG }], new HandClock())
    let created = false
    thread.adjust({
      tools: () => {
        if (created) throw new Error('no tools')
        created = true
        return world.tools
      },
    })
    const { run_id } = await thread.start('Go.')
    const receipt = await thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'internal' })
    expect(receipt.charged).toMatchObject({ tokens: 52_007, estimated: false })
  })
})

describe('a call that failed', () => {
  it.each<[string, Reply]>([
    ['was cut', { ...LONG, cutAfter: 8 }],
    ['ended in the middle', { ...LONG, cutAfter: 8, cleanly: true }],
    ['fell silent', { ...LONG, stallAfter: 8 }],
    ['broke off with an error', { ...LONG, rewrite: (all) => [...all.slice(0, 8), ERROR] }],
    ['was garbled', { ...LONG, rewrite: (all) => [...all.slice(0, 8), ...all.slice(0, 1)] }],
  ])('after the API began to answer counts its output: it %s', async (_, reply) => {
    const receipt = await charged([reply, OK])
    expect(receipt).toMatchObject({ status: 'completed', model_calls: 2 })
    expect(receipt.charged.tokens).toBeGreaterThan(52_300)
    expect(receipt.charged.tokens).toBeLessThan(52_032 + MODEL_OUTPUT_MAX_TOKENS)
    expect(receipt.charged.estimated).toBe(true)
    expect(receipt.usage.input_tokens).toBe(OUTPUT.input_tokens + 25)
  })

  it.each<[string, Reply]>([
    ['a timeout', { status: 408 }],
    ['a timeout of the API', { status: 504, type: 'timeout_error' }],
    ['an error page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a connection that failed', { refuse: 'connection' }],
    ['a page instead of a stream', { status: 200, body: '<html>Welcome</html>' }],
  ])('without any reported usage counts its input and its time: %s', async (_, reply) => {
    expectMost((await charged([reply, OK])).charged, [2, 20])
  })

  it.each<[string, Reply]>([
    ['overloaded', { status: 529, type: 'overloaded_error' }],
    ['a limit', { status: 429, type: 'rate_limit_error' }],
    ["an error in the API's own shape", { status: 500, type: 'api_error' }],
    ['a Cloudflare error that the origin was not reached', { status: 521, body: 'error code: 521' }],
    ['a refused connection', { refuse: 'ECONNREFUSED' }],
    ['a name that was not found', { refuse: 'ENOTFOUND' }],
  ])('because it was rejected counts nothing: %s', async (_, reply) => {
    const receipt = await charged([reply, OK])
    expect(receipt.charged).toEqual({ tokens: 32, usd: receipt.usage.cost_usd, estimated: false })
  })

  it('and used up the budget ends the run with what went wrong', async () => {
    const receipt = await charged([{ refuse: 'connection' }, OK], { usd: 0.0142 })
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'model_error', model_calls: 1 })
    expect(receipt.error?.detail).toMatch(/could not be reached.*budget\.usd/)
  })
})

describe('usage that is not a number of tokens', () => {
  it.each<[string, unknown]>([
    ['beyond all bounds', 1e300],
    ['negative', -3],
    ['half a token', 0.5],
    ['text', '12'],
    ['a list', [1]],
  ])('invalidates the answer, which counts by its time and is retried: %s', async (_, count) => {
    for (const usage of [
      { start: { ...OUTPUT, input_tokens: count } },
      { last: { output_tokens: count } },
      { last: { output_tokens: 7, cache_read_input_tokens: count } },
    ]) {
      const receipt = await charged([{ ...OK, usage }, OK])
      expect(receipt).toMatchObject({ status: 'completed', model_calls: 2, usage: { input_tokens: 25 } })
      expectMost(receipt.charged, [2, 30])
    }
  })
})

describe('a model', () => {
  it('without a price is charged at the dearest known one, and marked as estimated', async () => {
    const receipt = await charged([OK], {}, { model: 'local/llama' })
    expect(receipt.usage.cost_usd).toBeNull()
    expect(receipt.charged).toEqual({ tokens: 32, usd: (25 * 10 + 7 * 50) / 1e6, estimated: true })
    const { thread } = wired([OK], new HandClock(2_000), { model: 'local/llama' })
    const poor = await thread.refused('Go.', { budget: { ...BUDGET, usd: 0.01 } })
    expect(poor.errors?.[0]?.path).toBe('budget')
  })

  it('for nothing costs nothing, and the other limits hold', async () => {
    const price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
    const settings = { model: 'local', models: [{ id: 'local', price }] }
    const receipt = await charged([OK], {}, settings)
    expect(receipt.charged).toEqual({ tokens: 32, usd: 0, estimated: false })
    expect(receipt.usage.cost_usd).toBe(0)
    const { thread } = wired([OK], new HandClock(2_000), settings)
    const poor = await thread.refused('Go.', { budget: { ...BUDGET, tokens: 1_000 } })
    expect(poor.errors?.[0]?.path).toBe('budget')
  })
})

describe('a thread whose model is no longer available', () => {
  const switched = async (
    before: Settings,
    after: Settings,
  ): Promise<{ thread: TestThread; reported: Wired }> => {
    const { thread } = wired([OK], new HandClock(), before)
    const { run_id } = await thread.start('One.')
    await thread.ended(run_id)
    const reported = wired([OK], new HandClock(), after)
    thread.adjust(reported.ports)
    await thread.kill()
    return { thread, reported }
  }

  it.each<[string, Settings, Settings, RegExp]>([
    [
      'the demo model, with a key',
      { apiKey: null },
      {},
      /started with the model demo.*demo model is not available/,
    ],
    [
      'a real one, without a key',
      {},
      { apiKey: null },
      /started with the model claude-sonnet-5-5.*only the demo/,
    ],
    ['a model that MODELS no longer lists', {}, { model: 'a', models: [{ id: 'a' }] }, /Available: a\./],
  ])('says so before it takes a message, and how to continue: %s', async (_, before, after, words) => {
    const { thread, reported } = await switched(before, after)
    const refused = await thread.refused('Two.', { create: false })
    expect(refused.code).toBe('prefix_frozen')
    expect(refused.detail).toMatch(words)
    expect(refused.detail).toContain('Start a new thread')
    expect(reported.recorder.exchanges).toEqual([])
    expect(await thread.messages()).toHaveLength(2)
  })

  it('ends a run in progress without a model call', async () => {
    const first = wired([{ status: 429, headers: { 'retry-after': '60' } }], new HandClock(), {
      apiKey: null,
    })
    const { run_id } = await first.thread.start('One.')
    await eventually(
      () => first.thread.sql((sql) => sql.exec('SELECT resume_at FROM runs').one()['resume_at']),
      (at) => at !== null,
    )
    const clock = new HandClock()
    clock.ms += 61_000
    const after = wired([OK], clock)
    first.thread.adjust(after.ports)
    await first.thread.kill()
    await first.thread.alarm()
    const receipt = await first.thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'model_error' })
    expect(receipt.error?.detail).toContain('Start a new thread')
    expect(after.recorder.exchanges).toEqual([])
  })
})
