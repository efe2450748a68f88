// Promise: the check refuses what publishing refuses, in every form; nothing of a folder is dropped silently; and
// credential files neither leave the machine nor are accepted by the server.

import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeBuild } from '../../../scripts/build/build.ts'
import { checkAll } from '../../../scripts/check-skills/check.ts'
import { skillsAt } from '../../../scripts/check-skills/unchecked.ts'
import { gather } from '../../../scripts/publish/gather.ts'
import { utf8 } from '../../../src/lib/bytes.ts'
import { SKILL_MAX_BYTES, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../../src/limits/skills.ts'
import { credentialFile } from '../../../src/skills/format/credential-files.ts'
import { skillFolder } from '../../../src/skills/package/skill-folder.ts'
import { folderWith, TEA } from './skill-text.ts'
import { HANG_GUARD } from '../hang-guard.ts'

/** `severity rule file` of each finding. */
async function checked(root: string): Promise<readonly string[]> {
  const found = await skillsAt(root)
  if (!found.ok) throw new Error(found.error)
  const skills = await checkAll(found.value.skills, () => {})
  return skills.flatMap(({ findings }) =>
    findings.map(({ severity, rule, file }) => `${severity} ${rule} ${file}`),
  )
}

/** The errors of publishing, without the path of this machine. */
async function published(root: string): Promise<readonly string[]> {
  const { errors } = await gather([root])
  return errors.map((error) => error.slice(root.length + '/tea/'.length))
}

async function tea(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const inside = Object.entries(files).map(([path, content]) => [`tea/${path}`, content])
  return folderWith({ 'tea/SKILL.md': TEA, ...Object.fromEntries(inside) })
}

async function large(root: string, file: string, bytes: number): Promise<void> {
  await writeFile(join(root, 'tea', file), '')
  await truncate(join(root, 'tea', file), bytes)
}

describe('an invalid entry is refused by the check and by publishing, and only omitted from a build:', () => {
  test('a file that is too large', async () => {
    const root = await tea()
    await large(root, 'a.bin', SKILL_FILE_MAX_BYTES + 1)
    expect(await checked(root)).toEqual(['error file-too-large a.bin'])
    expect(await published(root)).toEqual([
      expect.stringMatching(
        /^a\.bin: error file-too-large: The file has 8388609 bytes; the limit is 8388608\. Make it smaller/,
      ),
    ])
    const { skills, build } = await makeBuild([root], false)
    expect(skills[0]?.findings).toMatchObject([{ rule: 'file-too-large', severity: 'warning' }])
    expect(build.index.skills).toMatchObject([{ files: 1 }])
  })

  test('too many files', async () => {
    const root = await tea(
      Object.fromEntries(Array.from({ length: SKILL_FILES_MAX }, (_, at) => [`${at}.md`, 'x'])),
    )
    expect(await checked(root)).toEqual([expect.stringMatching(/^error too-many-files /)])
    expect(await published(root)).toHaveLength(1)
  })

  test('files that are too large together', async () => {
    const root = await tea()
    const each = SKILL_FILE_MAX_BYTES
    for (let at = 0; at <= SKILL_MAX_BYTES / each; at++) await large(root, `${at}.bin`, each)
    expect(await published(root)).toEqual([expect.stringMatching(/With this file the skill would exceed/)])
  })

  test('a link, and a path that no archive could hold', async () => {
    const root = await tea({ 'a:b.md': 'x' })
    await symlink('/etc/hosts', join(root, 'tea/hosts.txt'))
    expect(await checked(root)).toEqual(['error path-refused SKILL.md', 'error not-a-file hosts.txt'])
    expect(await published(root)).toHaveLength(2)
    const { skills } = await makeBuild([root], false)
    expect(skills[0]?.findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
      'warning path-refused',
      'note not-a-file',
    ])
  })
})

describe('a link that stays inside the skill', () => {
  test('to a file is that file, in the check and in a build', async () => {
    const root = await tea({ 'references/a.md': 'text\n' })
    await symlink('references/a.md', join(root, 'tea/AGENTS.md'))
    expect(await checked(root)).toEqual([])
    const { build } = await makeBuild([root], false)
    expect(build.index.skills.map(({ files }) => files)).toEqual([3])
  })

  test('to a folder, or in a circle, is never followed; to credentials or out of the skill, refused', async () => {
    const root = await tea({ 'references/a.md': 'text\n', '.env': 'A=1' })
    await symlink('references', join(root, 'tea/docs'))
    await symlink('..', join(root, 'tea/references/up'))
    await symlink('loop', join(root, 'tea/loop'))
    await symlink('.env', join(root, 'tea/env.txt'))
    await symlink('../../etc/hosts', join(root, 'tea/out.txt'))
    expect(await checked(root)).toEqual([
      'error package-hidden-sensitive-file .env',
      'note not-a-file docs',
      'error not-a-file env.txt',
      'error not-a-file loop',
      'error not-a-file out.txt',
      'error not-a-file references/up',
    ])
  })
})

describe('hidden entries', () => {
  test('are omitted with a note each, except files of file managers', async () => {
    const root = await tea({
      '.gitignore': 'x',
      '.github/a.yml': 'x',
      '.github/deep/b.yml': 'x',
      'references/.hidden.md': 'x',
      'scripts/__pycache__/a.pyc': 'x',
      '.DS_Store': 'x',
      '._SKILL.md': 'x',
      '.env.example': 'KEY=',
    })
    const notes = [
      'note hidden-left-out .env.example',
      'note hidden-left-out .github',
      'note hidden-left-out .gitignore',
      'note hidden-left-out references/.hidden.md',
      'note cache-left-out scripts/__pycache__',
    ]
    expect(await checked(root)).toEqual(notes)
    const { skills, errors } = await gather([root])
    expect(errors).toEqual([])
    expect(skills[0]?.files.map(({ path }) => path)).toEqual(['SKILL.md'])
    const output = skills[0]?.findings.map(({ severity, rule, file }) => `${severity} ${rule} ${file}`)
    expect(new Set(output)).toEqual(new Set(notes))
    const built = await makeBuild([root], false)
    expect(built.skills[0]?.findings).toEqual([])
  })

  test.each([
    ['.env', '.env', 'package-hidden-sensitive-file'],
    ['scripts/.env.production', 'scripts/.env.production', 'package-hidden-sensitive-file'],
    ['.aws/credentials', '.aws/credentials', 'package-hidden-sensitive-file'],
    ['.home/.ssh/id_ed25519', '.home/.ssh/id_ed25519', 'package-hidden-sensitive-file'],
    ['keys/id_rsa', 'keys/id_rsa', 'package-hidden-sensitive-file'],
    ['sub/.git/objects/aa/bb', 'sub/.git', 'package-git-directory'],
  ])('such as %s are refused in a folder and in an archive', async (path, named, rule) => {
    const root = await tea({ [path]: 'x' })
    expect(await checked(root)).toEqual([`error ${rule} ${named}`])
    const errors = await published(root)
    expect(errors).toEqual([expect.stringContaining(`${named}: `)])
    for (const prefix of ['', 'tea/']) {
      const sent = skillFolder(
        new Map([`${prefix}SKILL.md`, `${prefix}${path}`].map((name) => [name, utf8('x')])),
      )
      expect(sent).toMatchObject({ ok: false, error: { errors: [{ path: `${prefix}${named}` }] } })
    }
  })

  test('that are the repository of the folder itself are not sent, and an archive may not contain one', async () => {
    const root = await tea({ '.git/config': 'x' })
    expect(await checked(root)).toEqual(['note hidden-left-out .git'])
    const sent = skillFolder(new Map(['SKILL.md', '.git/config'].map((name) => [name, utf8('x')])))
    expect(sent).toMatchObject({ ok: false, error: { errors: [{ path: '.git' }] } })
  })

  test('beside the one folder of an archive are omitted, and credentials refused', () => {
    const sent = (path: string) =>
      skillFolder(new Map(['tea/SKILL.md', path].map((name) => [name, utf8('x')])))
    expect(sent('.env')).toMatchObject({
      ok: false,
      error: { code: 'invalid_skill', errors: [{ path: '.env' }] },
    })
    expect(sent('.gitignore').ok).toBe(true)
  })
})

test('a build omits a key, with a warning', async () => {
  const { skills, build } = await makeBuild([await tea({ 'keys/id_rsa': 'x' })], false)
  expect(build.index.skills).toMatchObject([{ files: 1 }])
  expect(skills[0]?.findings).toMatchObject([
    { rule: 'package-hidden-sensitive-file', severity: 'warning', file: 'keys/id_rsa' },
  ])
})

// A user who may read everything can list it.
test.skipIf(process.getuid?.() === 0)(
  'a folder that cannot be listed is an error of publishing',
  async () => {
    const root = await tea()
    await mkdir(join(root, 'tea/locked'), { mode: 0o000 })
    expect(await checked(root)).toEqual(['error file-unreadable locked'])
    await rm(join(root, 'tea/locked'), { recursive: true })
  },
)

test.each([
  ['.env', true],
  ['.ENV', true],
  ['.env.local', true],
  ['a/.env.test', true],
  ['.env.example', false],
  ['.env.local.sample', false],
  ['.env.template', false],
  ['.envrc', false],
  ['env.md', false],
  ['x.env', false],
  ['.npmrc', true],
  ['a/.pypirc', true],
  ['.netrc', true],
  ['_netrc', true],
  ['.git-credentials', true],
  ['id_rsa', true],
  ['id_ecdsa_sk', true],
  ['id_rsa.pub', false],
  ['my_id_rsa', false],
  ['.env.dist', false],
  ['.env.example.txt', false],
  ['.env.local', true],
  ['.aws/credentials', true],
  ['.aws/config', false],
  ['references/credentials.md', false],
  ['.git', true],
  ['a/.git/HEAD', true],
  ['.gitignore', false],
  ['.github/a.yml', false],
])('%s is for credentials: %s', (path, expected) => {
  expect(credentialFile(path) !== null).toBe(expected)
})

test('a path of half a million folders is judged', HANG_GUARD, () => {
  expect(credentialFile(`${'.env/'.repeat(500_000)}x`)).toBeNull()
})
