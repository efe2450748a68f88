// Guards that no thread ever fills: a conversation that outgrows the model's window continues in a new one, in one of
// three ways, with the user's words, what is known and what was untrusted.

import { afterEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/agent/events.ts'
import type { Tool, ToolResult } from '../../src/agent/tool.ts'
import type { BuiltinTool } from '../../src/tools/record/builtin.ts'
import { OVERLOADED, TOO_LONG, WindowModel, textBlock, textIn } from '../fakes/window-model.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { pauseAt, unwatch, watchPoints } from './plan.ts'
import { BUDGET, speaks, TestThread } from './rig.ts'
import { pairing, use } from './scripted-model.ts'

const WINDOW = 40_000
const SUMMARY = 'Done: much. Open: the rest.'
const RICH = { budget: { ...BUDGET, tokens: 20_000_000, usd: 100, steps: 200, tool_calls: 1_000 } }

/** About this many tokens of text. */
function long(tokens: number, seed = 'word'): string {
  return `${seed} `.repeat(Math.ceil((tokens * 4) / (seed.length + 1))).slice(0, tokens * 4)
}

/** Answers steps with text of 3,000 tokens, and summaries with SUMMARY. */
function talker(words = 3_000): ConstructorParameters<typeof WindowModel>[1] {
  return ({ kind }, nth) => [textBlock(kind === 'step' ? `${nth}: ${long(words)}` : SUMMARY)]
}

function threadOf(
  model: WindowModel,
  known = true,
  more: ConstructorParameters<typeof TestThread>[0] = {},
): TestThread {
  return new TestThread({ ...speaks(model, model.registry(known)), ...more })
}

async function say(thread: TestThread, words: string): Promise<string> {
  const { run_id } = await thread.start(words, RICH)
  await thread.ended(run_id)
  return run_id
}

async function bordersOf(
  thread: TestThread,
  runs: readonly string[],
): Promise<readonly Extract<Event, { type: 'context.compacted' }>[]> {
  const events = await Promise.all(runs.map((run) => thread.replay(run)))
  return events.flat().flatMap((event) => (event.type === 'context.compacted' ? [event] : []))
}

afterEach(() => unwatch())

describe('a conversation that outgrows the window', () => {
  it("continues in new windows with the user's words verbatim, and can be read in full", async () => {
    const model = new WindowModel(WINDOW, talker())
    const thread = threadOf(model)
    const runs: string[] = []
    pauseAt(thread.name, 'model.committed', async () =>
      thread.start('Keep fact-steered.', { onBusy: 'steer', create: false }),
    )
    for (let turn = 0; turn < 24; turn++)
      runs.push(await say(thread, `Message ${turn}: remember fact-${turn}.`))
    const borders = await bordersOf(thread, runs)
    expect(borders.length).toBeGreaterThanOrEqual(2)
    expect(borders.map(({ window }) => window)).toEqual(borders.map((_, at) => at + 2))
    for (const border of borders) {
      expect(border).toMatchObject({ way: 'model', summary: SUMMARY })
      expect(border.after_tokens).toBeLessThan(WINDOW / 2)
      expect(border.before_tokens).toBeGreaterThan(border.after_tokens)
      expect(border.cost_usd).toBeGreaterThan(0)
    }
    expect(model.problems).toEqual([])
    expect(model.calls.filter(({ refused }) => refused)).toEqual([])
    const newest = textIn(model.of('step').at(-1)!.request)
    for (let turn = 0; turn < 24; turn++) expect(newest).toContain(`fact-${turn}.`)
    expect(newest).toContain('fact-steered.')
    expect(newest).toContain(SUMMARY)
    const messages = await thread.messages()
    expect(messages).toHaveLength(50)
    expect(await thread.receipt(runs.at(-1)!)).toMatchObject({
      status: 'completed',
      window: borders.length + 1,
    })
    expect(await thread.receipt(runs[0]!)).toMatchObject({ window: 1 })
  })

  it('wakes with only its newest window', async () => {
    const model = new WindowModel(WINDOW, talker())
    const thread = threadOf(model)
    for (let turn = 0; turn < 13; turn++) await say(thread, `Message ${turn}.`)
    await thread.sql((sql) => sql.exec("UPDATE messages SET content = 'broken' WHERE seq = 2"))
    await thread.kill()
    const run = await say(thread, 'And now?')
    expect(await thread.receipt(run)).toMatchObject({ status: 'completed' })
    expect(model.problems).toEqual([])
  })

  it('pays for its summary from the cache, and reads system and tools from it in the new window', async () => {
    const model = new WindowModel(WINDOW, talker(1_500))
    const thread = threadOf(model)
    for (let turn = 0; turn < 60; turn++) await say(thread, `Message ${turn}.`)
    const summaries = model.of('extends')
    expect(summaries.length).toBeGreaterThanOrEqual(3)
    const sent = model.calls.filter(({ refused }) => !refused)
    for (const [at, call] of sent.entries()) {
      const before = sent[at - 1]
      if (!before?.billed || !call.billed) continue
      const input = (billed: typeof call.billed): number =>
        billed.input_tokens + billed.cache_creation_input_tokens + billed.cache_read_input_tokens
      if (before.kind === 'step')
        expect(call.billed.cache_read_input_tokens).toBeGreaterThanOrEqual(0.99 * input(before.billed))
      if (call.kind === 'extends') expect(input(call.billed)).toBeLessThanOrEqual(1.1 * input(before.billed))
      // System and tools are all that two windows share.
      if (before.kind === 'extends') expect(call.billed.cache_read_input_tokens).toBeGreaterThan(1_024)
    }
  })
})

/** A tool that reads, with results of this many tokens. */
function looking(tokens: number): { readonly tools: readonly BuiltinTool[]; readonly ran: unknown[] } {
  const ran: unknown[] = []
  const spec = { name: 'look', description: 'Looks.', input_schema: { type: 'object' } } as const
  const run = async (input: unknown): Promise<ToolResult> => {
    ran.push(input)
    return { content: long(tokens, `result-${ran.length}`), isError: false }
  }
  const make = (): Tool => ({ timeoutMs: 60_000, limitsResults: true, run })
  return { tools: [{ spec, effect: 'read', make }], ran }
}

const REFUSALS: Readonly<Record<string, (script: ReturnType<typeof talker>) => ReturnType<typeof talker>>> = {
  model: (script) => script,
  cut: (script) => (call, nth) => (call.kind === 'extends' ? TOO_LONG : script(call, nth)),
  code: (script) => (call, nth) => (call.kind === 'step' ? script(call, nth) : TOO_LONG),
}

describe('a request that the API refuses as too long', () => {
  for (const [way, refuse] of Object.entries(REFUSALS))
    for (const known of [true, false])
      it(`in step 1 continues by way ${way}${known ? '' : ' of a model whose window is unknown'}`, async () => {
        const model = new WindowModel(WINDOW, refuse(talker()))
        const thread = threadOf(model, known)
        const runs: string[] = []
        for (let turn = 0; turn < 11; turn++) runs.push(await say(thread, `Message ${turn}: ${long(150)}`))
        const borders = await bordersOf(thread, runs)
        expect(borders.length).toBeGreaterThan(0)
        expect(new Set(borders.map((border) => border.way))).toEqual(new Set([way]))
        for (const run of runs) expect(await thread.receipt(run)).toMatchObject({ stop_reason: 'answered' })
        expect(model.problems).toEqual([])
      })

  it('in step 7 continues, and the calls keep their results', async () => {
    const model = new WindowModel(WINDOW, ({ kind }, nth) => {
      if (kind !== 'step') return [textBlock(SUMMARY)]
      return nth < 12
        ? [textBlock(`Step ${nth}.`), use(`t${nth}`, 'look', { at: nth })]
        : [textBlock('Done.')]
    })
    const { tools } = looking(5_000)
    const thread = threadOf(model, false, { tools: () => tools })
    const run = await say(thread, 'Look twelve times.')
    expect(await thread.receipt(run)).toMatchObject({ stop_reason: 'answered', steps: 13 })
    const borders = await bordersOf(thread, [run])
    expect(borders.length).toBeGreaterThan(0)
    expect(pairing(await thread.messages())).toEqual([])
    expect(textIn(model.of('step').at(-1)!.request)).toContain('Look twelve times.')
    expect(model.problems).toEqual([])
  })

  it('because of one message is answered with 413, and the thread stays usable', async () => {
    const model = new WindowModel(WINDOW, talker())
    const thread = threadOf(model)
    await say(thread, 'Hello.')
    const run = await say(thread, long(WINDOW * 1.1))
    expect(await thread.receipt(run)).toMatchObject({
      stop_reason: 'context_overflow',
      error: { status: 413 },
    })
    const next = await say(thread, 'And a short one?')
    expect(await thread.receipt(next)).toMatchObject({ stop_reason: 'answered' })
    expect(textIn(model.of('step').at(-1)!.request)).toContain('Hello.')
  })
})

describe('a summary that fails', () => {
  it('by a tool call counts as an attempt, and the call is not run', async () => {
    const { tools, ran } = looking(10)
    const model = new WindowModel(WINDOW, (call, nth) => {
      if (call.kind === 'extends') return [use(`s${nth}`, 'look', { at: 1 })]
      return talker()(call, nth)
    })
    const thread = threadOf(model, true, { tools: () => tools })
    const runs: string[] = []
    for (let turn = 0; turn < 10; turn++) runs.push(await say(thread, `Message ${turn}.`))
    const [border] = await bordersOf(thread, runs)
    expect(border).toMatchObject({ way: 'cut' })
    expect(model.of('extends').length).toBe(2)
    expect(ran).toEqual([])
  })

  it('is retried once while the API is overloaded', async () => {
    let failed = 0
    const model = new WindowModel(WINDOW, (call, nth) =>
      call.kind === 'extends' && failed++ === 0 ? OVERLOADED : talker()(call, nth),
    )
    const thread = threadOf(model)
    const runs: string[] = []
    for (let turn = 0; turn < 10; turn++) runs.push(await say(thread, `Message ${turn}.`))
    expect((await bordersOf(thread, runs))[0]).toMatchObject({ way: 'model' })
    expect(failed).toBe(2)
  })
})

describe('a run that is killed while its thread gets a new window', () => {
  const points = ['summary.begun', 'summary.answered', 'window.prepared', 'window.begun']
  for (const [point, mode] of points.flatMap((name) => [[name, 'lose'] as const, [name, 'keep'] as const]))
    it(`at ${point} (${mode}) pays for at most one more summary, and loses and repeats nothing`, async () => {
      const model = new WindowModel(WINDOW, talker())
      const thread = threadOf(model)
      watchPoints(thread.name, (_, passed, { fired }) => (passed === point && fired === 0 ? mode : null))
      const runs: string[] = []
      for (let turn = 0; turn < 10; turn++) {
        const idempotency = { key: `k${turn}`, digest: 'd' }
        const started = await eventually(
          () => thread.start(`Message ${turn}.`, { ...RICH, idempotency }).catch(() => null),
          (answer) => answer !== null,
        )
        const run_id = started?.run_id ?? ''
        runs.push(run_id)
        for (let wake = 0; wake < 50; wake++) {
          const receipt = await thread.receipt(run_id).catch(() => null)
          if (receipt?.ended_at) break
          await thread.alarm()
        }
      }
      const borders = await bordersOf(thread, runs)
      expect(borders.map(({ window }) => window)).toEqual([2])
      expect(model.of('extends').length).toBeLessThanOrEqual(2)
      expect(model.problems).toEqual([])
      const messages = await thread.messages()
      expect(messages).toHaveLength(20)
      for (const run of runs) await thread.checkEnded(run, 1)
    })
})
