// Promise: skills:push writes nothing into stores that a running server uses, and says what to do instead. Otherwise it
// sends everything that is missing, once.

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { recordServer, release } from '../../scripts/lib/state-file.ts'
import { finished, put, ROOT, script, temporary } from './satchel.ts'

let state: string
beforeEach(() => {
  state = temporary()
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

const push = async (...args: string[]): ReturnType<typeof finished> =>
  finished(script('push-skills.ts', ['--persist-to', state, ...args]))

test('pushes nothing while a server uses the folder, and everything once afterwards', async () => {
  recordServer(state, 8_799, null)
  const beside = await push()
  expect(beside.status, beside.out).toBe(1)
  expect(beside.out).toContain(
    `Satchel is running on ${state} (process ${process.pid}, http://127.0.0.1:8799)`,
  )
  expect(beside.out).toContain('npm run skills:publish -- DIR --url http://127.0.0.1:8799')
  expect(existsSync(join(state, 'v3'))).toBe(false)
  release(state)
  expect((await push()).out).toMatch(/^local: [1-9]\d* objects to R2 .*, [1-9]\d* entries to KV/m)
  expect((await push()).out).toMatch(/^local: 0 objects to R2 \(0 bytes\), 0 entries to KV/m)
})

test('pushes nothing while it is unknown whether a server uses the folder', async () => {
  put(join(state, 'satchel.pid'), '')
  const { status, out } = await push()
  expect(status, out).toBe(1)
  expect(out).toContain('satchel.pid is damaged')
  expect(existsSync(join(state, 'v3'))).toBe(false)
})

test('with --json, errors found before publishing are JSON too', async () => {
  const args = [join(state, 'nowhere'), '--json', '--url', 'http://127.0.0.1:9', '--key', 'unused']
  const { status, out } = await finished(script('publish-skills.ts', args))
  expect(status, out).toBe(1)
  const json: unknown = JSON.parse(out.slice(out.indexOf('{'), out.lastIndexOf('}') + 1))
  expect(json).toEqual({ published: false, errors: [expect.stringContaining('does not exist')] })
})

test('reports a missing folder and pushes nothing', async () => {
  const { status, out } = await push('--skills', join(state, 'nowhere'))
  expect(status).toBe(2)
  expect(out).toContain('nowhere: This folder does not exist.')
  expect(existsSync(join(state, 'v3'))).toBe(false)
})

test('skills:match says which folders it searched, and why a skill cannot be found', async () => {
  put(join(state, 'bad/SKILL.md'), 'No header.')
  const { status, out } = await finished(script('match-skills.ts', ['postmortem', '--skills', state]))
  expect(status, out).toBe(0)
  expect(out).toMatch(/^1\. incident-report /m)
  expect(out).toContain('bad/SKILL.md:1: error frontmatter-missing')
  expect(out).toMatch(/^Searched: \d+ skills in skills, .*satchel-e2e-\w+, as they are on this disk\.$/m)
  const json = await finished(
    script('match-skills.ts', ['postmortem', '--skills', join(ROOT, 'skills'), '--json']),
  )
  expect(JSON.parse(json.out)).toHaveProperty('data.0.skill.name', 'incident-report')
})
