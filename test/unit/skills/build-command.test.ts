// Guards the build command as people and CI call it: its output and its exit status.

import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, TEA } from './skill-text.ts'

interface Ended {
  readonly status: number
  readonly out: string
  readonly complaint: string
}

async function command(...args: string[]): Promise<Ended> {
  const script = resolve('scripts/build-skills.ts')
  return new Promise((done) => {
    execFile(process.execPath, [script, '--no-module', ...args], (error, out, complaint) => {
      done({ status: typeof error?.code === 'number' ? error.code : 0, out, complaint })
    })
  })
}

test('--help explains, with status 0', async () => {
  const { status, out } = await command('--help')
  expect(status).toBe(0)
  for (const flag of ['--skills DIR', '--strict', '--no-module', '--notes']) expect(out).toContain(flag)
})

test('a wrong argument and a missing folder end with status 2 and are named', async () => {
  expect(await command('--nonsense')).toMatchObject({
    status: 2,
    complaint: expect.stringContaining("'--nonsense'"),
  })
  expect(await command('--skills', '/not/there')).toMatchObject({
    status: 2,
    complaint: expect.stringContaining('/not/there'),
  })
})

test('the built-in skills build; an invalid foreign one fails only with --strict', async () => {
  const guests = await folderWith({ 'tea/SKILL.md': TEA, 'bad/SKILL.md': 'none' })
  const lenient = await command('--skills', guests)
  expect(lenient.status).toBe(0)
  expect(lenient.out).not.toMatch(/^tea +public/m)
  expect(lenient.out).toMatch(/^9 of 10 skills loaded, 9 live; 1 error, \d+ warnings?, \d+ notes?/m)
  expect(lenient.out).toContain(`${join(guests, 'bad/SKILL.md')}:1: error frontmatter-missing`)
  expect(lenient.out).toMatch(/build [0-9a-f]{64}$/m)
  expect((await command('--skills', guests, '--strict')).status).toBe(1)
  expect((await command('--skills', guests, '--table')).out).toMatch(/^tea +public/m)
})
