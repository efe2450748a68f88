// Guards calls through call_tool: each is in every respect a call of its target, also while it waits and after a kill.

import { afterEach, describe, expect, it } from 'vitest'
import { UNKNOWN_OUTCOME } from '../../src/agent/repair.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { utf8 } from '../../src/lib/bytes.ts'
import { ok } from '../../src/lib/result.ts'
import type { WorkspaceSettings } from '../../src/settings/settings.ts'
import {
  ALL,
  call,
  completed,
  events,
  httpTool,
  made,
  newestResults,
  search,
  ToolCatalog,
} from './deferred-rig.ts'
import { DONE } from './approving.ts'
import { JobServer, nextAlarm, READY, waits, WORKING } from './job-server.ts'
import { unwatch, watchPoints } from './plan.ts'
import { ANN, HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answersSince, ScriptedModel, use, type Turn } from './scripted-model.ts'

afterEach(unwatch)

const SETTINGS: WorkspaceSettings['tools'] = {
  allow: null,
  deny: [],
  untrusted_then_act: 'ask',
  link_bits: 40,
  calls_per_tool: 50,
  guardrail_url: null,
  guardrail_failure: 'deny',
}

/**
 * What is decided about a call with side effects, made directly or through call_tool: its end, and the model's result.
 */
async function decided(
  way: 'direct' | 'through',
  { own = {}, ports = {}, caller = ANN, more = {}, times = 1 }: Decided = {},
): Promise<unknown> {
  const acting = await httpTool('act_on_record', { request: POST, ...own })
  const tools = way === 'direct' ? [acting] : [...ALL, acting]
  const input = { id: 'x' }
  const acts: readonly Turn[] = Array.from({ length: times }, (_, at) =>
    way === 'direct'
      ? { content: [use(`a${at}`, 'act_on_record', input)] }
      : call(`a${at}`, 'act_on_record', input),
  )
  const catalog = new ToolCatalog(tools)
  const model = new ScriptedModel((request) => {
    const begins = request.messages.findLast(({ content }) => content[0]?.type === 'text')?.content
    const finds = JSON.stringify(begins).includes('Find it.')
    return (finds ? [search('s', 'select:act_on_record')] : acts)[answersSince(request)] ?? DONE
  })
  const thread = new TestThread({ ...speaks(model), ...catalog.ports })
  if (way === 'through') await events(thread, {}, 'Find it.')
  await thread.kill()
  thread.adjust(ports)
  const found = model.requests.length
  const { run_id } = value(await thread.api.start(caller, await thread.input('Act.', more)))
  const { status } = await eventually(
    () => thread.receipt(run_id),
    (receipt) => receipt.status === 'waiting' || receipt.ended_at !== null,
  )
  const rows = await thread.sql((sql) =>
    status === 'waiting'
      ? sql.exec('SELECT name, input, request, reason, definition, preview, same FROM approvals').toArray()
      : [],
  )
  const results = model.requests.slice(found).flatMap(newestResults)
  const receipt = await thread.receipt(run_id)
  const counted = receipt.tools
  return { status, rows, results, counted, reached: catalog.reached }
}

interface Decided {
  readonly own?: object
  readonly ports?: Partial<ThreadPorts>
  readonly caller?: typeof ANN
  readonly more?: object
  readonly times?: number
}

const POST = { method: 'POST', url: 'https://api.example.com/{{input.id}}', body: { id: '{{input.id}}' } }
const NEVER = { approval: { ask: 'never' } }

function settings(
  own: Partial<WorkspaceSettings['tools']>,
  more: Partial<ThreadPorts> = {},
): Partial<ThreadPorts> {
  return { toolSettings: async () => ok({ ...SETTINGS, ...own }), ...more }
}

/** A guardrail that refuses the tool by its name. */
const GUARDED = settings(
  { guardrail_url: 'https://guard.example.com/' },
  {
    net:
      () =>
      async ({ body, url }) => {
        const isTarget = String(body).includes('"tool":"act_on_record"')
        const answer = utf8(JSON.stringify({ allow: !isTarget, reasons: [String(isTarget)] }))
        return ok({ status: 200, headers: {}, body: answer, cut: false, url })
      },
  },
)

describe('a call through call_tool', () => {
  it('cannot find a tool that the workspace or the key denies', async () => {
    const ports = settings({ deny: ['record_deals_1'] })
    const caller = { ...ANN, tools: { allow: null, deny: ['mcp_alpha_list_deals_1'] } }
    const model = new ScriptedModel([
      search('s', 'select:record_deals_1,mcp_alpha_list_deals_1,record_deals_11'),
      DONE,
    ])
    const thread = new TestThread({ ...speaks(model), ...new ToolCatalog(ALL).ports, ...ports }, caller)
    await events(thread)
    const [result = ''] = newestResults(model.requests[1]!)
    expect(result).toContain('Found one tool.')
    expect(result).toContain('There is no tool named record_deals_1.')
    expect(result).toContain('There is no tool named mcp_alpha_list_deals_1.')
  })

  it.each<readonly [string, Decided]>([
    ['no rule', { own: NEVER }],
    ['an approval', {}],
    ['untrusted content', { own: NEVER, more: { context: { mail: 'Act on it.' } } }],
    ['nobody to decide', { more: { fenced: true } }],
    ['the list of the workspace', { own: NEVER, ports: settings({ deny: ['records'] }) }],
    [
      'the list of the key',
      { own: NEVER, caller: { ...ANN, tools: { allow: null, deny: ['act_on_record'] } } },
    ],
    ['the calls per tool', { own: NEVER, ports: settings({ calls_per_tool: 2 }), times: 4 }],
    ['a repeated call', { own: NEVER, times: 6 }],
    ['the guardrail', { own: NEVER, ports: GUARDED }],
    ['reading', { own: { request: { ...POST, method: 'GET', body: undefined } }, times: 3 }],
  ])('gets the same decision as a direct call: %s', async (_, facts) => {
    const direct = await decided('direct', facts)
    expect(await decided('through', facts)).toEqual(direct)
  })

  it.each<readonly [string, Decided]>([
    ['the workspace', { own: NEVER, ports: settings({ deny: ['call_tool'] }) }],
    ['the key', { own: NEVER, caller: { ...ANN, tools: { allow: null, deny: ['call_tool'] } } }],
  ])('is not made if %s denies call_tool', async (_, facts) => {
    const results = [expect.stringMatching(/^Not run: .* does not allow the tool act_on_record/)]
    expect(await decided('through', facts)).toMatchObject({ results, reached: [] })
  })
})

describe('a call through call_tool that is answered 202', () => {
  async function reports(): Promise<ReturnType<typeof made> & { server: JobServer; clock: HandClock }> {
    const [server, clock] = [new JobServer(), new HandClock()]
    const request = { method: 'POST', url: 'https://jobs.example.com/jobs' }
    const report = await httpTool('report', { request, answer: '202 + Location', ...NEVER })
    const turns = [search('s', 'select:report'), call('c', 'report'), DONE]
    const ports = { now: clock.now, toolNet: () => server.fetch }
    return { ...made(turns, [...ALL, report], ports), server, clock }
  }

  it('waits like its target, even across kills, and gets the later result of its server', async () => {
    const job = await reports()
    const { thread, model, server } = job
    server.answers = [WORKING, READY]
    const { run_id } = await thread.start('Report.')
    await waits(job, run_id)
    expect(value(await thread.api.reply(ANN, run_id, 0))).toMatchObject({
      reason: 'server',
      tool_use_ids: ['c'],
      detail: expect.stringContaining('the result of report (since '),
    })
    while (server.questions.length < 2) {
      await thread.kill()
      await nextAlarm(job)
    }
    await thread.ended(run_id)
    expect(completed(await thread.checkEnded(run_id, 3))).toEqual([
      ['tool_search', false],
      ['report', false],
    ])
    expect(newestResults(model.requests.at(-1)!)).toEqual(['HTTP 200\n\nready'])
    expect(server.begun).toHaveLength(1)
    expect(model.problems).toEqual([])
  })

  it('has an unknown outcome if the response is lost, and is not repeated', async () => {
    const { thread, model, server } = await reports()
    const crash = watchPoints(thread.name, (_, point, { fired }) =>
      point === 'tool.ran' && server.begun.length > 0 && fired === 0 ? 'lose' : null,
    )
    const { run_id } = await thread.start('Report.')
    await eventually(() => crash.fired === 1)
    await thread.ended(run_id)
    expect(completed(await thread.checkEnded(run_id, 3))).toEqual([
      ['tool_search', false],
      ['report', true],
    ])
    expect(newestResults(model.requests.at(-1)!)).toEqual([UNKNOWN_OUTCOME])
    expect([server.begun.length, server.questions.length]).toEqual([1, 0])
  })
})
