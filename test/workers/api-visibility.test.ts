// Promise 5: one function decides who may know of a skill, for every route to it: the prompt, a notice, loading,
// reading, listing, searching, slash calls and the list of skills. Each route is checked against one table.

import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/agent/model.ts'
import { textOf } from '../../src/agent/message.ts'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { requested, chat, got, makeKey, modelReplies, send } from './api-fixture.ts'
import { seedBuild, type SeedSkill } from './seed-build.ts'

const files = { 'references/a.md': 'The reference.' }
const SKILLS: readonly SeedSkill[] = [
  { name: 'plain', fields: { dependencies: '[helper]' }, files },
  { name: 'helper', files },
  { name: 'quiet', fields: { 'user-invocable': 'false' }, files },
  { name: 'by-hand', fields: { 'disable-model-invocation': 'true' }, files },
  { name: 'off', enabled: false, files },
  { name: 'far-off', enabled: false, files },
  { name: 'other', files },
]
/** Enough skills that the prompt cannot describe them all and the model is given the search. */
const FILLERS: readonly SeedSkill[] = Array.from({ length: 90 }, (_, at) => ({
  name: `z-filler-${at}`,
  description: `Use for ${'work of another kind, '.repeat(12)}number ${at}.`,
}))
const ALLOW = ['plain', 'quiet', 'by-hand', 'off', ...FILLERS.map(({ name }) => name)]

/** Who may know of each skill: models and people without a list, models and people with one. */
const TABLE = {
  plain: [true, true, true, true],
  helper: [true, true, true, true], // because "plain" builds on it
  quiet: [true, false, true, false],
  'by-hand': [false, true, false, true],
  off: [false, false, false, false],
  other: [true, true, false, false],
} as const
const NAMES = Object.keys(TABLE) as (keyof typeof TABLE)[] // the keys as they are written above

function expected(column: 0 | 1 | 2 | 3): readonly string[] {
  return NAMES.filter((name) => TABLE[name][column])
}

const root = (name: string): string => `/mnt/skills/public/${name}`
const WAYS = {
  load: (name: string) => ({ name: 'load_skill', input: { name } }),
  read: (name: string) => ({ name: 'read_file', input: { path: `${root(name)}/references/a.md` } }),
  'read by a link': (name: string) => ({
    name: 'read_file',
    input: { path: `${root('plain')}/../${name}/SKILL.md` },
  }),
  ls: (name: string) => ({ name: 'ls', input: { path: root(name) } }),
  glob: (name: string) => ({ name: 'glob', input: { pattern: `${root(name)}/**` } }),
  grep: (name: string) => ({ name: 'grep', input: { pattern: '.', path: root(name) } }),
} as const

let key = ''

const builds = new Map<string, string>()

/** Makes these skills the built-in ones. An identical build is not built again. */
async function serve(skills: readonly SeedSkill[]): Promise<void> {
  const made = JSON.stringify(skills)
  const digest = builds.get(made) ?? (await seedBuild(env, skills))
  builds.set(made, digest)
  servePushedBuild(digest)
}

beforeAll(async () => {
  await serve([...SKILLS, ...FILLERS])
  key = (await makeKey('chat')).key
})

/** The results of calls that the model makes in one step, in order. */
async function results(
  body: object,
  calls: readonly { readonly name: string; readonly input: object }[],
): Promise<readonly { readonly content: string; readonly is_error: boolean }[]> {
  const isResult = (request: ModelRequest): boolean =>
    request.messages.at(-1)?.content[0]?.type === 'tool_result'
  modelReplies((request) => (isResult(request) ? { text: 'Done.' } : { calls }))
  await chat(body, { key })
  const content = requested.at(-1)?.messages.at(-1)?.content ?? []
  return content.map((block) => ({ content: String(block['content']), is_error: block['is_error'] === true }))
}

describe.each([
  ['without a list', {}, 0, 1],
  ['with a list', { skills: { allow: ALLOW } }, 2, 3],
] as const)('a thread %s', (_, skills, forModels, forPeople) => {
  const seen = expected(forModels)

  it('names in its prompt the skills that it may know', async () => {
    modelReplies()
    await chat({ message: 'Hello', ...skills }, { key })
    const system = requested[0]?.system ?? ''
    expect(NAMES.filter((name) => new RegExp(`\\b${name}\\b(?!-)`).test(listOf(system)))).toEqual(seen)
  })

  it.each(Object.entries(WAYS))('%s', async (_way, call) => {
    const answers = await results(
      { message: 'Go.', ...skills },
      NAMES.map((name) => call(name)),
    )
    expect(NAMES.filter((_name, at) => answers[at]?.is_error === false)).toEqual(seen)
    // Suggestions do not reveal names either.
    for (const [at, answer] of answers.entries())
      for (const hidden of NAMES.filter((name) => !seen.includes(name) && name !== NAMES[at]))
        expect(answer.content).not.toMatch(new RegExp(`\\b${hidden}\\b`))
  })

  it('search', async () => {
    const [answer] = await results({ message: 'Go.', ...skills }, [
      { name: 'search_skills', input: { query: `select:${NAMES.join(',')}` } },
    ])
    expect(requested[0]?.tools.map((tool) => tool.name)).toEqual([
      'load_skill',
      'search_skills',
      'read_file',
      'ls',
      'glob',
      'grep',
      'write_file',
      'str_replace',
      'bash',
      'present_files',
      'view_image',
      'web_fetch',
      'ask_clarification',
      'search_thread',
    ])
    expect(NAMES.filter((name) => answer?.content.includes(`## Skill: ${name}\n`))).toEqual(seen)
  })

  it('a disabled skill is reported as such to callers whose list includes it, however its path is written', async () => {
    for (const name of ['off', 'far-off']) {
      const paths = [`${root(name)}/SKILL.md`, `${root('plain')}/../${name}/SKILL.md`, `../${name}/SKILL.md`]
      const [load, ...reads] = await results({ message: 'Go.', ...skills }, [
        WAYS.load(name),
        ...paths.map((path) => ({ name: 'read_file', input: { path } })),
      ])
      const reported = name === 'off' || forModels === 0
      expect(load?.content.includes('switched off')).toBe(reported)
      expect(reads).toHaveLength(3)
      for (const read of reads) {
        expect(read.is_error).toBe(true)
        if (reported) expect(read).toEqual(load)
        else expect(read.content).not.toContain('switched off')
      }
    }
  })

  it('a path as written in the loaded skill is that of its file', async () => {
    modelReplies((request) => {
      const step = request.messages.filter(({ role }) => role === 'assistant').length
      if (step === 0) return { calls: [WAYS.load('plain')] }
      if (step > 1) return { text: 'Done.' }
      return { calls: [{ name: 'read_file', input: { path: 'references/a.md' } }] }
    })
    const { thread } = await chat({ message: 'Go.', ...skills }, { key })
    const read = (): unknown => requested.at(-1)?.messages.at(-1)?.content[0]?.['content']
    expect(read()).toBe('The reference.')

    // The instructions are still in the next run's prompt.
    let calls = 0
    modelReplies(() =>
      calls++ === 0
        ? { calls: [{ name: 'read_file', input: { path: 'references/a.md' } }] }
        : { text: 'Done.' },
    )
    await chat({ message: 'Again.', thread_id: thread }, { key })
    expect(read()).toBe('The reference.')
  })

  it('ls of all', async () => {
    const [answer] = await results({ message: 'Go.', ...skills }, [
      { name: 'ls', input: { path: '/mnt/skills/public' } },
    ])
    const names = answer?.content.split('\n').map((line) => line.replace(/\/$/, '')) ?? []
    expect(NAMES.filter((name) => names.includes(name))).toEqual(seen)
  })

  it('glob and grep of all', async () => {
    const answers = await results({ message: 'Go.', ...skills }, [
      { name: 'glob', input: { pattern: '/mnt/skills/**' } },
      { name: 'grep', input: { pattern: '^name:', path: '/mnt/skills/public' } },
    ])
    for (const { content } of answers)
      expect(NAMES.filter((name) => content.includes(`${root(name)}/SKILL.md`))).toEqual(seen)
  })

  it('slash', async () => {
    modelReplies()
    const may: string[] = []
    for (const name of NAMES) {
      const body = { message: `/${name} it`, stream: false, ...skills }
      const response = await send('POST /v1/chat', { key, body })
      await response.text()
      if (response.status === 200) may.push(name)
    }
    expect(may).toEqual(expected(forPeople))
  })

  it('a notice', async () => {
    modelReplies()
    await serve(FILLERS)
    const { thread } = await chat({ message: 'Hello', ...skills }, { key })
    await serve([...SKILLS, ...FILLERS])
    await chat({ message: 'Hello', thread_id: thread }, { key })
    const message = requested.at(-1)?.messages.at(-1)
    const notice = message ? textOf(message) : ''
    expect(NAMES.filter((name) => notice.includes(`Now available: ${name}:`))).toEqual(seen)
    await serve([{ name: 'plain', enabled: false }, ...SKILLS.slice(1), ...FILLERS])
    await chat({ message: 'Hello', thread_id: thread }, { key })
    const last = requested.at(-1)?.messages.at(-1)
    const gone = NAMES.filter((name) => last && textOf(last).includes(`do not use it: ${name}\n`))
    // A skill that is visible only because "plain" builds on it disappears with it.
    expect(gone).toEqual(forModels === 0 ? ['plain'] : ['plain', 'helper'])
    await serve([...SKILLS, ...FILLERS])
  })
})

/** The block of skills in a system prompt. */
function listOf(system: string): string {
  return /<available_skills>[\s\S]*<\/available_skills>/.exec(system)?.[0] ?? ''
}

it('match', async () => {
  const found: string[] = []
  for (const name of NAMES) {
    const body = { text: `+${name}` }
    const { data } = await got<{ data: { skill: { name: string } }[] }>(
      send('POST /v1/skills/match', { key, body }),
    )
    if (data.some(({ skill }) => skill.name === name)) found.push(name)
  }
  expect(found).toEqual(expected(0))
})

it('the search exists only when the prompt does not describe every skill, even after that changed', async () => {
  modelReplies()
  await serve(SKILLS)
  const created = await chat({ message: 'Hello' }, { key })
  await serve([...SKILLS, ...FILLERS])
  const later = await chat({ message: 'Hello' }, { key })
  await chat({ message: 'Hello', thread_id: created.thread }, { key })
  await serve(SKILLS)
  await chat({ message: 'Hello', thread_id: later.thread }, { key })
  const has = requested.map(({ system, tools }) => [
    system.includes('search_skills'),
    tools.some((tool) => tool.name === 'search_skills'),
  ])
  expect(has).toEqual([
    [false, false],
    [true, true],
    [false, false],
    [true, true],
  ])
  // A run can call only the tools with which its thread was created.
  const isResult = (request: ModelRequest): boolean =>
    request.messages.at(-1)?.content[0]?.type === 'tool_result'
  modelReplies((request) =>
    isResult(request)
      ? { text: 'Done.' }
      : { calls: [{ name: 'search_skills', input: { query: 'select:other' } }] },
  )
  for (const thread_id of [created.thread, later.thread]) await chat({ message: 'Go.', thread_id }, { key })
  const answers = requested
    .filter(isResult)
    .map((request) => String(request.messages.at(-1)?.content[0]?.['content']))
  expect(answers).toEqual([
    expect.stringContaining('There is no tool named search_skills'),
    expect.stringContaining('## Skill: other'),
  ])
  await serve([...SKILLS, ...FILLERS])
})

it('GET /v1/skills', async () => {
  const { data } = await got<{ data: { name: string }[] }>(send('GET /v1/skills?limit=100', { key }))
  expect(NAMES.filter((name) => data.some((skill) => skill.name === name))).toEqual(expected(0))
  const may: string[] = []
  for (const name of NAMES) {
    const response = await send(`GET /v1/skills/${name}`, { key })
    await response.text()
    if (response.status === 200) may.push(name)
  }
  expect(may).toEqual(expected(0))
})
