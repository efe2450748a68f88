// Promise: a skill that skills:add has already fetched no longer needs its source, and one that is missing at its
// source does not block others. A skill that is missing in both places is reported with what to do.

import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { finished, md, put, script, temporary } from './satchel.ts'

let folder: string
beforeEach(async () => {
  folder = temporary()
  write('source/pdf/SKILL.md', md('pdf'))
  write('source/xlsx/SKILL.md', md('xlsx'))
  const brought = await add(join(folder, 'source'), '--all')
  expect(brought, brought.out).toMatchObject({ status: 0 })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, content: string): void => put(join(folder, path), content)
const remove = (path: string): void => rmSync(join(folder, path), { recursive: true })
const text = (path: string): string => readFileSync(join(folder, path), 'utf8')

async function add(...args: readonly string[]): Promise<{ status: number | null; out: string }> {
  const position = ['--yes', '--into', join(folder, 'into')]
  return finished(script('add-skills.ts', [...args, ...position], { NO_COLOR: '1' }))
}

test('restores other skills when a locked skill is missing at its source but complete locally', async () => {
  remove('source/pdf')
  remove('into/xlsx')
  const restored = await add()
  expect(restored, restored.out).toMatchObject({
    status: 0,
    out: expect.stringContaining('same     1 skill'),
  })
  expect(text('into/xlsx/SKILL.md')).toBe(md('xlsx'))
})

test('an update reports the missing skill, keeps it, and updates the others', async () => {
  remove('source/pdf')
  write('source/xlsx/SKILL.md', md('xlsx', 'Changed.'))
  const updated = await add('--update')
  expect(updated, updated.out).toMatchObject({ status: 0, out: expect.stringContaining('pdf is no longer') })
  expect(text('into/xlsx/SKILL.md')).toContain('Changed.')
  expect(text('into/pdf/SKILL.md')).toBe(md('pdf'))
})

test('refuses a skill that is missing at its source and locally, with two ways to continue', async () => {
  remove('source/pdf')
  remove('into/pdf')
  remove('into/xlsx')
  const lost = await add()
  expect(lost).toMatchObject({
    status: 1,
    out: expect.stringMatching(/pdf is no longer.*skills-lock\.json.*--skill/),
  })
  const other = await add('--skill', 'xlsx')
  expect(other, other.out).toMatchObject({ status: 0 })
  expect(text('into/xlsx/SKILL.md')).toBe(md('xlsx'))
})

test('does not contact the source when everything matches the lock', async () => {
  renameSync(join(folder, 'source'), join(folder, 'moved'))
  const ran = await add()
  expect(ran, ran.out).toMatchObject({ status: 0, out: expect.stringContaining('same     2 skills') })
})
