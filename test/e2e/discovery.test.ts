// Promise: skills:add adds a shared skill of a running Satchel like one from any other source, verified and locked by
// digest, into a folder or into another Satchel. A skill that is no longer shared is refused.

import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'

import { finished, script, startSatchel, temporary } from './satchel.ts'
import { sharedSatchel } from './shared.ts'

const List = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      url: z.string(),
      digest: z.string(),
      description: z.string(),
    }),
  ),
})

const SKILL_MD = '---\nname: handover\ndescription: Use for handovers.\n---\n\nRead `references/a b.md`.\n'
const FILES = { 'SKILL.md': SKILL_MD, 'references/a b.md': 'Über A.\r\n', 'scripts/run.py': 'print(1)\n' }
const NOTE = { 'SKILL.md': '---\nname: note\ndescription: Use for notes.\n---\n\nOne line.\n' }

const satchel = sharedSatchel()
let into: string

beforeAll(async () => {
  for (const files of [FILES, NOTE]) await done('POST', '/admin/skills', { files })
  for (const name of ['handover', 'note']) await done('PATCH', `/admin/skills/${name}`, { shareable: true })
})
beforeEach(() => {
  into = temporary()
})
afterEach(() => rmSync(into, { recursive: true, force: true }))

async function done(method: string, path: string, body?: object): Promise<void> {
  const answer = await satchel.client.json(method, path, body)
  expect(answer.ok, `${method} ${path} ${JSON.stringify(answer)}`).toBe(true)
}

function add(...args: readonly string[]): ReturnType<typeof finished> {
  return finished(script('add-skills.ts', [...args, '--yes'], { NO_COLOR: '1' }))
}

test('skills:add fetches shared skills, verifies their digests, and locks them', async () => {
  const list = await add(satchel.url, '--list', '--into', into)
  expect(list.out).toContain('handover')
  expect(list.out).not.toContain('code-review')
  const ran = await add(satchel.url, '--all', '--into', into)
  expect(ran, ran.out).toMatchObject({ status: 0 })
  for (const [path, text] of Object.entries(FILES))
    expect(readFileSync(join(into, 'handover', path), 'utf8')).toBe(text)
  expect(readFileSync(join(into, 'note/SKILL.md'), 'utf8')).toBe(NOTE['SKILL.md'])
  const lock: unknown = JSON.parse(readFileSync(join(into, 'skills-lock.json'), 'utf8'))
  expect(lock).toMatchObject({
    skills: { handover: { source: `${satchel.url}/` }, note: { source: `${satchel.url}/` } },
  })
  rmSync(join(into, 'handover'), { recursive: true })
  expect((await add('--into', into)).status).toBe(0)
  expect(readFileSync(join(into, 'handover/SKILL.md'), 'utf8')).toBe(SKILL_MD)
})

test('HTTP responses match the digests of the index', async () => {
  const index = await fetch(`${satchel.url}/.well-known/agent-skills/index.json`)
  expect(index.headers.get('Content-Type')).toBe('application/json')
  const { skills } = List.parse(await index.json())
  expect(skills.map(({ name, type }) => [name, type])).toEqual([
    ['handover', 'archive'],
    ['note', 'skill-md'],
  ])
  for (const { url, digest } of skills) {
    const artifact = await fetch(new URL(url, index.url))
    const bytes = new Uint8Array(await artifact.arrayBuffer())
    expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest)
    const head = await fetch(new URL(url, index.url), { method: 'HEAD' })
    expect([head.status, head.headers.get('Content-Type')]).toEqual([
      200,
      artifact.headers.get('Content-Type'),
    ])
  }
})

test('--to passes a shared skill on to another Satchel, byte for byte', async () => {
  const other = await startSatchel()
  try {
    const ran = await add(satchel.url, '--skill', 'handover', '--to', other.url)
    expect(ran, ran.out).toMatchObject({ status: 0 })
    const there = await other.client.json('GET', '/admin/skills/handover')
    const here = await satchel.client.json('GET', '/admin/skills/handover')
    const digests = z.object({ value: z.object({ body: z.object({ digest: z.string() }) }) })
    expect(digests.parse(there).value.body.digest).toBe(digests.parse(here).value.body.digest)
  } finally {
    await other.stop()
  }
})

test('a skill that is no longer shared is not added, and its 0.1.0 URL returns 404', async () => {
  const file = `${satchel.url}/.well-known/skills/note/SKILL.md`
  expect((await fetch(file)).status).toBe(200)
  await done('PATCH', '/admin/skills/note', { shareable: false })
  try {
    expect((await fetch(file)).status).toBe(404)
    const ran = await add(satchel.url, '--skill', 'note', '--into', into)
    expect(ran, ran.out).toMatchObject({ status: 1 })
  } finally {
    await done('PATCH', '/admin/skills/note', { shareable: true })
  }
})
