// Guards "the very next run lists and loads what is live, and nothing else", as the model sees it: in the prompt of a
// new thread, in the notice to an existing thread, and in the result of load_skill.

import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/agent/model.ts'
import { textOf } from '../../src/agent/message.ts'
import { requested, chat, got, makeKey, modelReplies, publish, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import type { Chatted } from './api-fixture.ts'

let key = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  key = (await makeKey('chat')).key
})

function lastMessage(request: ModelRequest | undefined): ModelRequest['messages'][number] | undefined {
  return request?.messages.at(-1)
}

function isTool(request: ModelRequest): boolean {
  return lastMessage(request)?.content.some((block) => block.type === 'tool_result') ?? false
}

/** A model that loads "own" whatever its prompt says, and then answers. */
function loadsOwn(): void {
  modelReplies((request) =>
    isTool(request) ? { text: 'Done.' } : { calls: [{ name: 'load_skill', input: { name: 'own' } }] },
  )
}

beforeEach(loadsOwn)

interface Seen extends Chatted {
  readonly system: string
  /** The newest message in the prompt: a notice, if any, and the user's text. */
  readonly prompt: string
  /** The result of load_skill. */
  readonly loaded: string
}

async function ask(thread?: string): Promise<Seen> {
  const from = requested.length
  const done = await chat({ message: 'Do it.', ...(thread ? { thread_id: thread } : {}) }, { key })
  expect(done.last?.type).toBe('run.completed')
  const [first, second] = requested.slice(from)
  const message = lastMessage(first)
  return {
    ...done,
    system: first?.system ?? '',
    prompt: message ? textOf(message) : '',
    loaded: JSON.stringify(lastMessage(second)?.content),
  }
}

const LISTED = '<name>own</name>'
const NOTICE = '<skills_notice>'

/** The category and digest of each skill that the run loaded, from its receipt. */
async function used({ thread, run }: Seen): Promise<readonly unknown[]> {
  const receipt = await got<{ skills: { name: string; digest: string }[] }>(
    send(`GET /v1/threads/${thread}/runs/${run}`, { key }),
  )
  return receipt.skills.map(({ name, digest }) => [name, digest])
}

it('publish, chat, publish again, chat, switch off, chat, roll back, chat, unpublish, chat', async () => {
  const old = await ask()
  expect(old.system).not.toContain(LISTED)
  expect(old.loaded).toContain('There is no skill')
  expect(await used(old)).toEqual([])

  const one = await publish({ name: 'own', description: 'Our way.', body: 'First body.' })
  const first = await ask()
  expect(first.system).toContain(LISTED)
  expect(first.prompt).not.toContain(NOTICE)
  expect(first.loaded).toContain('First body.')
  expect(await used(first)).toEqual([['own', one.skill.digest]])
  const reported = await ask(old.thread)
  expect(reported.system).toBe(old.system)
  expect(reported.prompt).toMatch(/<skills_notice>[\s\S]*Now available: own: Our way\.[\s\S]*Do it\.$/)
  expect(reported.loaded).toContain('First body.')

  // A thread that never contained it would have nothing to load again.
  modelReplies(() => ({ text: 'Done.' }))
  const idle = await chat({ message: 'Hello' }, { key })
  const two = await publish({ name: 'own', description: 'Our way.', body: 'Second body.' })
  await chat({ message: 'Hello', thread_id: idle.thread }, { key })
  expect(JSON.stringify(lastMessage(requested.at(-1))?.content)).toContain('\\nChanged: own: Our way.\\n')
  loadsOwn()
  const changed = await ask(first.thread)
  expect(changed.prompt).toContain('Changed, load it again before using it: own')
  expect(changed.loaded).toContain('Second body.')
  expect(await used(changed)).toEqual([['own', two.skill.digest]])
  expect((await ask(first.thread)).prompt).toBe('Do it.')

  await got(send('PATCH /admin/skills/own', { body: { enabled: false } }))
  const without = await ask()
  expect(without.system).not.toContain(LISTED)
  expect(without.loaded).toMatch(/switched off/)
  const off = await ask(first.thread)
  expect(off.system).toBe(first.system)
  expect(off.prompt).toContain('No longer available, do not use it: own')
  expect(off.loaded).toMatch(/switched off/)
  expect(off.loaded).not.toContain('body.')
  expect([await used(without), await used(off)]).toEqual([[], []])

  await got(send('PATCH /admin/skills/own', { body: { enabled: true } }))
  await got(send('POST /admin/skills/own/rollback', { body: { to: -1 } }))
  const back = await ask()
  expect(back.system).toContain(LISTED)
  expect(back.loaded).toContain('First body.')
  expect(await used(back)).toEqual([['own', one.skill.digest]])
  const again = await ask(first.thread)
  expect(again.prompt).toContain('Now available: own')
  expect(again.loaded).toContain('First body.')

  await got(send('DELETE /admin/skills/own'))
  expect((await ask()).system).not.toContain(LISTED)
  const gone = await ask(first.thread)
  expect(gone.prompt).toContain('No longer available, do not use it: own')
  expect(gone.loaded).toContain('There is no skill')
})

it('a switch during a run applies at once, whatever the run began with', async () => {
  const gate = Promise.withResolvers<void>()
  modelReplies((request) =>
    isTool(request)
      ? { text: 'Done.' }
      : { calls: [{ name: 'load_skill', input: { name: 'late' } }], until: gate.promise },
  )
  await publish({ name: 'late', body: 'Late body.' })
  const from = requested.length
  const running = chat({ message: 'Do it.' }, { key })
  await eventually(() => requested.length > from)
  await got(send('PATCH /admin/skills/late', { body: { enabled: false } }))
  gate.resolve()
  await running
  const answer = JSON.stringify(lastMessage(requested.at(-1))?.content)
  expect(answer).toMatch(/switched off/)
  expect(answer).not.toContain('Late body.')
})

it('concurrent publishes and chats: each run names the catalog that it saw', async () => {
  modelReplies(() => ({ text: 'Done.' }))
  const before = await publish({ name: 'racing', body: 'Body 0.' })
  const runs = Array.from({ length: 6 }, async (_, at) => {
    const [published, chatted] = await Promise.all([
      publish({ name: 'racing', body: `Body ${at + 1}.` }),
      chat({ message: 'Hello' }, { key }),
    ])
    const next = await chat({ message: 'Hello' }, { key })
    const versionOf = ({ events }: Chatted): number =>
      events.flatMap((event) => (event.type === 'run.started' ? event.catalog_version : [])).at(0) ?? 0
    expect(versionOf(chatted)).toBeGreaterThanOrEqual(before.catalog_version)
    expect(versionOf(next)).toBeGreaterThanOrEqual(published.catalog_version)
  })
  await Promise.all(runs)
})
