// Promise: skills:add accepts the archives that people really make, such as those of the host's own tar, and flat
// skills. A problem is reported with the archive member, the paths and the sources.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { finished, md, put, script, temporary } from './satchel.ts'

let from: string
let into: string
beforeEach(() => {
  from = temporary()
  into = temporary()
})
afterEach(() => {
  for (const folder of [from, into]) rmSync(folder, { recursive: true, force: true })
})

function putAll(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) put(join(from, path), text)
}

async function add(...args: readonly string[]): ReturnType<typeof finished> {
  return finished(script('add-skills.ts', [...args, '--into', into, '--yes'], { NO_COLOR: '1' }))
}

const lock = (): unknown => JSON.parse(readFileSync(join(into, 'skills-lock.json'), 'utf8'))

test('adds every skill of a tar made by tar', async () => {
  const files: Record<string, string> = {}
  for (const [at, name] of ['one', 'two', 'three', 'four'].entries()) {
    files[`${name}/SKILL.md`] = md(name, 'word '.repeat(at * 1_500 + 200))
    for (let n = 0; n < 7; n++)
      files[`${name}/references/${n}.md`] = 'text '.repeat((at * 7_001 + n * 3_907) % 20_000)
    files[`${name}/assets/empty.txt`] = ''
  }
  putAll(files)
  execFileSync('tar', ['czf', join(into, 'all.tar.gz'), '-C', from, 'four', 'two', 'one', 'three'])
  const ran = await add(join(into, 'all.tar.gz'), '--all')
  expect(ran, ran.out).toMatchObject({ status: 0 })
  for (const [path, text] of Object.entries(files))
    expect(readFileSync(join(into, path), 'utf8') === text, path).toBe(true)
})

test('names an archive member that no skill may contain', async () => {
  writeFileSync(
    join(from, 'dotdot.zip'),
    zipSync({ 'x/SKILL.md': strToU8(md('x')), '../up.md': strToU8('x') }),
  )
  const ran = await add(join(from, 'dotdot.zip'))
  expect(ran, ran.out).toMatchObject({ status: 1, out: expect.stringMatching(/^'?\.\.\/up\.md'?: ./m) })
  expect(readdirSync(into)).toEqual([])
})

test('adds flat skills from a folder, from their own folder and from an archive, and restores them from the lock', async () => {
  putAll({ '.skills/flat.md': md('flat'), '.skills/README.md': '# about' })
  execFileSync('tar', ['czf', join(from, 'flat.tgz'), '-C', from, '.skills'])
  for (const source of [from, join(from, '.skills'), join(from, 'flat.tgz')]) {
    const ran = await add(source)
    expect(ran, ran.out).toMatchObject({ status: 0 })
    expect(readdirSync(into).toSorted()).toEqual(['flat', 'skills-lock.json'])
    expect(readdirSync(join(into, 'flat'))).toEqual(['SKILL.md'])
    rmSync(join(into, 'flat'), { recursive: true })
    const again = await add()
    expect(again, again.out).toMatchObject({ status: 0 })
    expect(readFileSync(join(into, 'flat/SKILL.md'), 'utf8')).toBe(md('flat'))
    for (const name of readdirSync(into)) rmSync(join(into, name), { recursive: true })
  }
})

test('says which of two skills with the same name was added, and how to add the other', async () => {
  putAll({ 'a/SKILL.md': md('host', 'The first.'), 'b/SKILL.md': md('host', 'The second.') })
  const first = await add(from)
  expect(first, first.out).toMatchObject({ status: 0, out: expect.stringContaining("Using 'a', not 'b'") })
  expect(lock()).toMatchObject({ skills: { host: { path: 'a' } } })
  const second = await add(from, '--skill', 'b', '--update')
  expect(second, second.out).toMatchObject({ status: 0 })
  expect(readFileSync(join(into, 'host/SKILL.md'), 'utf8')).toContain('The second.')
})

test('changes the source in the lock only with --force, and says so', async () => {
  putAll({ 'here/pdf/SKILL.md': md('pdf'), 'there/pdf/SKILL.md': md('pdf') })
  expect((await add(join(from, 'here'))).status).toBe(0)
  const before = lock()
  for (const more of [[], ['--update']]) {
    const ran = await add(join(from, 'there'), ...more)
    expect(ran, ran.out).toMatchObject({
      status: 1,
      out: expect.stringMatching(/added from .*here.*--force/),
    })
    expect(lock()).toEqual(before)
  }
  const forced = await add(join(from, 'there'), '--force')
  expect(forced, forced.out).toMatchObject({
    status: 0,
    out: expect.stringMatching(/its source in the lock is now .*there/),
  })
  expect(lock()).toMatchObject({ skills: { pdf: { source: expect.stringMatching(/there$/) } } })
})
