// Promise: the same skills give the same lock file, a damaged one is never silently replaced, and nothing that a person
// changed is overwritten without their consent.

import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { decideVerdict, type SkillState } from '../../../scripts/add/verdict.ts'
import {
  folderName,
  lockText,
  parseLock,
  readLock,
  writeLock,
  type LockEntry,
} from '../../../scripts/add/lock.ts'
import { installSkills, installedSkill } from '../../../scripts/add/install.ts'
import { recoverInstallation } from '../../../scripts/add/recover.ts'
import { utf8 } from '../../../src/lib/bytes.ts'

const sha = (digit: string): string => digit.repeat(64)

function entry(digest: string, files: Record<string, string> = { 'SKILL.md': sha('a') }): LockEntry {
  return { source: 'acme/tools', ref: null, commit: 'c'.repeat(40), path: 'skills/x', digest, files }
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'satchel-lock-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('the text is sorted, ends with a line break and can be read back unchanged', () => {
  const files = { 'b.md': sha('b'), 'SKILL.md': sha('a') }
  const lock = new Map([
    ['zeta', entry(sha('1'))],
    ['alpha', entry(sha('2'), files)],
  ])
  const text = lockText(lock)
  expect(text).toBe(lockText(new Map([...lock].toReversed())))
  expect(text.endsWith('}\n')).toBe(true)
  expect(text.indexOf('alpha')).toBeLessThan(text.indexOf('zeta'))
  expect(text.indexOf('SKILL.md')).toBeLessThan(text.indexOf('b.md'))
  const back = parseLock(text)
  expect(back.ok && Object.fromEntries(back.value)).toEqual(Object.fromEntries(lock))
})

test('writing the same content touches nothing', async () => {
  const lock = new Map([['alpha', entry(sha('2'))]])
  await writeLock(folder, lock)
  const before = await stat(join(folder, 'skills-lock.json'))
  await writeLock(folder, lock)
  expect((await stat(join(folder, 'skills-lock.json'))).mtimeMs).toBe(before.mtimeMs)
  expect(await readdir(folder)).toEqual(['skills-lock.json'])
})

test.each([
  ['<<<<<<< HEAD', /not valid JSON/],
  ['{}', /version/],
  ['{"version":2,"skills":{}}', /version/],
  [JSON.stringify({ version: 1, skills: { '../x': entry(sha('1')) } }), /name or paths/],
  [JSON.stringify({ version: 1, skills: { x: entry(sha('1'), { '../up': sha('a') }) } }), /name or paths/],
  [
    JSON.stringify({ version: 1, skills: { x: { ...entry(sha('1')), path: 'a/../..' } } }),
    /may not contain \.\./,
  ],
  [JSON.stringify({ version: 1, skills: { x: entry('short') } }), /sha-256/],
])('a damaged lock is named, not replaced: %s', async (text, why) => {
  await writeFile(join(folder, 'skills-lock.json'), text)
  const read = await readLock(folder)
  expect(read.ok ? '' : read.error).toMatch(why)
  expect(await readFile(join(folder, 'skills-lock.json'), 'utf8')).toBe(text)
})

test('a missing lock is an empty one', async () => {
  expect(await readLock(folder)).toEqual({ ok: true, value: new Map() })
})

const [OLD, NEW, EDIT] = [sha('1'), sha('2'), sha('3')]

function situation(
  lock: string | null,
  /** 'odd': something that is not a skill. */
  disk: string | null,
  flags: Partial<SkillState> = {},
  source = 'acme/tools',
): SkillState {
  return {
    lock: lock === null ? null : { digest: lock, source: 'acme/tools' },
    disk: disk === null ? null : { digest: disk === 'odd' ? null : disk },
    incoming: { digest: NEW, source },
    update: false,
    force: false,
    ...flags,
  }
}

test.each([
  ['not there', situation(null, null), 'new'],
  ['deleted here, unchanged there', situation(NEW, null), 'restored'],
  ['the same', situation(NEW, NEW), 'same'],
  ['the same, not locked yet', situation(null, NEW), 'same'],
  ['edited to the new content', situation(OLD, NEW), 'same'],
  ['changed there', situation(OLD, OLD), /--update/],
  ['changed there, deleted here', situation(OLD, null), /--update/],
  ['changed there, update', situation(OLD, OLD, { update: true }), 'updated'],
  ['edited here', situation(NEW, EDIT), /edited.*--force/],
  ['edited here, update', situation(OLD, EDIT, { update: true }), /edited.*--force/],
  ['edited here, force', situation(OLD, EDIT, { force: true }), 'overwritten'],
  ['a folder of the project', situation(null, EDIT), /not added.*--force/],
  ['something else in its place', situation(null, 'odd'), /not added.*--force/],
  ['another source', situation(OLD, OLD, {}, 'evil/tools'), /added from acme\/tools.*--force/],
  [
    'another source, update',
    situation(OLD, OLD, { update: true }, 'evil/tools'),
    /from evil\/tools; pass --force/,
  ],
  ['another source of the same bytes', situation(NEW, NEW, {}, 'evil/tools'), /added from acme\/tools/],
  ['another source, deleted here', situation(NEW, null, {}, 'evil/tools'), /added from acme\/tools/],
  ['another source, force', situation(OLD, OLD, { force: true }, 'evil/tools'), 'updated'],
])('%s', (_, given, wanted) => {
  const verdict = decideVerdict(given)
  const output = verdict.action === 'refuse' ? verdict.reason : verdict.label
  if (typeof wanted === 'string') expect(output).toBe(wanted)
  else expect(output).toMatch(wanted)
})

test.each([
  ['pdf-tools', 'pdf-tools'],
  ['PDF Tools', 'pdf-tools'],
  ['../../etc', 'etc'],
  ['.git', 'git'],
  ['über', 'ber'],
  ['日本', 'unnamed-skill'],
])('the folder of %s is %s', (name, wanted) => {
  expect(folderName(name)).toBe(wanted)
  expect(folderName(folderName(name))).toBe(folderName(name))
})

const skill = (text: string, more: Record<string, string> = {}): Map<string, Uint8Array<ArrayBuffer>> =>
  new Map(Object.entries({ 'SKILL.md': text, ...more }).map(([path, content]) => [path, utf8(content)]))

test('skills are placed whole; files of the previous version are deleted', async () => {
  await installSkills(folder, [{ folder: 'x', files: skill('one', { 'a/b.md': 'deep' }) }])
  await installSkills(folder, [{ folder: 'x', files: skill('two') }])
  expect(await readFile(join(folder, 'x/SKILL.md'), 'utf8')).toBe('two')
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(['x', 'x/SKILL.md'])
})

test('when one skill cannot be placed, the earlier ones are restored', async () => {
  await installSkills(folder, [{ folder: 'x', files: skill('one') }])
  const broken = new Map([...skill('two'), ['SKILL.md/inside.md', utf8('a file below a file')]])
  await expect(
    installSkills(folder, [
      { folder: 'x', files: skill('two') },
      { folder: 'new', files: skill('new') },
      { folder: 'y', files: broken },
    ]),
  ).rejects.toThrow()
  expect(await readFile(join(folder, 'x/SKILL.md'), 'utf8')).toBe('one')
  expect(await readdir(folder)).toEqual(['x'])
})

test('a previous version that cannot be moved back is kept and named', async () => {
  await installSkills(folder, [{ folder: 'x', files: skill('mine') }])
  let moves = 0
  const placing = installSkills(folder, [{ folder: 'x', files: skill('theirs') }], {
    move: async (from, to) => {
      // The first move takes the existing skill away; from then on every move fails.
      if (++moves > 1) throw new Error('the disk is gone')
      await rename(from, to)
    },
  })
  const output = await placing.then(String, (error: unknown) => String(error))
  const [staging = ''] = await readdir(folder)
  const kept = join(folder, staging, 'old/x')
  expect(await readFile(join(kept, 'SKILL.md'), 'utf8')).toBe('mine')
  expect(output).toContain(`${join(folder, 'x')} is now ${kept}`)
})

test('folders of an interrupted installation are moved back, and none of them is deleted', async () => {
  const staging = join(folder, '.adding-abc123')
  for (const name of ['lost', 'kept']) {
    await mkdir(join(staging, 'old', name), { recursive: true })
    await writeFile(join(staging, 'old', name, 'SKILL.md'), 'mine')
  }
  await mkdir(join(staging, 'new/lost'), { recursive: true })
  await mkdir(join(folder, 'kept'))
  const running = `.adding-${process.pid}-abc123`
  await mkdir(join(folder, running, 'old/busy'), { recursive: true })
  expect(await recoverInstallation(folder)).toEqual([
    expect.stringContaining(`Your earlier folder is ${join(staging, 'old/kept')}`),
    expect.stringContaining(`Moved ${join(folder, 'lost')} back`),
  ])
  expect(await readFile(join(folder, 'lost/SKILL.md'), 'utf8')).toBe('mine')
  expect((await readdir(folder)).toSorted()).toEqual([running, '.adding-abc123', 'kept', 'lost'].toSorted())
  await rm(join(folder, 'kept'), { recursive: true })
  expect(await recoverInstallation(folder)).toHaveLength(1)
  expect((await readdir(folder)).toSorted()).toEqual([running, 'kept', 'lost'])
  expect(await recoverInstallation(join(folder, 'none'))).toEqual([])
})

test('a failure after the moves undoes them', async () => {
  await installSkills(folder, [{ folder: 'x', files: skill('mine') }])
  const both = ['x', 'new'].map((name) => ({ folder: name, files: skill('theirs') }))
  const beforeCommit = async (): Promise<void> => Promise.reject(new Error('no lock'))
  await expect(installSkills(folder, both, { beforeCommit })).rejects.toThrow('no lock')
  expect(await readFile(join(folder, 'x/SKILL.md'), 'utf8')).toBe('mine')
  expect(await readdir(folder)).toEqual(['x'])
})

test('something else in the place of a skill is named, and a link does not count as a skill', async () => {
  await installSkills(folder, [{ folder: 'x', files: skill('one') }])
  const there = await installedSkill(folder, 'x')
  expect(there?.digest).toMatch(/^[0-9a-f]{64}$/)
  expect(await installedSkill(folder, 'nothing')).toBeNull()
  await symlink(join(folder, 'x'), join(folder, 'link'))
  await mkdir(join(folder, 'empty'))
  expect(await installedSkill(folder, 'link')).toEqual({ digest: null })
  expect(await installedSkill(folder, 'empty')).toEqual({ digest: null })
})
