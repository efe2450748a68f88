// Guards packing: unpacking returns the same files, equal files give equal bytes on every machine, and common tools
// accept the archives.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../../../src/lib/bytes.ts'
import { packSkill, packTarGz } from '../../../../src/skills/package/archive-pack.ts'
import { unpackArchive } from '../../../../src/skills/package/archive.ts'
import { skillFolder, type FileMap } from '../../../../src/skills/package/skill-folder.ts'

const FILES: FileMap = new Map([
  ['SKILL.md', utf8('---\nname: own\ndescription: Ours.\n---\n\nText. '.repeat(20))],
  ['references/ä ö/b.md', utf8('B')],
  ['references/a.md', utf8('A')],
  ['assets/empty', utf8('')],
  ['assets/bytes.bin', Uint8Array.from({ length: 5_000 }, (_, at) => (at * at) & 255)],
  ['assets/large.txt', utf8('Longer than what is packed at once. '.repeat(9_000))],
  ['10', utf8('A name that objects sort first.')],
])

async function tarGz(files: FileMap): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await packTarGz(files)
  if (!packed.ok) throw new Error(packed.error.detail)
  return packed.value
}

async function back(bytes: Uint8Array<ArrayBuffer>): Promise<object> {
  const files = await unpackArchive(bytes)
  const folder = files.ok ? skillFolder(files.value) : files
  if (!folder.ok) throw new Error(folder.error.detail)
  return { folder: folder.value.folder, files: Object.fromEntries(folder.value.files) }
}

describe('packing', () => {
  it('and unpacking returns the same files: a folder in .skill, none in .tar.gz', async () => {
    const files = Object.fromEntries(FILES)
    expect(await back(packSkill('own', FILES))).toEqual({ folder: 'own', files })
    expect(await back(await tarGz(FILES))).toEqual({ folder: '', files })
  })

  it('gives exactly these bytes, in whatever order the files are', async () => {
    const turned = new Map(Array.from(FILES).toReversed())
    for (const files of [FILES, turned]) {
      expect(await sha256Hex(packSkill('own', files))).toBe(
        '7a087b46cd55c776ecd1de8a04d0be9688f61b7047b600cb95cac66cdd941783',
      )
      expect(await sha256Hex(await tarGz(files))).toBe(
        '5a68beb730d9301712649bf4cd2ced797dbea6edc208b6fdb703681c4080cac4',
      )
    }
  })

  it('gives the same bytes in every time zone', () => {
    const program = `
      import { packSkill } from './src/skills/package/archive-pack.ts'
      process.stdout.write(packSkill('own', new Map([['SKILL.md', new Uint8Array(9)]])))`
    const packed = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'].map((zone) =>
      execFileSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: new URL('../../../..', import.meta.url),
        env: { ...process.env, TZ: zone },
      }).toString('hex'),
    )
    expect(new Set(packed).size).toBe(1)
  })

  it('names paths that a tar cannot hold, and holds the longest possible', async () => {
    const longest = `${'f'.repeat(155)}/${'n'.repeat(100)}`
    expect((await packTarGz(new Map([[longest, utf8('x')]]))).ok).toBe(true)
    for (const path of ['n'.repeat(101), `${'f'.repeat(156)}/n`, `f/${'ä'.repeat(51)}`])
      expect(await packTarGz(new Map([[path, utf8('x')]]))).toMatchObject({
        error: { code: 'invalid_skill', errors: [{ message: expect.stringContaining('100 bytes') }] },
      })
  })
})

describe('our archives are accepted', () => {
  let folder = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'satchel-pack-'))
    writeFileSync(join(folder, 'own.skill'), packSkill('own', FILES))
    writeFileSync(join(folder, 'own.tar.gz'), await tarGz(FILES))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (tool: string, ...args: string[]): string =>
    execFileSync(tool, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })

  function has(tool: string, ...args: string[]): boolean {
    try {
      execFileSync(tool, args, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }

  it.skipIf(!has('unzip', '-v'))('by unzip', () => {
    expect(run('unzip', '-tq', 'own.skill')).toContain('No errors detected')
    run('unzip', '-q', 'own.skill', '-d', 'unzipped')
    expect(readFileSync(join(folder, 'unzipped/own/references/ä ö/b.md'), 'utf8')).toBe('B')
  })

  it.skipIf(!has('tar', '--version'))('by tar', () => {
    const listed = run('tar', '-tzf', 'own.tar.gz', '--quoting-style=literal').trim().split('\n')
    expect(listed).toEqual(Array.from(FILES.keys()).toSorted())
  })

  it.skipIf(!has('python3', '--version'))('by Python', () => {
    const program =
      'import zipfile,tarfile;z=zipfile.ZipFile("own.skill");assert z.testzip() is None;' +
      'print(len(z.namelist()),len(tarfile.open("own.tar.gz").getnames()))'
    expect(run('python3', '-c', program).trim()).toBe('7 7')
  })
})
