// Guards unpacking gzipped tars: every common form is unpacked whole; links, devices, hidden names and false headers
// are refused.

import { gzipSync } from 'fflate'
import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { fromUtf8, joinBytes, utf8 } from '../../../../src/lib/bytes.ts'
import { SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../../../src/limits/skills.ts'
import { ARCHIVE_ENTRIES_MAX, TAR_META_MAX_BYTES } from '../../../../src/skills/package/limits.ts'
import { unpackArchive } from '../../../../src/skills/package/archive.ts'
import { longName, pax, tarGzOf, tarMember, type TarMember } from './archive-bytes.ts'

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

const SKILL: TarMember = { name: 'SKILL.md', content: 'Text.' }
const LONG = `references/${'long-'.repeat(30)}.md`

describe('a valid tar', () => {
  it('is unpacked whole, as other libraries make it', async () => {
    const tar = await packTar([
      { header: { name: 'own/', type: 'directory', size: 0 } },
      { header: { name: 'own/SKILL.md', size: 5 }, body: 'Text.' },
      { header: { name: `own/${LONG}`, size: 4, pax: { comment: 'x' } }, body: 'Long' },
      { header: { name: 'own/large', size: 200_000 }, body: new Uint8Array(200_000).fill(97) },
    ])
    const read = await texts(gzipSync(tar, { filename: 'own.tar', level: 9 }))
    expect(Object.keys(read)).toEqual(['own/SKILL.md', `own/${LONG}`, 'own/large'])
    expect(read['own/large']).toHaveLength(200_000)
  })

  it.each([
    [
      './ before names',
      [
        { name: './/', kind: '5' },
        { ...SKILL, name: './SKILL.md' },
      ],
    ],
    ['a folder marked by its slash', [{ name: 'a/' }, SKILL]],
    ['the oldest type flag of a file', [{ ...SKILL, kind: '\0' }]],
    ['files of file managers', [SKILL, { name: './._SKILL.md', content: 'x' }, { name: '.DS_Store' }]],
    ['the GNU format', [{ ...SKILL, magic: 'ustar  \0', prefix: 'not-a-name' }]],
    ['global records without a name', [pax({ comment: '0'.repeat(40) }, 'g'), SKILL]],
    ['records of times', [pax({ mtime: '1.5', 'LIBARCHIVE.creationtime': '1' }), SKILL]],
    ['a size that is declared twice and equal', [pax({ size: '5' }), SKILL]],
    ['the oldest format', [{ ...SKILL, magic: '\0\0\0\0\0\0\0\0' }]],
    ['the type flag of a contiguous file', [{ ...SKILL, kind: '7' }]],
    ['a date before 1970', [{ ...SKILL, time: new Uint8Array(12).fill(255) }]],
    ['an owner who is nobody', [{ ...SKILL, owner: new Uint8Array(8).fill(255) }]],
    ['bytes after the end of a name', [{ ...SKILL, name: 'SKILL.md\0evil' }]],
  ])('may have %s', async (_, members) => {
    expect(await texts(tarGzOf(members))).toEqual({ 'SKILL.md': 'Text.' })
  })

  it.each([1, 2, 20])('may end with %i blocks of zeros', async (blocks) => {
    expect(await texts(tarGzOf([SKILL], blocks))).toEqual({ 'SKILL.md': 'Text.' })
  })

  it.each([
    ['ustar', [{ name: 'end.md', prefix: 'f'.repeat(150), content: 'L' }], `${'f'.repeat(150)}/end.md`],
    ['pax', [pax({ path: LONG }), { name: 'cut.md', content: 'L' }], LONG],
    ['GNU', [longName(LONG), { name: 'cut.md', content: 'L', magic: 'ustar  \0' }], LONG],
  ])('may have a long name as %s writes it', async (_, members, name) => {
    expect(await texts(tarGzOf([SKILL, ...members]))).toEqual({ 'SKILL.md': 'Text.', [name]: 'L' })
  })
})

describe('a member is refused by name', () => {
  it.each<[string, readonly (TarMember | Uint8Array)[], RegExp]>([
    ['with ..', [{ name: '../evil' }], /dots/],
    ['with .. by its prefix', [{ name: 'evil', prefix: '..' }], /dots/],
    ['with .. by pax', [pax({ path: '../../evil' }), { name: 'good.md' }], /dots/],
    ['with .. by GNU', [longName('../evil'), { name: 'good.md' }], /dots/],
    ['that is absolute', [{ name: '/etc/passwd' }], /absolute/],
    ['on a drive', [{ name: 'C:evil' }], /colon/],
    ['with NUL by pax', [pax({ path: 'a\0b' }), { name: 'good.md' }], /control/],
    ['that is not UTF-8', [{ name: Uint8Array.of(0x61, 0xff) }], /UTF-8/],
    ['in another character set', [pax({ hdrcharset: 'BINARY' }), { name: 'a' }], /UTF-8/],
    ['a hard link', [{ name: 'link', kind: '1', link: 'SKILL.md' }], /link/],
    ['a symbolic link', [{ name: 'link', kind: '2', link: '/etc/passwd' }], /link/],
    ['a link by pax', [pax({ linkpath: '/etc' }), { name: 'a' }], /link/],
    ['a character device', [{ name: 'dev', kind: '3' }], /device/],
    ['a block device', [{ name: 'dev', kind: '4' }], /device/],
    ['a pipe', [{ name: 'pipe', kind: '6' }], /pipe/],
    ['a sparse file by pax', [pax({ 'GNU.sparse.name': 'b' }), { name: 'a' }], /sparse/],
    ['a sparse file by GNU', [{ name: 'a', kind: 'S', content: 'x' }], /without --sparse/],
    ['a volume name', [{ name: 'a', kind: 'V' }], /'V' is not supported/],
    ['a continuation of another volume', [{ name: 'a', kind: 'M', content: 'x' }], /'M' is not supported/],
    ['a folder with content', [{ name: 'a/', kind: '5', content: tarMember({ name: 'hidden' }) }], /content/],
    ['a link with content', [{ name: 'a', kind: '1', content: 'x' }], /content/],
    ['of two sizes', [pax({ size: '900' }), { name: 'a' }], /size is declared twice/],
    [
      'with a size that is not a number',
      [pax({ size: '0x1' }), { name: 'a', content: 'x' }],
      /size is declared twice/,
    ],
    ['with a global size', [pax({ size: '1' }, 'g'), { name: 'a', content: 'x' }], /all members/],
    ['of a binary size', [{ name: 'a', size: Uint8Array.of(0x80, ...new Uint8Array(11)) }], /octal/],
    ['of a size with letters', [{ name: 'a', size: '0000000005x\0' }], /octal/],
    [
      'that is named twice',
      [pax({ path: 'b' }), longName('c'), { name: 'a' }],
      /declares attributes of a member twice/,
    ],
    [
      'with two pax headers',
      [pax({ path: 'b' }), pax({ mtime: '1' }), { name: 'a' }],
      /declares attributes of a member twice/,
    ],
    ['with too long records', [longName('a'.repeat(TAR_META_MAX_BYTES)), { name: 'a' }], /8193 bytes/],
    ['with invalid records', [{ name: 'x', kind: 'x', content: '2x2x2x ' }, { name: 'a' }], /records/],
    [
      'with records beyond its end',
      [{ name: 'x', kind: 'x', content: '99 a=b\n' }, { name: 'a' }],
      /records/,
    ],
    [
      'with very many records',
      [pax(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, '']))), { name: 'a' }],
      /64 pax records/,
    ],
    ['set to another user', [{ name: 'run', mode: 0o4755 }], /setuid/],
    ['that appears twice', [SKILL], /twice/],
    ['that clashes', [{ name: 'skill.md' }], /same as/],
  ])('%s', async (_, members, words) => {
    const { errors } = await refusal(tarGzOf([SKILL, ...members]))
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toMatch(words)
  })
})

describe('a tar is refused', () => {
  it.each<[string, Uint8Array<ArrayBuffer>, RegExp]>([
    ['with a wrong checksum', tarGzOf([SKILL, { name: 'a', checksum: 1 }]), /damaged after 'SKILL.md'/],
    [
      'with a mode that is not a number',
      tarGzOf([SKILL, { name: 'a', mode: '-0644\0' }]),
      /after 'SKILL.md'/,
    ],
    ['without an end', tarGzOf([SKILL], 0), /truncated after 'SKILL.md'/],
    ['with data after its end', tarGzOf([SKILL, new Uint8Array(1024), { name: 'a' }]), /damaged/],
    ['that ends inside a member', tarGzOf([{ ...SKILL, size: 5_000 }]), /truncated/],
    ['with no files', tarGzOf([{ name: 'a/', kind: '5' }]), /no files/],
    ['that is not a tar', gzipSync(utf8('Just text. '.repeat(100))), /damaged/],
  ])('%s', async (_, bytes, words) => {
    expect((await refusal(bytes)).detail).toMatch(words)
  })

  it('with too many files, members or bytes', async () => {
    const named = (count: number, end: string, kind: string) =>
      Array.from({ length: count }, (_, at) => tarMember({ name: `f${at}${end}`, kind }))
    await refusal(tarGzOf([SKILL, ...named(SKILL_FILES_MAX, '', '0')]), 'too_large')
    expect((await unpackArchive(tarGzOf([SKILL, ...named(SKILL_FILES_MAX - 1, '', '0')]))).ok).toBe(true)
    await refusal(tarGzOf([SKILL, ...named(ARCHIVE_ENTRIES_MAX, '/', '5')]), 'too_large')
    await refusal(tarGzOf([{ ...SKILL, size: SKILL_FILE_MAX_BYTES + 1 }]), 'too_large')
    const output = Array.from({ length: ARCHIVE_ENTRIES_MAX / 2 }, (_, at) => [
      pax({ mtime: '1' }),
      tarMember({ name: `f${at}/`, kind: '5' }),
    ])
    await refusal(tarGzOf([SKILL, ...output.flat()]), 'too_large')
  })
})

describe('a gzip is refused', () => {
  const whole = tarGzOf([SKILL])
  const changed = (at: number, value: number): Uint8Array<ArrayBuffer> => {
    const bytes = whole.slice()
    bytes[at < 0 ? bytes.length + at : at] = value
    return bytes
  }
  it.each<[string, Uint8Array<ArrayBuffer>, RegExp]>([
    ['with data after it', joinBytes([whole, new Uint8Array(16)]), /longer than its declared size/],
    ['of several streams', joinBytes([whole, whole]), /longer than its declared size/],
    [
      'with its trailer repeated after other data',
      joinBytes([whole, utf8('more'), whole.slice(-8)]),
      /damaged|longer/,
    ],
    ['with a wrong checksum', changed(-8, (whole.at(-8) ?? 0) ^ 1), /checksum/],
    ['with a wrong size', changed(-4, (whole.at(-4) ?? 0) ^ 1), /checksum|longer/],
    ['by another method', changed(2, 7), /damaged/],
    ['with unknown flags', changed(3, 0x80), /damaged/],
    [
      'with a name that does not end',
      joinBytes([changed(3, 8).slice(0, 10), utf8(`${'x'.repeat(20)}\x01\x01\x01\0`)]),
      /truncated/,
    ],
    ['of a few bytes', whole.slice(0, 12), /truncated/],
  ])('%s', async (_, bytes, words) => {
    expect((await refusal(bytes)).detail).toMatch(words)
  })

  it('at every length it can be cut to', async () => {
    for (let length = 2; length < whole.length; length++) {
      const files = await unpackArchive(whole.slice(0, length))
      expect(files.ok).toBe(false)
    }
  })

  it('as truncated, whatever its last bytes claim', async () => {
    // Incompressible bytes, so that any of them may end up where the size should be.
    const noise = Uint8Array.from({ length: 200_000 }, (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 24)
    const large = tarGzOf([SKILL, { name: 'noise.bin', content: noise }])
    for (let length = large.length - 1; length >= 18; length -= 1_999) {
      const { detail, errors } = await refusal(large.slice(0, length), 'invalid_archive')
      expect(detail, `${length} bytes`).toMatch(/^The archive is truncated/)
      expect(errors).toEqual([])
    }
  })

  it('that is a bomb: by its declared size, or at the first byte beyond it', async () => {
    const tar = joinBytes([tarMember({ name: 'SKILL.md', content: 'x' }), new Uint8Array(60_000_000)])
    const honest = gzipSync(tar, { mtime: 0 })
    await refusal(honest, 'too_large')
    const lying = honest.slice()
    lying.set([0, 0, 16, 0], lying.length - 4)
    expect((await refusal(lying)).detail).toMatch(/longer than its declared size/)
  })
})
