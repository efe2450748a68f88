// Promise: when publishing fails between its parts, the messages say which parts are published and which may be.

import { expect, test } from 'vitest'

import { publishSkills } from '../../../scripts/publish/publish.ts'
import { memoryBlob } from '../../../scripts/skill-folders/blob.ts'
import { COMMIT_FILES_MAX } from '../../../src/api/routes/limits.ts'
import { Client } from '../../../src/client/client.ts'

const FILES = Array.from({ length: COMMIT_FILES_MAX }, (_, at) => ({
  path: `${at}.md`,
  sha256: 'a'.repeat(64),
  blob: memoryBlob(new Uint8Array()),
}))
const STALE = { code: 'stale_version', status: 412, detail: 'Another version is live.' }

type Answer = readonly [status: number, body: object] | 'lost'

/** Publishes `count` skills that each fill a part. `answers` are those to the commits. Returns what was printed. */
async function published(
  count: number,
  answers: readonly Answer[],
): Promise<[outcome: object, text: string]> {
  const skills = Array.from({ length: count }, (_, at) => ({
    location: `s${at}`,
    fileLocation: (file: string) => `s${at}/${file}`,
    name: `s${at}`,
    files: FILES,
    accept: [],
    findings: [],
  }))
  const left = [...answers]
  const trial = {
    catalog_version: 1,
    skills: [{ skill: { name: 's', digest: 'd' }, findings: [], diff: [] }],
  }
  const fetch = async (url: string): Promise<Response> => {
    if (url.endsWith('/plan')) return Response.json({ missing: [] })
    if (url.endsWith('?dry_run=1')) return Response.json({ ...trial, unpublished: [] })
    const answer = left.shift() ?? 'lost'
    if (answer === 'lost') throw new Error('the connection was reset')
    return Response.json(answer[1], {
      status: answer[0],
      headers: { 'Content-Type': answer[0] < 400 ? 'application/json' : 'application/problem+json' },
    })
  }
  const url = 'http://satchel.test'
  const client = new Client({ url, key: 'k', fetch, wait: async () => {} })
  const text: string[] = []
  const print = (line: string): void => void text.push(line)
  const outcome = await publishSkills(
    skills,
    { unpublish: [], note: null, yes: true, dryRun: false, diff: false, notes: false },
    { client, url, say: print, complain: print, ask: null },
  )
  return [outcome, text.join('\n')]
}

const DONE: Answer = [200, { catalog_version: 2, skills: [], unpublished: [] }]

test('a conflict in a later part says that the earlier ones are published', async () => {
  const [outcome, text] = await published(3, [DONE, [412, STALE]])
  expect(outcome).toMatchObject({ status: 1, published: true })
  expect(text).toContain('Nothing more was changed')
  expect(text).toContain('1 of 3 parts are published; run')
  expect(text).not.toContain('unknown')
  expect((await published(2, [[412, STALE]]))[1]).toContain('Nothing was changed')
})

test('without a response to a part it is unknown whether it is published', async () => {
  const [, text] = await published(3, [DONE])
  expect(text).toContain('1 of 3 parts are published. It is unknown whether part 2 was published')
  expect((await published(1, []))[1]).toContain('\nIt is unknown whether this was published')
})
