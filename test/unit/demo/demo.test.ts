// Promise: without a key the demo model answers: it picks a skill by its words, loads it, reads the references that it
// names, and answers from them in readable text.

import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/agent/message.ts'
import type { ApiMessage, Block } from '../../../src/agent/message.ts'
import type { ModelRequest } from '../../../src/agent/model.ts'
import { demoFetch } from '../../../src/demo/demo.ts'
import { demoModel } from '../../../src/model/demo-model.ts'
import { bestSkill } from '../../../src/demo/similarity.ts'
import { REQUEST, callOnce, messageOf } from '../model/helpers.ts'
import type { Whole } from '../model/helpers.ts'

const SKILLS = [
  ['incident-report', 'Write incident reports and postmortems after an outage, with timeline and causes.'],
  ['data-analysis', 'Analyse CSV files: clean the data, compute statistics, chart the results.'],
  ['code-review', 'Review a pull request for bugs, security &amp; style.'],
] as const

const SYSTEM = `You are Satchel.\n<available_skills>\n${SKILLS.map(
  ([name, description]) => `<skill>
<name>${name}</name>
<description>${description}</description>
<location>/mnt/skills/public/${name}/SKILL.md</location>
<label>[built-in]</label>
</skill>`,
).join('\n')}\n</available_skills>`

const TOOLS = ['load_skill', 'read_file', 'ls'].map((name) => ({
  name,
  description: name,
  input_schema: { type: 'object' as const },
}))

const BODY = `<skill_content name="incident-report" digest="sha256:00" root="/mnt/skills/public/incident-report">
# Incident report
Use references/severity.md for the level and references/timeline.md for the order; references/gone.md is no more.
## 1. Gather the facts
1. Ask who noticed it, and when
2. Collect the alerts
<skill_resources>
<file>references/severity.md</file>
<file>references/timeline.md</file>
<file>references/unnamed.md</file>
</skill_resources>
</skill_content>`

const say = (...texts: string[]): ApiMessage => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
})

/** A conversation with the demo model; `tools` answers its calls. */
function talk(
  tools: (name: string, input: unknown) => { readonly content: string; readonly is_error?: boolean },
) {
  const model = demoModel()
  let messages: readonly ApiMessage[] = []
  const calls: string[] = []
  const step = async (message: ApiMessage, more: Partial<ModelRequest> = {}): Promise<Whole> => {
    messages = [...messages, message]
    const output = await callOnce(model, { ...REQUEST, system: SYSTEM, tools: TOOLS, messages, ...more })
    const whole = messageOf(output.outcome)
    messages = [...messages, { role: 'assistant', content: whole.content }]
    return whole
  }
  const ask = async (message: ApiMessage, more: Partial<ModelRequest> = {}): Promise<string> => {
    let whole = await step(message, more)
    for (let round = 0; whole.stop === 'tool_use' && round < 5; round++) {
      const uses = whole.content.filter((block) => block.type === 'tool_use')
      calls.push(uses.map((use) => `${String(use['name'])} ${JSON.stringify(use['input'])}`).join(' + '))
      const results = uses.map((use): Block => {
        const result = tools(String(use['name']), use['input'])
        return { type: 'tool_result', tool_use_id: use['id'], is_error: false, ...result }
      })
      whole = await step({ role: 'user', content: results }, more)
    }
    return textOf({ role: 'assistant', content: whole.content })
  }
  return { ask, calls }
}

const library = (name: string, input: unknown): { content: string } =>
  name === 'load_skill'
    ? { content: BODY }
    : { content: `# About ${JSON.stringify(input)}\n## Levels one to four` }

describe('demo model', () => {
  it('loads the matching skill, reads both references it names at once, and answers from them', async () => {
    const { ask, calls } = talk(library)
    const answer = await ask(say('We had an outage last night, please write the postmortem.'))
    const root = '/mnt/skills/public/incident-report/references'
    expect(calls).toEqual([
      'load_skill {"name":"incident-report"}',
      `read_file {"path":"${root}/severity.md"} + read_file {"path":"${root}/timeline.md"}`,
    ])
    expect(answer).toContain('\n1. Gather the facts')
    expect(answer).toContain('**Gather the facts** begins like this:\n\n- Ask who noticed it, and when\n')
    expect(answer).toContain('Levels one to four')
    expect(answer).not.toMatch(/- \d+\.|\/mnt\/|demo model|ANTHROPIC_API_KEY/)
  })

  it.each(['Hi!', 'What is the capital of France?', 'Thanks, bye'])(
    'loads nothing for "%s"',
    async (text) => {
      const { ask, calls } = talk(library)
      const answer = await ask(say(text))
      expect(calls).toEqual([])
      for (const [name] of SKILLS) expect(answer).toContain(name)
      expect(answer).toContain('demo model')
    },
  )

  const searching = { tools: [...TOOLS, { ...TOOLS[0], name: 'search_skills' }] } as Partial<ModelRequest>

  it('searches if no listed skill matches and the list is incomplete, and loads what it finds', async () => {
    const { ask, calls } = talk((name, input) =>
      name === 'search_skills'
        ? { content: '## Skill: incident-report\n- Description: for the day after\n\n## Skill: other' }
        : library(name, input),
    )
    const answer = await ask(say('Was ist gestern passiert?'), searching)
    expect(calls.slice(0, 2)).toEqual([
      'search_skills {"query":"Was ist gestern passiert?"}',
      'load_skill {"name":"incident-report"}',
    ])
    expect(answer).toContain('Gather the facts')
  })

  it('searches once, and says when nothing was found', async () => {
    const { ask, calls } = talk(() => ({ content: 'No skills matched: x' }))
    expect(await ask(say('Was ist gestern passiert?'), searching)).toContain('None of my skills')
    expect(calls).toHaveLength(1)
  })

  it('tells why a skill could not be loaded', async () => {
    const refuse = (): { content: string; is_error: boolean } => ({
      content: 'The skill incident-report is switched off.',
      is_error: true,
    })
    const { ask, calls } = talk(refuse)
    expect(await ask(say('Write an incident report'))).toContain('is switched off')
    expect(calls).toHaveLength(1)
  })

  it('tells which reference could not be read and answers from the rest', async () => {
    const { ask } = talk((name, input) =>
      name === 'load_skill'
        ? { content: BODY }
        : { content: `No file ${JSON.stringify(input)}`, is_error: true },
    )
    const answer = await ask(say('Write an incident report'))
    expect(answer).toContain('severity.md could not be read')
    expect(answer).toContain('Gather the facts')
  })

  it('quotes whole sentences without formatting, folders and code, and no step that only introduces a list', async () => {
    const body = `<skill_content name="incident-report" root="/s">\n# Report\n\nIt **serves** a reader who
was not there.\n\n## Read first\n\n- Read \`/mnt/user-data/uploads/a.log\` and
  [the levels](references/levels.md). Pick one:\n- Then:\n\n\`\`\`sh\n- not this\n\`\`\`\n</skill_content>`
    const { ask } = talk(() => ({ content: body }))
    const answer = await ask(say('Write an incident report'))
    expect(answer).toContain('\n\n> It serves a reader who was not there.\n\n')
    expect(answer).toContain('**Read first** begins like this:\n\n- Read a.log and the levels.')
    expect(answer).not.toMatch(/Then|not this/)
  })

  it('uses a body that came with the message, and ignores the notices around it', async () => {
    const { ask, calls } = talk(library)
    await ask(say('Do the usual.', BODY, '<skills_notice>\nNothing.\n</skills_notice>'))
    expect(calls).toHaveLength(1)
    expect(calls[0]).toContain('read_file')
  })

  it('uses the body it has when loading it again returns only a note', async () => {
    let loads = 0
    const { ask } = talk((name, input) => {
      if (name === 'load_skill' && loads++ > 0) return { content: 'incident-report stands above already.' }
      return library(name, input)
    })
    await ask(say('Write an incident report'))
    expect(await ask(say('Now another incident report'))).toContain('Gather the facts')
  })

  it('learns from a notice what was added and removed', async () => {
    const { ask, calls } = talk(() => ({ content: 'plain' }))
    const notice = `<skills_notice>\nNow available: tea-brewing: Brew tea &amp; serve it.\nNo longer available, do not use it: code-review\n</skills_notice>`
    await ask(say('Please brew some tea', notice))
    expect(calls).toEqual(['load_skill {"name":"tea-brewing"}'])
    expect(await ask(say('Use code-review'))).toContain('tea-brewing')
    expect(calls).toHaveLength(1)
  })

  it('answers at once when tools are forbidden', async () => {
    const { ask, calls } = talk(library)
    expect(await ask(say('Write an incident report'), { forbidTools: true })).toContain(
      'may not call any tools',
    )
    expect(calls).toEqual([])
  })

  it('streams in small pieces, costs nothing and repeats itself exactly', async () => {
    const request = { ...REQUEST, system: SYSTEM, tools: TOOLS, messages: [say('Write an incident report')] }
    const once = await callOnce(demoModel(), request)
    expect(once.deltas.length).toBeGreaterThan(5)
    expect(messageOf(once.outcome).usage).toMatchObject({ cache_read_input_tokens: 0 })
    expect(await callOnce(demoModel(), request)).toEqual(once)
  })

  it('gives the calls of different steps different IDs', async () => {
    const ids = new Set<unknown>()
    const before = [say('Hello'), { role: 'assistant' as const, content: [{ type: 'text', text: 'Hello.' }] }]
    for (const earlier of [[], before]) {
      const messages = [...earlier, say('Write an incident report')]
      const request = { ...REQUEST, system: SYSTEM, tools: TOOLS, messages }
      const { content } = messageOf((await callOnce(demoModel(), request)).outcome)
      for (const block of content) if (block.type === 'tool_use') ids.add(block['id'])
    }
    expect(ids.size).toBe(2)
  })

  it('handles a request of any shape', async () => {
    for (const odd of [
      { messages: 7 },
      { messages: [null, { role: 'user', content: [3] }], system: {} },
      {},
    ]) {
      const body = JSON.stringify({ stream: true, ...odd })
      const response = await demoFetch('http://demo.invalid/v1/messages', { method: 'POST', body })
      expect(await response.text()).toContain('message_stop')
    }
  })
})

describe('bestSkill', () => {
  const cards = SKILLS.map(([name, description]) => ({
    name,
    description,
    tags: name === 'data-analysis' ? 'csv' : '',
    location: '',
  }))
  it.each([
    ['Can you analyze sales.csv?', 'data-analysis'],
    ['reviewing my pull requests', 'code-review'],
    ['There is a csv here', 'data-analysis'],
    ['There is a statistic here', null],
    ['use incident-report', 'incident-report'],
    ['Please write a poem about the results of a storm', null],
    ['', null],
  ])('picks for "%s": %s', (question, name) => {
    expect(bestSkill(question, cards)?.name ?? null).toBe(name)
  })
})
