// Guards "effects happen once" for tools with side effects: right before a call, the thread checks that the run still
// continues; the journal's row decides what the call may do; calls of one message keep their order.
import { afterEach, describe, expect, it } from 'vitest'
import type { Effect } from '../../src/agent/tool.ts'
import type { BuiltinTool } from '../../src/tools/record/builtin.ts'
import { REPEATED_CALLS_STOP_AT } from '../../src/agent/limits.ts'
import { STEP_TOOL_CALLS_MAX } from '../../src/thread/executor/limits.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { pauseAt, unwatch, watchPoints } from './plan.ts'
import { HandClock, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { tool, World } from './world.ts'

const DONE: Turn = { content: [text('Done.')] }
const ACT: readonly Turn[] = [{ content: [use('t1', 'send'), use('t2', 'look')] }, DONE]

afterEach(unwatch)

function threadOf(world: World, model: ScriptedModel, ports: Partial<ThreadPorts> = {}): TestThread {
  return new TestThread({ ...speaks(model), tools: () => world.tools, ...ports })
}

async function resultsOf(thread: TestThread): Promise<readonly (readonly [unknown, unknown])[]> {
  return (await thread.messages()).flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' ? [[block['tool_use_id'], block['content']] as const] : [],
    ),
  )
}

describe('between the disk write and the call of a tool with side effects', () => {
  it('a cancel prevents the call, and its result says so', async () => {
    const [world, model] = [new World(), new ScriptedModel(ACT)]
    const thread = threadOf(world, model)
    let runId = ''
    pauseAt(thread.name, 'tool.started', async ({ sql }) => {
      void thread.api.cancel(thread.caller, runId)
      await eventually(
        () => sql.exec('SELECT cancel FROM runs').one()['cancel'],
        (cancel) => cancel !== null,
      )
    })
    runId = (await thread.start('Go.')).run_id
    expect(await thread.ended(runId)).toMatchObject({ status: 'cancelled' })
    expect(world.ran).toEqual([])
    expect(await resultsOf(thread)).toEqual([
      ['t1', 'Not run: the run was cancelled.'],
      ['t2', 'Not run: the run was cancelled.'],
    ])
    await thread.checkEnded(runId, model.requests.length)
  })

  it('a deletion prevents the call', async () => {
    const [world, model] = [new World(), new ScriptedModel(ACT)]
    const thread = threadOf(world, model)
    let deleted: Promise<unknown> = Promise.resolve()
    let passed = false
    pauseAt(thread.name, 'tool.started', async () => {
      deleted = thread.api.remove(thread.caller)
      await eventually(
        () => thread.api.info(thread.caller),
        (info) => !info.ok,
      )
      passed = true
    })
    await thread.start('Go.')
    await eventually(
      () => passed,
      (yes) => yes,
    )
    await deleted
    expect(world.ran).toEqual([])
  })

  it('the time limit prevents the call, even before its timer has fired', async () => {
    const [world, model, clock] = [new World(), new ScriptedModel(ACT), new HandClock()]
    const thread = threadOf(world, model, { now: clock.now })
    pauseAt(thread.name, 'tool.started', async () => {
      clock.ms += 3_600_000
    })
    const { run_id } = await thread.start('Go.')
    expect(await thread.ended(run_id)).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expect(world.ran).toEqual([])
    expect((await resultsOf(thread)).map(([, output]) => output)).toEqual(
      Array(2).fill("Not run: the run's budget is used up."),
    )
  })
})

describe('the effect of a call', () => {
  it('is what its row says, even if the tool later says otherwise', async () => {
    const ran: string[] = []
    const send = (effect: Effect): BuiltinTool =>
      tool('send', effect, async () => {
        ran.push('sent')
        return { content: 'password=hunter2hunter2', isError: false }
      })
    const model = new ScriptedModel([{ content: [use('t1', 'send')] }, DONE])
    const thread = new TestThread({ ...speaks(model), tools: () => [send('once')] })
    const crash = watchPoints(thread.name, (_, point, { fired }) =>
      point === 'tool.ran' && fired === 0 ? 'keep' : null,
    )
    const { run_id } = await thread.start('Go.')
    await eventually(
      () => crash.fired,
      (fired) => fired === 1,
    )
    thread.replan({ ...speaks(model), tools: () => [send('read')] })
    await thread.alarm()
    await thread.ended(run_id)
    expect(ran).toEqual(['sent'])
    expect(await resultsOf(thread)).toEqual([
      ['t1', expect.stringContaining('outcome of this call is unknown')],
    ])
  })

  it("and the tool's description stay as at the thread's creation, even after a deployment", async () => {
    const world = new World()
    const model = new ScriptedModel((request) =>
      request.messages.length === 3 ? { content: [use('t1', 'send')] } : DONE,
    )
    const thread = threadOf(world, model)
    await thread.ended((await thread.start('Hello.')).run_id)
    await thread.kill()
    const send = tool('send', 'read', async () => ({ content: 'sent', isError: false }))
    const other = { ...send, spec: { ...send.spec, description: 'Another one.' } }
    thread.replan({ ...speaks(model), tools: () => [other] })
    await thread.ended((await thread.start('Go.')).run_id)
    expect(await resultsOf(thread)).toEqual([['t1', 'sent']])
    expect(model.problems).toEqual([])
    const rows = await thread.sql((sql) => [
      ...sql.exec('SELECT name, effect FROM tool_calls').toArray(),
      ...sql.exec('SELECT name, spec, source, effect, approval FROM tools ORDER BY ord LIMIT 1').toArray(),
    ])
    expect(rows).toEqual([
      { name: 'send', effect: 'once' },
      {
        name: 'look',
        spec: '{"name":"look","description":"look","input_schema":{"type":"object"}}',
        source: 'builtin',
        effect: 'read',
        approval: '{"ask":"never"}',
      },
    ])
  })

  it('is assumed to be the worst if the tool is unknown', async () => {
    const model = new ScriptedModel([{ content: [use('t1', 'unheard_of'), use('t2', 'look')] }, DONE])
    const thread = threadOf(new World(), model)
    const { run_id } = await thread.start('Go.')
    await thread.ended(run_id)
    const effects = await thread.sql((sql) =>
      sql.exec('SELECT name, effect FROM tool_calls ORDER BY ord').toArray(),
    )
    expect(effects).toEqual([
      { name: 'unheard_of', effect: 'once' },
      { name: 'look', effect: 'read' },
    ])
  })
})

describe('a tool that the thread was not created with', () => {
  it('is not run, even if it exists now', async () => {
    const world = new World()
    const model = new ScriptedModel((request) =>
      request.messages.length === 1
        ? DONE
        : request.messages.length === 3
          ? { content: [use('t1', 'send'), use('t2', 'look')] }
          : DONE,
    )
    const look = world.tools.filter(({ spec }) => spec.name === 'look')
    const thread = new TestThread({ ...speaks(model), tools: () => look })
    await thread.ended((await thread.start('Hello.')).run_id)
    await thread.kill()
    thread.replan({ ...speaks(model), tools: () => world.tools })
    await thread.ended((await thread.start('Go.')).run_id)
    expect(world.ran).toEqual(['look'])
    expect(await resultsOf(thread)).toEqual([
      ['t1', expect.stringContaining('There is no tool named send')],
      ['t2', 'seen {}'],
    ])
  })

  it('is distinguished from one that was removed since', async () => {
    const world = new World()
    const model = new ScriptedModel((request) =>
      request.messages.length === 3 ? { content: [use('t1', 'send')] } : DONE,
    )
    const thread = threadOf(world, model)
    await thread.ended((await thread.start('Hello.')).run_id)
    await thread.kill()
    thread.replan({ ...speaks(model), tools: () => [] })
    await thread.ended((await thread.start('Go.')).run_id)
    expect(await resultsOf(thread)).toEqual([
      ['t1', 'The tool send is no longer available. Continue without it.'],
    ])
  })
})

/** Tools that record when a call begins and ends. */
function noting(): { readonly log: string[]; readonly tools: readonly BuiltinTool[] } {
  const log: string[] = []
  const one = (name: string, effect: Effect): BuiltinTool =>
    tool(name, effect, async (input) => {
      const at = `${name} ${/\d/.exec(JSON.stringify(input))?.[0]}`
      log.push(`> ${at}`)
      await scheduler.wait(2)
      log.push(`< ${at}`)
      return { content: at, isError: false }
    })
  return { log, tools: [one('look', 'read'), one('send', 'once'), one('put', 'idempotent')] }
}

const MIXED: readonly Turn[] = [
  {
    content: [
      use('t1', 'look', { call: 1 }),
      use('t2', 'look', { call: 2 }),
      use('t3', 'put', { call: 3 }),
      use('t4', 'look', { call: 4 }),
      use('t5', 'send', { call: 5 }),
      use('t6', 'put', { call: 6 }),
      use('t7', 'look', { call: 7 }),
      use('t8', 'look', { call: 8 }),
    ],
  },
  DONE,
]
const IN_ORDER =
  `> look 1, > look 2, < look 1, < look 2, > put 3, < put 3, > look 4, < look 4, > send 5, < send 5,
  > put 6, < put 6, > look 7, > look 8, < look 7, < look 8`.split(/,\s+/)

describe('calls of one message', () => {
  it('keep their order: reads run in parallel, a call with side effects alone', async () => {
    const { log, tools } = noting()
    const model = new ScriptedModel(MIXED)
    const thread = new TestThread({ ...speaks(model), tools: () => tools })
    await thread.ended((await thread.start('Go.')).run_id)
    expect(log).toEqual(IN_ORDER)
  })

  it.each(['lose', 'keep'] as const)('keep their order wherever the run dies (%s)', async (mode) => {
    for (let at = 0; at < 40; at++) {
      const { log, tools } = noting()
      const model = new ScriptedModel(MIXED)
      const thread = new TestThread({ ...speaks(model), tools: () => tools })
      let steps = 0
      const crash = watchPoints(thread.name, (_, point) =>
        point.startsWith('tool.') && steps++ === at ? mode : null,
      )
      const { run_id } = await thread.start('Go.')
      await eventually(
        async () => {
          if (crash.fired > 0) await thread.alarm()
          return thread.receipt(run_id).catch(() => null)
        },
        (receipt) => receipt !== null && receipt.ended_at !== null,
      )
      // No call begins before the preceding one has ended, even if the object died in between.
      const begun = log.filter((line) => line.startsWith('>')).map((line) => Number(line.at(-1)))
      const batch = [0, 1, 1, 2, 3, 4, 5, 6, 6]
      const order = begun.map((call) => batch[call] ?? 0)
      expect(order, `killed at ${at}`).toEqual(order.toSorted((a, b) => a - b))
      expect(log.filter((line) => line === '> send 5').length).toBeLessThanOrEqual(1)
      unwatch()
      if (crash.fired === 0) return
    }
    throw new Error('more points than thought')
  })
})

describe('a repeated call that cannot be made', () => {
  const asking = (block: (id: string) => ReturnType<typeof use>): ScriptedModel =>
    new ScriptedModel((request) =>
      request.forbidTools ? DONE : { content: [block(`t${request.messages.length}`)] },
    )

  it.each([
    ['of a missing tool', (id: string) => use(id, 'unheard_of', { a: 1 })],
    ['with an input that is too long', (id: string) => use(id, 'look', { text: 'x'.repeat(1_100_000) })],
  ])('%s ends as a loop', async (_, block) => {
    const world = new World()
    const model = asking(block)
    const thread = threadOf(world, model)
    const { run_id } = await thread.start('Go.', {
      budget: { ...(await thread.input('')).budget, tokens: 2e7 },
    })
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', stop_reason: 'loop_detected' })
    expect(model.requests).toHaveLength(REPEATED_CALLS_STOP_AT + 1)
    expect(world.ran).toEqual([])
    const warnings = (await thread.checkEnded(run_id, 0)).filter(({ type }) => type === 'loop.warning')
    expect(warnings.length).toBeGreaterThanOrEqual(2)
  })

  it('is no loop if its inputs are too long but differ', async () => {
    const model = new ScriptedModel((request) =>
      request.messages.length < 2 * REPEATED_CALLS_STOP_AT + 2
        ? {
            content: [
              use(`t${request.messages.length}`, 'look', {
                text: `${request.messages.length}`.padEnd(1_100_000),
              }),
            ],
          }
        : DONE,
    )
    const thread = threadOf(new World(), model)
    const { run_id } = await thread.start('Go.', {
      budget: { ...(await thread.input('')).budget, tokens: 2e7 },
    })
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', stop_reason: 'answered' })
  })

  it('ends as a loop if it is beyond the calls of a step', async () => {
    const model = new ScriptedModel((request) =>
      request.forbidTools
        ? DONE
        : {
            content: Array.from({ length: STEP_TOOL_CALLS_MAX + 1 }, (_, at) =>
              use(
                `t${request.messages.length}_${at}`,
                'look',
                at < STEP_TOOL_CALLS_MAX ? [at, request.messages.length] : {},
              ),
            ),
          },
    )
    const thread = threadOf(new World(), model)
    const { run_id } = await thread.start('Go.', {
      budget: { ...(await thread.input('')).budget, tool_calls: 1_000 },
    })
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', stop_reason: 'loop_detected' })
  })
})
