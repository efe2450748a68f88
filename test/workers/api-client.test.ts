// Guards that the typed client matches the routes, for everything that the page and the terminal do with threads and
// skills.

import { beforeAll, beforeEach, expect, it } from 'vitest'
import { Client } from '../../src/client/client.ts'
import { listCallableSkills, listModels, readSkill, readSkillFile } from '../../src/client/skills.ts'
import * as threads from '../../src/client/threads.ts'
import type { ClientFailure } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import { finished, makeKey, modelReplies, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

let client: Client
let ann = ''

beforeAll(async () => {
  await serveSkills([
    { name: 'alpha', body: 'Do it well.', fields: { 'argument-hint': '"[file]"' } },
    { name: 'beta', files: { 'notes/a b.md': 'A note.' } },
  ])
  ann = (await makeKey('chat', 'ann')).key
  client = new Client({
    url: 'http://api.test',
    key: ann,
    fetch: (url, init) =>
      send(`${init?.method ?? 'GET'} ${url.replace('http://api.test', '')}`, {
        key: null,
        // The fixture sets the content type itself.
        headers: Object.fromEntries(
          [...new Headers(init?.headers)].filter(([name]) => name !== 'content-type'),
        ),
        ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      }),
    wait: async () => undefined,
  })
})

beforeEach(() => modelReplies())

async function of<T>(answer: Promise<Result<T, ClientFailure>>): Promise<T> {
  const result = await answer
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

it('reads, names, forks and deletes a thread', async () => {
  const { thread, run } = await finished(ann, 'Hello')
  expect((await of(threads.listThreads(client, { limit: 1 }))).data.map(({ id }) => id)).toEqual([thread])
  expect(await of(threads.renameThread(client, thread, 'Mine'))).toMatchObject({ title: 'Mine' })
  const output = await of(threads.listMessages(client, thread))
  expect(output.data.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect((await of(threads.listReceipts(client, thread))).data).toEqual([
    await of(threads.readReceipt(client, thread, run)),
  ])
  expect(await of(threads.cancelRun(client, thread, run))).toMatchObject({ status: 'completed' })
  const first = output.data[0]?.id ?? ''
  const made = await of(threads.forkThread(client, thread, first, 'once'))
  expect(await of(threads.forkThread(client, thread, first, 'once'))).toBe(made)
  expect(await of(threads.readThread(client, made))).toMatchObject({
    root: thread,
    forked_from: { thread_id: thread, message_id: first, messages: 0 },
  })
  await eventually(async () => {
    const [tree] = (await of(threads.listThreadTrees(client, { limit: 1 }))).data
    return tree?.root === thread && tree.id === made && tree.tree.count === 2
  })
  const branches = await of(threads.listBranches(client, thread))
  expect(branches.data.map(({ id }) => id).toSorted()).toEqual([made, thread].toSorted())
  expect(await of(threads.deleteThread(client, made))).toBeNull()
  expect(await threads.readThread(client, made)).toMatchObject({
    ok: false,
    error: { problem: { status: 404 } },
  })
})

it('searches', async () => {
  const { thread } = await finished(ann, 'The axolotl')
  const found = await of(threads.searchThreads(client, 'axo', { limit: 1 }))
  expect(found).toMatchObject({ data: [{ id: thread, match: { hit: 'axo' } }], next_cursor: null })
})

it('rates a run, and removes the rating', async () => {
  const { thread, run } = await finished(ann)
  expect(await of(threads.rateRun(client, thread, run, 'down', 'Too long.'))).toMatchObject({
    rating: { value: 'down', note: 'Too long.', by: 'user:ann' },
  })
  expect(await of(threads.unrateRun(client, thread, run))).toMatchObject({ rating: null })
})

it('shows skills, their files, and the models', async () => {
  expect((await of(listCallableSkills(client))).data).toMatchObject([
    { name: 'alpha', argument_hint: '[file]', model_invocable: true },
    { name: 'beta' },
  ])
  expect(await of(readSkill(client, 'alpha'))).toMatchObject({
    name: 'alpha',
    body: expect.stringContaining('Do it well.'),
  })
  const { manifest } = await of(readSkill(client, 'beta', 'person'))
  expect(manifest.map(({ path }) => path)).toContain('notes/a b.md')
  expect(new TextDecoder().decode(await of(readSkillFile(client, 'beta', 'notes/a b.md')))).toBe('A note.')
  expect((await of(listModels(client))).map(({ id }) => id)).toEqual(['demo'])
})
