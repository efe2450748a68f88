// Guards "allowed-tools narrows what may be done": it is enforced on every call whatever tools the model was offered,
// from the load of the skill to the end of the run, even across a crash, and a refusal says what to do instead.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { REPEATED_CALLS_STOP_AT } from '../../src/agent/limits.ts'
import { ok } from '../../src/lib/result.ts'
import { utf8 } from '../../src/lib/bytes.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { BUILTINS } from '../../src/tools/builtins.ts'
import { seedBuild, type SeedSkill } from '../workers/seed-build.ts'
import { httpTool } from './deferred-rig.ts'
import { unwatch, watchPoints } from './plan.ts'
import { ANN, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answersSince, ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { tool } from './world.ts'

const SKILLS: readonly SeedSkill[] = [
  { name: 'reader', fields: { 'allowed-tools': 'Read, Grep' } },
  { name: 'worker', fields: { 'allowed-tools': '[Bash]' } },
  { name: 'nothing', fields: { 'allowed-tools': '[]' } },
  { name: 'foreign', fields: { 'allowed-tools': 'mcp__other__tool' } },
  { name: 'careful', fields: { 'disallowed-tools': 'Bash' } },
  { name: 'silent' },
]
const DONE: Turn = { content: [text('Done.')] }
const load = (id: string, name: string) => use(id, 'load_skill', { name })

/** Results of `bash` in the order of the calls, over all runs, and how often it really ran. */
async function reported(turns: readonly Turn[][], ports: Partial<ThreadPorts> = {}, crashAt?: string) {
  const ran: string[] = []
  const bash = tool('bash', 'once', async () => {
    ran.push('bash')
    return { content: 'ran', isError: false }
  })
  const model = new ScriptedModel((request) => {
    const from = request.messages.findLastIndex(
      ({ role, content }) => role === 'user' && content[0]?.type !== 'tool_result',
    )
    const people = request.messages.filter(
      ({ role, content }) => role === 'user' && content[0]?.type !== 'tool_result',
    )
    const output = request.messages.slice(from).filter(({ role }) => role === 'assistant').length
    return turns[people.length - 1]?.[output] ?? DONE
  })
  const thread = new TestThread(
    {
      ...speaks(model),
      tools: () => [...BUILTINS.filter(({ spec }) => spec.name !== 'bash'), bash],
      ...ports,
    },
    { ...ANN, workspace: 'policy' },
  )
  const build = await seedBuild(env, SKILLS)
  if (crashAt) {
    let fired = false
    watchPoints(thread.name, (_, point) => {
      if (fired || point !== crashAt || model.requests.length < 2) return null
      fired = true
      return 'keep'
    })
  }
  for (const _ of turns) {
    const { run_id } = await thread.start('Go on.', { build })
    await eventually(
      async () => {
        if (crashAt) await thread.alarm()
        return thread.receipt(run_id).catch(() => null)
      },
      (receipt) => receipt !== null && receipt.ended_at !== null,
    )
  }
  unwatch()
  expect(model.problems).toEqual([])
  const last = model.requests.at(-1)?.messages ?? []
  const results = last.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' && String(block['tool_use_id']).startsWith('b')
        ? [String(block['content'])]
        : [],
    ),
  )
  return { results, ran }
}

const BARRED = /^Error: Tool 'bash' is not allowed by the active skill policy\. Skill/

describe('a tool that an active skill does not name', () => {
  it.each([
    [['reader'], false],
    [['nothing'], false],
    [['careful'], false],
    [['worker', 'careful'], false],
    [['silent', 'reader'], false],
    [['silent'], true],
    [['foreign'], true],
    [['worker'], true],
    [['reader', 'worker'], true],
  ])('after %j: it runs is %s', async (names, runs) => {
    const loads = { content: names.map((name, at) => load(`l${at}`, name)) }
    const { results, ran } = await reported([[loads, { content: [use('b1', 'bash', { at: 1 })] }]])
    expect(results).toEqual([runs ? 'ran' : expect.stringMatching(BARRED)])
    expect(ran).toHaveLength(runs ? 1 : 0)
  })

  it('is refused from the step after the load until the run ends, and no longer', async () => {
    const { results } = await reported([
      [
        { content: [load('l1', 'reader'), use('b1', 'bash', { at: 1 })] },
        { content: [use('b2', 'bash', { at: 2 })] },
        // Another skill widens the list as soon as it is loaded.
        { content: [load('l2', 'worker')] },
        { content: [use('b3', 'bash', { at: 3 })] },
      ],
      [{ content: [use('b4', 'bash', { at: 4 })] }],
      // Already loaded in this conversation: a note replaces the body, but the skill is active all the same.
      [{ content: [load('l3', 'reader')] }, { content: [use('b5', 'bash', { at: 5 })] }],
    ])
    const no = expect.stringMatching(BARRED)
    expect(results).toEqual(['ran', no, 'ran', 'ran', no])
  })

  it.each(['model.committed', 'tool.finished', 'results.appended'])(
    'is refused even after a crash at %s',
    async (point) => {
      const story = [{ content: [load('l1', 'reader')] }, { content: [use('b1', 'bash', { at: 1 })] }]
      const { results, ran } = await reported([story], {}, point)
      expect(results).toEqual([expect.stringMatching(BARRED)])
      expect(ran).toEqual([])
    },
  )

  it('called again and again is stopped as a loop', async () => {
    const again = Array.from({ length: 20 }, (_, at) => ({ content: [use(`b${at}`, 'bash', { at: 1 })] }))
    const { results } = await reported([[{ content: [load('l1', 'reader')] }, ...again]])
    expect(results).toHaveLength(REPEATED_CALLS_STOP_AT)
    expect(results.at(-1)).toMatch(/^Not run: this same call was made several times/)
  })

  it('runs with a remark if the policy only warns', async () => {
    const story = [{ content: [load('l1', 'reader')] }, { content: [use('b1', 'bash', { at: 1 })] }]
    const { results, ran } = await reported([story], { allowedTools: 'warn' })
    expect(results).toEqual([expect.stringMatching(/^ran\n\n\[The active skill policy \(reader\)/)])
    expect(ran).toHaveLength(1)
  })
})

describe('a deferred tool that an active skill does not name', () => {
  it('is refused even if the tool that the skill names was added after the run began', async () => {
    const skills = [{ name: 'modern', fields: { 'allowed-tools': 'brand_new' } }]
    const tools = await Promise.all(Array.from({ length: 25 }, (_, at) => httpTool(`record_deals_${at}`)))
    const build = await seedBuild(env, skills, [], tools)
    const later = await seedBuild(env, skills, [], [...tools, await httpTool('brand_new')])
    const reached: string[] = []
    let index = build
    const model = new ScriptedModel((request) => {
      if (answersSince(request) > 1) return DONE
      if (answersSince(request) === 0)
        return {
          content: [load('l', 'modern'), use('s', 'tool_search', { query: 'select:record_deals_1' })],
        }
      index = later
      return { content: [use('b', 'call_tool', { name: 'record_deals_1', input: { id: 'x' } })] }
    })
    const thread = new TestThread(
      {
        ...speaks(model),
        liveCatalog: async () => ok({ version: index === build ? 1 : 2, index, used: null }),
        toolNet:
          () =>
          async ({ url }) => {
            reached.push(url)
            return ok({ status: 200, headers: {}, body: utf8('Found.'), cut: false, url })
          },
      },
      { ...ANN, workspace: 'policy' },
    )
    await thread.ended((await thread.start('Go on.', { build })).run_id)
    expect(reached).toEqual([])
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain(
      "Tool 'record_deals_1' is not allowed by the active skill policy",
    )
  })
})
