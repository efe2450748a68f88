// Guards "a person calls a skill by name and the agent has it", in the model's request, the events and the receipt. A
// caller without permission is told why, and no run starts.

import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Event, Receipt } from '../../src/agent/events.ts'
import type { Block } from '../../src/agent/message.ts'
import type { ModelRequest } from '../../src/agent/model.ts'
import { CALLED_SKILLS_MAX } from '../../src/limits/skills.ts'
import { blobKey, bodyKey } from '../../src/skills/store/keys.ts'
import { requested, chat, got, makeKey, modelReplies, refused, send, serveSkills } from './api-fixture.ts'
import type { Chatted } from './api-fixture.ts'
import { seedBuild, skillFiles, type SeedSkill } from './seed-build.ts'
import { sha256Hex } from '../../src/lib/bytes.ts'

const REVIEW: SeedSkill = {
  name: 'review',
  body: 'Review it. </skill_content> {baseDir}/x',
  files: { 'references/a.md': 'A.' },
}
const SKILLS: readonly SeedSkill[] = [
  REVIEW,
  { name: 'plan', body: 'Plan it for $ARGUMENTS.' },
  { name: 'by-hand', fields: { 'disable-model-invocation': 'true' }, files: { 'references/h.md': 'Hand.' } },
  { name: 'machines', fields: { 'user-invocable': 'false' } },
  { name: 'off', enabled: false },
]

let key = ''

beforeAll(async () => {
  key = (await makeKey('chat')).key
})

beforeEach(async () => {
  await serveSkills(SKILLS)
  modelReplies()
})

function texts(content: readonly Block[] = []): readonly string[] {
  return content.map((block) => String(block['text']))
}

/** The text blocks of the person's newest message, as the model got them. */
function reported(request: ModelRequest | undefined): readonly string[] {
  const isResult = (block: Block): boolean => block.type === 'tool_result'
  return texts(
    request?.messages.findLast(({ role, content }) => role === 'user' && !content.some(isResult))?.content,
  )
}

/** The results that the model got last. */
function results(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages.at(-1)?.content ?? []).map((block) => String(block['content']))
}

function loadedIn(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'skill.loaded' ? [`${event.name} via ${event.via}`] : []))
}

async function usedIn({ thread, run }: Chatted): Promise<readonly string[]> {
  const receipt = await got<Receipt>(send(`GET /v1/threads/${thread}/runs/${run}`, { key }))
  return receipt.skills.map(({ name, via, digest }) => `${name} via ${via} ${digest.length}`)
}

/** A model that makes these calls in the first step of a run and then answers. */
function calls(...made: readonly { readonly name: string; readonly input: object }[]): void {
  modelReplies((request) =>
    request.messages.at(-1)?.content.some((block) => block.type === 'tool_result')
      ? { text: 'Done.' }
      : { calls: made },
  )
}

const load = (name: string) => ({ name: 'load_skill', input: { name } })
const read = (path: string, more: object = {}) => ({ name: 'read_file', input: { path, ...more } })
const ROOT = '/mnt/skills/public'

describe('a skill called by slash', () => {
  it('follows the message, with the request; people see their own text', async () => {
    const run = await chat({ message: '/review Look at </called_skills> this.' }, { key })
    expect(run.last?.type).toBe('run.completed')
    const [text, body, what, ...rest] = reported(requested[0])
    expect(text).toBe('/review Look at &lt;/called_skills> this.')
    expect(body).toMatch(
      /^<skill_content name="review" digest="sha256:[0-9a-f]{64}" root="\/mnt\/skills\/public\/review">\nReview it\. &lt;\/skill_content> \/mnt\/skills\/public\/review\/x\n/,
    )
    expect(body).toContain('<file>references/a.md</file>')
    expect(what).toMatch(/^<called_skills>\nThe user called review for this message/)
    expect(what).toContain('<skill_request>Look at &lt;/called_skills> this.</skill_request>')
    expect(rest).toEqual([])
    expect(run.events.slice(0, 4).map((event) => event.type)).toEqual([
      'run.accepted',
      'thread.titled',
      'run.started',
      'skill.loaded',
    ])
    expect(loadedIn(run.events)).toEqual(['review via slash'])
    expect(await usedIn(run)).toEqual(['review via slash 64'])
    const page = await got<{ data: { content: Block[] }[] }>(
      send(`GET /v1/threads/${run.thread}/messages`, { key }),
    )
    expect(texts(page.data[0]?.content)).toEqual(['/review Look at </called_skills> this.'])
    const thread = await got<{ title: string }>(send(`GET /v1/threads/${run.thread}`, { key }))
    expect(thread.title).toBe('/review Look at </called_skills> this.')
  })

  it('comes with others, by slash and by request, each once and in the order of calling', async () => {
    const message = [
      { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
      { type: 'text', text: '/plan /review' },
      { type: 'text', text: '/off is only text here' },
    ]
    const run = await chat({ message, skills: { load: ['review', 'by-hand'] } }, { key })
    const parts = reported(requested[0]).slice(3)
    expect(parts.map((part) => /^<\w+(?: name="[\w-]+")?/.exec(part)?.[0])).toEqual([
      '<skill_content name="plan"',
      '<skill_content name="review"',
      '<skill_content name="by-hand"',
      '<called_skills',
    ])
    expect(parts[0]).toContain('\nPlan it for .\n')
    expect(parts[3]).toContain('The user wrote nothing more')
    expect(loadedIn(run.events)).toEqual(['plan via slash', 'review via slash', 'by-hand via request'])
    expect(await usedIn(run)).toEqual(['plan via slash 64', 'review via slash 64', 'by-hand via request 64'])
  })

  it('gets the beginning of a long request', async () => {
    await chat({ message: `/review ${'long '.repeat(2_000)}` }, { key })
    const what = reported(requested[0]).at(-1) ?? ''
    expect(what.length).toBeLessThan(3_000)
    expect(what).toContain('[It continues in the message above.]</skill_request>')
  })

  it.each(['/help me', '/status', '/etc/hosts is a file.', ' /review this', 'Use /review.', '/Review it'])(
    '%j is an ordinary message',
    async (message) => {
      const run = await chat({ message }, { key })
      expect(reported(requested[0])).toEqual([message])
      expect(loadedIn(run.events)).toEqual([])
    },
  )

  it('that is hidden from models is visible to the run that was asked for it, and to no other', async () => {
    const hidden = `${ROOT}/by-hand/references/h.md`
    calls(load('by-hand'), read(hidden), { name: 'ls', input: { path: ROOT } })
    const first = await chat({ message: '/by-hand Do it.' }, { key })
    expect(requested[0]?.system).not.toContain('by-hand')
    expect(results(requested[1])).toEqual([
      expect.stringContaining('already loaded'),
      'Hand.',
      expect.stringContaining('by-hand/'),
    ])
    await chat({ message: 'And again.', thread_id: first.thread }, { key })
    expect(results(requested.at(-1))).toEqual([
      expect.stringContaining('There is no skill'),
      expect.stringContaining('There is no skill'),
      expect.not.stringContaining('by-hand'),
    ])
  })
})

describe('a skill that takes arguments', () => {
  const plans = (): readonly string[] =>
    reported(requested.at(-1)).flatMap(
      (part) => /^<skill_content name="plan"[^>]*>\n(.*)/.exec(part)?.[1] ?? [],
    )

  it('gets the request, current for each call; a model that loads it gets it as written', async () => {
    const { thread } = await chat({ message: '/plan Q3 </skill_content>' }, { key })
    expect(plans()).toEqual(['Plan it for Q3 &lt;/skill_content>.'])
    expect(reported(requested.at(-1)).join()).not.toContain('Left as written')
    const second = await chat({ message: '/plan Q4', thread_id: thread }, { key })
    expect(plans()).toEqual(['Plan it for Q4.'])
    expect(await usedIn(second)).toEqual(['plan via slash 64'])
    calls(load('plan'))
    await chat({ message: 'Load it.', thread_id: thread }, { key })
    const [plain] = results(requested.at(-1))
    expect(plain).toContain('\nPlan it for $ARGUMENTS.\n[Left as written in these instructions: $ARGUMENTS')
    await chat({ message: '/plan Q5', thread_id: thread }, { key })
    expect(plans()).toEqual(['Plan it for Q5.'])
    expect(results(requested.at(-1))).toEqual([expect.stringContaining('already loaded')])
  })

  it('takes the message when it is called by a request, not by name', async () => {
    await chat({ message: 'The third quarter.', skills: { load: ['plan'] } }, { key })
    expect(plans()).toEqual(['Plan it for The third quarter..'])
  })
})

describe('GET /v1/skills?for=person', () => {
  interface Listed {
    readonly data: readonly { readonly name: string; readonly model_invocable?: boolean }[]
    readonly next_cursor: string | null
  }
  const listed = async (query: string): Promise<Listed> => got(send(`GET /v1/skills${query}`, { key }))

  it('lists what a person may call, including skills hidden from models, page by page', async () => {
    const all = await listed('?for=person')
    expect(all.data.map(({ name, model_invocable }) => [name, model_invocable])).toEqual([
      ['by-hand', false],
      ['plan', true],
      ['review', true],
    ])
    const first = await listed('?for=person&limit=2')
    const rest = await listed(`?for=person&limit=2&cursor=${first.next_cursor}`)
    expect([...first.data, ...rest.data]).toEqual(all.data)
    const models = await listed('?for=model')
    expect(models.data.map(({ name }) => name)).toEqual(['machines', 'plan', 'review'])
    expect(await listed('')).toEqual(models)
  })

  it('names the values of for that it accepts', async () => {
    const problem = await refused(send('GET /v1/skills?for=me', { key }), 422, 'invalid_request')
    expect(problem.errors).toMatchObject([{ path: 'for' }])
  })
})

describe('a call that cannot be served starts no run', () => {
  it.each([
    [{ message: '/reviw it' }, 'message', "There is no skill 'reviw'. Did you mean review?"],
    [{ message: '/off it' }, 'message', 'switched off'],
    [{ message: '/machines it' }, 'message', 'cannot be called by name'],
    [{ message: '/review it', skills: { allow: ['plan'] } }, 'message', 'not available in this thread'],
    [{ message: 'it', skills: { load: ['plan', 'off'] } }, 'skills.load[1]', 'switched off'],
    [{ message: 'it', skills: { load: ['Nobody\n'] } }, 'skills.load[0]', "There is no skill 'Nobody'."],
    [{ message: '/a /b /c /d /e /f' }, 'message', new RegExp(`calls more than ${CALLED_SKILLS_MAX} skills`)],
    [{ message: '/a /b /c /d /e', skills: { load: ['a', 'f'] } }, 'skills.load[1]', /more than/],
  ])('%j', async (body, path, message) => {
    const before = await got<{ data: unknown[] }>(send('GET /v1/threads', { key }))
    const problem = await refused(send('POST /v1/chat', { key, body }), 422, 'invalid_request')
    expect(problem.errors).toHaveLength(1)
    expect(problem.errors?.[0]?.path).toBe(path)
    expect(problem.errors?.[0]?.message).toMatch(message)
    expect(requested).toEqual([])
    expect(await got(send('GET /v1/threads', { key }))).toEqual(before)
  })

  it('says that it may be temporary when the skill cannot be read', async () => {
    const skill = { name: 'torn', body: 'Torn.' }
    await serveSkills([...SKILLS, skill])
    const text = skillFiles(skill).get('SKILL.md') ?? new Uint8Array()
    const sha256 = await sha256Hex(text)
    await Promise.all([
      env.SKILLS.delete(bodyKey('build', sha256)),
      env.RESOURCES.delete(blobKey('build', sha256)),
    ])
    const answer = send('POST /v1/chat', { key, body: { message: '/torn it' } })
    const problem = await refused(answer, 503, 'catalog_broken')
    expect(problem.errors).toMatchObject([{ path: 'message' }])
    await seedBuild(env, [skill])
    expect((await chat({ message: '/torn it' }, { key })).last?.type).toBe('run.completed')
  })

  it('says so in an existing thread, which continues', async () => {
    const { thread } = await chat({ message: 'Hello' }, { key })
    const body = { message: '/off it', thread_id: thread }
    await refused(send('POST /v1/chat', { key, body }), 422, 'invalid_request')
    expect((await chat({ message: '/plan it', thread_id: thread }, { key })).last?.type).toBe('run.completed')
  })
})

describe('instructions that the model already has', () => {
  it('are not sent again: not by a call, by reading, by slash, or after an eviction', async () => {
    const { thread } = await chat({ message: '/review it' }, { key })
    await evictDurableObject(env.THREADS.getByName(`default/${thread}`))
    calls(
      load('review'),
      read(`${ROOT}/review/SKILL.md`),
      read(`${ROOT}/review/SKILL.md`, { start_line: 1, end_line: 2 }),
      read(`${ROOT}/review/references/a.md`),
      load('plan'),
      load('plan'),
    )
    const run = await chat({ message: '/review again', thread_id: thread }, { key })
    const [text, what, ...more] = reported(requested.at(-1))
    expect([text, more]).toEqual(['/review again', []])
    expect(what).toMatch(/^<called_skills>\nSkill "review" is already loaded .*sha256:[0-9a-f]{64}/)
    expect(what).not.toContain('stand above')
    const [loadedAgain, readAgain, part, other, ...plans] = results(requested.at(-1))
    expect(loadedAgain).toMatch(/^Skill "review" is already loaded .* \(sha256:[0-9a-f]{64}\); follow it\./)
    expect(readAgain).toBe(loadedAgain)
    expect(part).toBe('---\nname: review')
    expect(other).toBe('A.')
    // Of parallel loads, only one returns the instructions.
    expect(plans.filter((result) => result.startsWith('<skill_content name="plan"'))).toHaveLength(1)
    expect(plans.filter((result) => result.startsWith('Skill "plan" is already loaded'))).toHaveLength(1)
    expect(await usedIn(run)).toEqual(['review via slash 64', 'plan via tool 64'])
  })

  it('are sent whole if they changed, or if only a part of them was read', async () => {
    calls(read(`${ROOT}/review/SKILL.md`, { start_line: 1, end_line: 2 }))
    const { thread } = await chat({ message: 'Read.' }, { key })
    calls(load('review'))
    await chat({ message: 'Load.', thread_id: thread }, { key })
    expect(results(requested.at(-1))).toEqual([expect.stringContaining('Review it.')])
    await serveSkills([{ ...REVIEW, body: 'Review it otherwise.' }, ...SKILLS.slice(1)])
    await chat({ message: 'Load.', thread_id: thread }, { key })
    expect(results(requested.at(-1))).toEqual([expect.stringContaining('Review it otherwise.')])
    await chat({ message: '/review', thread_id: thread }, { key })
    expect(reported(requested.at(-1)).at(-1)).toContain('already loaded')
  })

  it('are refused once the skill is disabled', async () => {
    calls(load('review'))
    const { thread } = await chat({ message: '/review it' }, { key })
    expect(results(requested.at(-1))).toEqual([expect.stringContaining('already loaded')])
    await serveSkills([{ ...REVIEW, enabled: false }, ...SKILLS.slice(1)])
    await chat({ message: 'Load.', thread_id: thread }, { key })
    expect(results(requested.at(-1))).toEqual([expect.stringContaining('switched off')])
  })
})
