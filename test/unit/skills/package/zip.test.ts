// Guards unpacking zips: valid ones are unpacked whole, and each way to hide, lie or exceed a limit is refused by name.

import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { fromUtf8, joinBytes, utf8 } from '../../../../src/lib/bytes.ts'
import { SKILL_MAX_BYTES, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../../../src/limits/skills.ts'
import { ARCHIVE_ENTRIES_MAX } from '../../../../src/skills/package/limits.ts'
import { unpackArchive } from '../../../../src/skills/package/archive.ts'
import { extra, zipOf, type ZipMember, type ZipShape } from './archive-bytes.ts'

async function texts(bytes: Uint8Array<ArrayBuffer>): Promise<Record<string, string | null>> {
  const files = await unpackArchive(bytes)
  if (!files.ok) throw new Error(JSON.stringify(files.error))
  return Object.fromEntries(Array.from(files.value, ([path, content]) => [path, fromUtf8(content)]))
}

async function refusal(bytes: Uint8Array<ArrayBuffer>, code = 'invalid_archive') {
  const files = await unpackArchive(bytes)
  expect(files).toMatchObject({ ok: false, error: { code } })
  return files.ok ? { detail: '', errors: [] } : { errors: [], ...files.error }
}

const SKILL: ZipMember = { name: 'SKILL.md', content: 'Text.' }

describe('a valid zip', () => {
  it('is unpacked whole: stored and deflated, at the root or in a folder, with folders and comment', async () => {
    expect(
      await texts(
        zipOf(
          [
            { name: 'own/', mode: 0o040755, dosFolder: true, method: 0 },
            { name: 'own/SKILL.md', content: 'Text. '.repeat(100) },
            { name: 'own/references/ä.md', content: 'Stored.', method: 0 },
            { name: 'own/empty', content: '', method: 0 },
          ],
          { comment: 'Made by hand.' },
        ),
      ),
    ).toEqual({ 'own/SKILL.md': 'Text. '.repeat(100), 'own/references/ä.md': 'Stored.', 'own/empty': '' })
    const made = zipSync({ 'SKILL.md': utf8('x'), a: { 'b.md': [utf8('y'), { level: 0 }] } })
    expect(await texts(made)).toEqual({ 'SKILL.md': 'x', 'a/b.md': 'y' })
  })

  it.each(['signed', 'bare'] as const)('may declare the sizes after the content (%s)', async (behind) => {
    const members = [
      { ...SKILL, flags: 0x808, behind },
      { name: 'a.md', content: 'A', flags: 8, behind },
    ]
    expect(await texts(zipOf(members))).toEqual({ 'SKILL.md': 'Text.', 'a.md': 'A' })
  })

  it('may list its members in another order than they are stored', async () => {
    const members = [SKILL, { name: 'a.md', content: 'A' }]
    const offsets = [0, 30 + 8 + 7]
    const reported = members.map((member, at) => ({ ...member, central: { offset: offsets[at] ?? 0 } }))
    expect(Object.keys(await texts(zipOf(reported)))).toEqual(['SKILL.md', 'a.md'])
  })

  it('loses files of file managers, and ./ in names', async () => {
    const members = [
      { name: './SKILL.md', content: 'x' },
      { name: './/', method: 0, mode: 0o040755 },
      { name: '__MACOSX/._SKILL.md', content: 'x' },
      { name: '.DS_Store', content: 'x' },
      { name: 'a/._b.md', content: 'x' },
      { name: '.gitignore', content: 'kept' },
    ]
    expect(await texts(zipOf(members))).toEqual({ 'SKILL.md': 'x', '.gitignore': 'kept' })
  })

  it('may repeat a name in the Unicode path field, if it is the same name', async () => {
    const field = (name: string) => extra(0x7075, joinBytes([Uint8Array.of(1, 0, 0, 0, 0), utf8(name)]))
    expect(await texts(zipOf([{ ...SKILL, extra: field('SKILL.md') }]))).toEqual({ 'SKILL.md': 'Text.' })
    const { errors } = await refusal(zipOf([{ ...SKILL, extra: field('../evil.md') }]))
    expect(errors[0]?.message).toMatch(/second name/)
  })
})

describe('a member is refused by name', () => {
  const raw = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes)
  it.each<[string, ZipMember, RegExp]>([
    ['with ..', { name: '../evil.md' }, /dots/],
    ['with .. later', { name: 'a/../../evil.md' }, /dots/],
    ['with a dot segment', { name: 'a/./b.md' }, /dots/],
    ['that is absolute', { name: '/etc/passwd' }, /absolute/],
    ['on a drive', { name: 'C:/evil.md' }, /colon/],
    ['on a share', { name: '//host/share/x' }, /absolute/],
    ['of Windows', { name: 'a\\b.md' }, /backslash/],
    ['with a stream', { name: 'a.md:hidden' }, /colon/],
    ['with NUL', { name: 'a.md\0.png' }, /control/],
    ['with a control character', { name: 'a\u001Bb.md' }, /control/],
    ['with invisible characters', { name: 'a\u202Eb.md' }, /invisible/],
    ['without a name', { name: '' }, /empty/],
    ['with an empty segment', { name: 'a//b.md' }, /empty/],
    ['that is not UTF-8', { name: raw(0x61, 0xff, 0xfe) }, /UTF-8/],
    ['that is too long', { name: `a/${'x'.repeat(300)}` }, /longer/],
    ['that is too deep', { name: 'a/'.repeat(20) + 'b' }, /deeper/],
    ['a folder with ..', { name: '../../', method: 0, mode: 0o040755 }, /dots/],
    ['an omitted file with ..', { name: '__MACOSX/../../x' }, /dots/],
    ['a link', { name: 'link', content: '/etc/passwd', mode: 0o120777 }, /link/],
    ['a device', { name: 'dev', mode: 0o020666 }, /device/],
    ['a pipe', { name: 'pipe', mode: 0o010666 }, /pipe/],
    ['set to another user', { name: 'run', content: 'x', mode: 0o104755 }, /setuid/],
    ['encrypted', { name: 'a', content: 'x', flags: 0x801 }, /encrypted/],
    ['with strong encryption', { name: 'a', content: 'x', flags: 0x840 }, /encrypted/],
    ['encrypted by AES', { name: 'a', content: 'x', method: 99, extra: extra(0x9901) }, /encrypted/],
    ['a patch', { name: 'a', content: 'x', flags: 0x820 }, /patch/],
    ['compressed by bzip2', { name: 'a', content: 'x', method: 12 }, /method 12/],
    ['with ZIP64 fields', { name: 'a', content: 'x', extra: extra(1) }, /ZIP64/],
    ['with broken fields', { name: 'a', content: 'x', extra: raw(1, 2, 3) }, /damaged/],
    ['a folder with content', { name: 'a/', content: 'x', mode: 0o040755 }, /folder with content/],
    ['a file marked as a folder', { name: 'a', content: 'x', dosFolder: true }, /folder/],
    ['a file with a folder’s mode', { name: 'a', content: 'x', mode: 0o040755 }, /folder/],
    ['stored with two sizes', { name: 'a', content: 'xy', method: 0, size: 1 }, /sizes differ/],
  ])('%s', async (_, member, words) => {
    const { errors } = await refusal(zipOf([SKILL, member]))
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toMatch(words)
    expect(errors[0]?.message).toMatch(/Fix that, then pack again\.$/)
  })

  it.each([
    ['SKILL.md', /twice/],
    ['./SKILL.md', /twice/],
    ['skill.MD', /same as/],
    ['SKILL.md/x', /same as/],
  ])('beside SKILL.md: %s', async (name, words) => {
    const { errors } = await refusal(zipOf([SKILL, { name, content: 'Other.' }]))
    expect(errors[0]?.message).toMatch(words)
  })

  it('in two normal forms of one name', async () => {
    const names = ['caf\u00E9.md', 'cafe\u0301.md']
    const { errors } = await refusal(zipOf([SKILL, ...names.map((name) => ({ name }))]))
    expect(errors[0]?.message).toMatch(/twice/)
  })

  it('with all other invalid ones, up to a limit', async () => {
    const bad = Array.from({ length: 50 }, (_, at) => ({ name: `../${at}` }))
    expect((await refusal(zipOf([SKILL, ...bad.slice(0, 3)]))).errors).toHaveLength(3)
    expect((await refusal(zipOf([SKILL, ...bad]))).errors).toHaveLength(20)
  })
})

describe('a zip is refused', () => {
  const OTHER: ZipMember = { name: 'a.md', content: 'A' }
  it.each<[string, readonly ZipMember[], ZipShape, RegExp]>([
    ['that is empty', [], {}, /empty/],
    ['with only folders', [{ name: 'a/', method: 0, mode: 0o040755 }], {}, /no files/],
    ['with data before it', [SKILL], { before: utf8('PK\x03\x04 more') }, /belong to no member|damaged/],
    ['with data between members', [SKILL, OTHER], { between: utf8('PK') }, /belong to no member/],
    ['with data before its end', [SKILL], { beforeEnd: utf8('PK') }, /at another position/],
    ['with data after its end', [SKILL], { after: utf8('PK') }, /data after its end/],
    ['whose comment is shorter than declared', [SKILL], { commentBytes: 9 }, /data after its end/],
    ['with another archive in its comment', [SKILL], { comment: zipOf([OTHER]) }, /at another position/],
    ['of several parts', [SKILL], { disk: 1 }, /parts|part of several/],
    ['whose counts differ', [SKILL], { entries: 1, here: 2 }, /part of several/],
    ['that counts too few members', [SKILL, OTHER], { entries: 1 }, /between its directory/],
    ['that counts too many members', [SKILL], { entries: 2 }, /damaged directory/],
    ['whose directory is elsewhere', [SKILL], { directory: 0 }, /at another position/],
    ['that requires ZIP64', [SKILL], { entries: 0xffff }, /ZIP64/],
    ['with a ZIP64 offset', [SKILL], { directory: 0xffffffff }, /ZIP64/],
    ['with a ZIP64 size', [{ ...SKILL, central: { size: 0xffffffff } }], {}, /ZIP64/],
    ['with a member on another disk', [{ ...SKILL, central: { disk: 3 } }], {}, /part of several/],
    ['whose members overlap', [SKILL, { ...OTHER, central: { offset: 0 } }], {}, /overlap|header differs/],
    ['whose member is out of place', [{ ...SKILL, central: { offset: 5 } }], {}, /belong to no member/],
    ['whose member overlaps the next', [{ ...SKILL, packed: 9_000 }], {}, /overlaps the next/],
    ['with another name inside', [{ ...SKILL, local: { name: 'evil.exe' } }], {}, /differs/],
    ['with another size inside', [{ ...SKILL, local: { size: 1 } }], {}, /differs/],
    ['with another compressed size inside', [{ ...SKILL, local: { packed: 1 } }], {}, /differs/],
    ['with another checksum inside', [{ ...SKILL, local: { crc: 1 } }], {}, /differs/],
    ['with another method inside', [{ ...SKILL, local: { method: 0 } }], {}, /differs/],
    ['encrypted by one header only', [{ ...SKILL, local: { flags: 0x801 } }], {}, /differs/],
    [
      'with wrong sizes after the content',
      [{ ...SKILL, flags: 8, behind: new Uint8Array(16) }],
      {},
      /descriptor differs/,
    ],
    ['with a wrong checksum', [{ ...SKILL, crc: 1 }], {}, /checksum/],
    ['with a member that decompresses to more', [{ ...SKILL, size: 2 }], {}, /longer than/],
    ['with a member that decompresses to less', [{ ...SKILL, size: 9 }], {}, /shorter than/],
    ['with a member that does not decompress', [{ ...SKILL, raw: Uint8Array.of(7, 7, 7) }], {}, /damaged/],
    [
      'with bytes after a member’s content',
      [{ ...SKILL, raw: Uint8Array.of(3, 0, 9, 9), size: 0 }],
      {},
      /after/,
    ],
    ['with a truncated member', [{ ...SKILL, raw: Uint8Array.of(1, 9, 0, 246, 255) }], {}, /truncated/],
  ])('%s', async (_, members, shape, words) => {
    expect((await refusal(zipOf(members, shape))).detail).toMatch(words)
  })

  it('at every length it can be cut to', async () => {
    const whole = zipOf([SKILL, OTHER])
    for (let length = 0; length < whole.length; length++) await refusal(whole.slice(0, length))
  })

  it.each([
    ['more files', SKILL_FILES_MAX, {}],
    ['more members', ARCHIVE_ENTRIES_MAX, { mode: 0o040755, method: 0 }],
  ])('with %s than there may be', async (_, most, more) => {
    const folder = 'mode' in more ? '/' : ''
    const named = (count: number): ZipMember[] => [
      SKILL,
      ...Array.from({ length: count - 1 }, (_, at) => ({ name: `f${at}${folder}`, ...more })),
    ]
    expect((await unpackArchive(zipOf(named(most)))).ok).toBe(true)
    await refusal(zipOf(named(most + 1)), 'too_large')
  })

  it('that declares itself too large, before anything is opened', async () => {
    const large = { name: 'large', size: SKILL_FILE_MAX_BYTES + 1 }
    expect((await refusal(zipOf([SKILL, large]), 'too_large')).detail).toMatch(/'large'/)
    const size = SKILL_FILE_MAX_BYTES
    const many = Array.from({ length: Math.ceil(SKILL_MAX_BYTES / size) + 1 }, (_, at) => ({
      name: `f${at}`,
      size,
    }))
    await refusal(zipOf(many), 'too_large')
  })

  it('whose members are far larger compressed than decompressed, as only a stream made to burn time is', async () => {
    const raw = new Uint8Array(20_000)
    const { errors } = await refusal(zipOf([{ name: 'SKILL.md', content: 'x', raw }]))
    expect(errors?.[0]?.message).toMatch(/larger compressed than decompressed/)
  })

  it('that is larger than declared, at the first byte too many', async () => {
    const bomb = zipOf([{ name: 'SKILL.md', content: new Uint8Array(30_000_000), size: 100_000 }])
    expect((await refusal(bomb)).detail).toMatch(/longer than its header says/)
  })
})

describe('the error for other bytes', () => {
  it.each([
    ['neither a zip', utf8('Just text.')],
    ['neither a zip', new Uint8Array()],
    ['RAR', utf8('Rar!\x1a\x07')],
    ['bzip2', utf8('BZh91AY')],
  ])('reports what they are instead: %s', async (words, bytes) => {
    expect((await refusal(bytes)).detail).toContain(words)
  })
})
