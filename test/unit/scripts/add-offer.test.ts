// Promise: any archive or folder offers the same skills, hidden ones only by name. Links, paths that escape and damaged
// archives are refused, and memory holds only the chosen files.

import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { packTar, type TarEntry } from 'modern-tar'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { chooseOffers, twinLines } from '../../../scripts/add/choose.ts'
import { openFolder } from '../../../scripts/add/folder-tree.ts'
import { findOffers, twinNotes, type SourceOffers } from '../../../scripts/add/offer.ts'
import { openTar } from '../../../scripts/add/tar-tree.ts'
import { unwrapTopFolder } from '../../../scripts/add/tree.ts'
import { joinBytes } from '../../../src/lib/bytes.ts'
import { tarMember } from '../skills/package/archive-bytes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'satchel-offer-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const md = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n\nDo it.\n`

const FILES: Readonly<Record<string, string>> = {
  'README.md': 'a repository',
  'skills/pdf/SKILL.md': md('pdf'),
  'skills/pdf/scripts/run.py': 'print(1)',
  'skills/pdf/.DS_Store': 'droppings',
  'skills/pdf/__pycache__/run.pyc': 'droppings',
  'skills/secret/SKILL.md': md('secret', 'metadata:\n  internal: true\n'),
  'skills/broken/SKILL.md': 'no frontmatter at all',
  '.claude/skills/pdf/SKILL.md': md('pdf'),
  'src/big.bin': 'x'.repeat(100_000),
}

function entries(files: Readonly<Record<string, string>>, prefix: string): TarEntry[] {
  return Object.entries(files).map(([path, text]) => ({
    header: { name: prefix + path, size: Buffer.byteLength(text), type: 'file' },
    body: text,
  }))
}

async function tar(list: readonly TarEntry[], gzip = true): Promise<string> {
  const file = join(folder, 'archive')
  const packed = await packTar(list)
  await writeFile(file, gzip ? gzipSync(packed) : packed)
  return file
}

async function offered(file: string): Promise<SourceOffers> {
  const tree = await openTar(file)
  if (!tree.ok) throw new Error(tree.error)
  const offering = await findOffers(unwrapTopFolder(tree.value, true), '')
  if (!offering.ok) throw new Error(offering.error)
  return offering.value
}

const names = (offering: SourceOffers): string[] => offering.offers.map(({ name }) => name)
const silent = (): void => {}

test('a repository offers its skills, and reports those that cannot be loaded or are duplicates', async () => {
  const offering = await offered(await tar(entries(FILES, 'tools-abc123/')))
  expect(names(offering)).toEqual(['pdf', 'secret', 'pdf'])
  expect(offering.problems.join('\n')).toMatch(/'skills\/broken' cannot be loaded/)
  expect(twinNotes(offering.offers).join('\n')).toMatch(/'\.claude\/skills\/pdf'.*also named/)
})

test('a chosen skill has its own files, and none of file managers', async () => {
  const offering = await offered(await tar(entries(FILES, 'tools-abc123/')))
  const [files] = await offering.load(offering.offers.slice(0, 1))
  expect(files?.ok && [...files.value.keys()]).toEqual(['SKILL.md', 'scripts/run.py'])
})

test('a local folder offers the same', async () => {
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await symlink('/etc', join(folder, 'skills/elsewhere'))
  const tree = await openFolder(folder)
  const offering = tree.ok ? await findOffers(tree.value, '') : tree
  if (!offering.ok) throw new Error(offering.error)
  expect(names(offering.value)).toEqual(['pdf', 'secret', 'pdf'])
  const [files] = await offering.value.load(offering.value.offers.slice(0, 1))
  expect(files?.ok && [...files.value.keys()]).toEqual(['SKILL.md', 'scripts/run.py'])
})

test('a hidden skill is added only by name', async () => {
  const offering = await offered(await tar(entries(FILES, 'x/')))
  const visible = await chooseOffers(offering, { names: [], isAll: true }, null, silent)
  expect(visible.ok && visible.value.map(({ name }) => name)).toEqual(['pdf'])
  const named = await chooseOffers(offering, { names: ['secret'], isAll: false }, null, silent)
  expect(named.ok && named.value.map(({ name }) => name)).toEqual(['secret'])
})

test('none of several skills is added without a question', async () => {
  const two = { 'skills/a/SKILL.md': md('a'), 'skills/b/SKILL.md': md('b') }
  const offering = await offered(await tar(entries(two, 'x/')))
  const output: string[] = []
  const nobody = await chooseOffers(offering, { names: [], isAll: false }, null, (line) => output.push(line))
  expect(nobody).toMatchObject({ ok: false, error: expect.stringContaining('--skill') })
  expect(output.join('\n')).toMatch(/a .*Does a\..*\n.*b .*Does b\./)
  const requested = await chooseOffers(offering, { names: [], isAll: false }, async () => 'b', silent)
  expect(requested.ok && requested.value.map(({ name }) => name)).toEqual(['b'])
  const wrong = await chooseOffers(offering, { names: ['c'], isAll: false }, null, silent)
  expect(wrong).toMatchObject({ ok: false, error: expect.stringContaining('no skill c') })
})

test('of two skills with one name, the first is added with a notice, the other by its path', async () => {
  const two = { 'a/SKILL.md': md('host'), 'b/SKILL.md': md('host', 'license: MIT\n') }
  const offering = await offered(await tar(entries(two, 'x/')))
  const alone = await chooseOffers(offering, { names: [], isAll: false }, null, silent)
  const all = await chooseOffers(offering, { names: [], isAll: true }, null, silent)
  const named = await chooseOffers(offering, { names: ['host'], isAll: false }, null, silent)
  for (const chosen of [alone, all, named]) {
    if (!chosen.ok) throw new Error(chosen.error)
    expect(chosen.value.map(({ path }) => path)).toEqual(['a'])
    expect(twinLines(offering.offers, chosen.value)).toEqual([
      expect.stringMatching(/host\. Using 'a', not 'b'/),
    ])
  }
  const other = await chooseOffers(offering, { names: ['b'], isAll: false }, null, silent)
  if (!other.ok) throw new Error(other.error)
  expect(other.value.map(({ path }) => path)).toEqual(['b'])
  expect(twinLines(offering.offers, other.value)).toEqual([])
})

test('a file in .skills is a whole skill, a README there is not', async () => {
  const flat = {
    '.skills/notes.md': md('notes'),
    '.skills/README.md': md('readme'),
    '.skills/.hidden.md': md('hidden'),
    '.skills/folder/SKILL.md': md('folder'),
    'docs/other.md': md('other'),
  }
  const offering = await offered(await tar(entries(flat, 'x/')))
  expect(offering.offers.map(({ name, path }) => [name, path])).toEqual([
    ['folder', '.skills/folder'],
    ['notes', '.skills/notes.md'],
  ])
  const [, files] = await offering.load(offering.offers)
  expect(files?.ok && [...files.value.keys()]).toEqual(['SKILL.md'])
})

// The decoder reads ahead of its reader: skipping a file must not consume bytes of a wanted one.
test.each(Array.from({ length: 24 }, (_, at) => at))(
  'skills after files of any size are found, %i',
  async (at) => {
    const filler = (size: number): string => 'x'.repeat(size)
    const files: Record<string, string> = {}
    for (let n = 0; n < 12; n++) {
      files[`docs/${n}.txt`] = filler((at * 977 + n * 1_543) % 9_000)
      files[`skills/s${n}/big.txt`] = filler((at * 7_919 + n * 31_337) % 150_000)
      files[`skills/s${n}/SKILL.md`] = md(`s${n}`) + filler((at * 613 + n * 2_711) % 40_000)
      files[`skills/s${n}/empty.txt`] = ''
    }
    const list = entries(files, 'x/')
    const folders: TarEntry[] = ['x/', 'x/skills/'].map((name) => ({
      header: { name, size: 0, type: 'directory' },
    }))
    const offering = await offered(await tar([...folders, ...list], at % 2 === 0))
    expect(offering.offers).toHaveLength(12)
    const loaded = await offering.load(offering.offers)
    for (const [n, one] of loaded.entries()) {
      if (!one.ok) throw new Error(one.error)
      const { path } = offering.offers[n] ?? { path: '' }
      for (const [name, bytes] of one.value) expect(bytes.length).toBe(files[`${path}/${name}`]?.length)
      expect(one.value.size).toBe(3)
    }
  },
)

test('the commit is read from the comment that git writes', async () => {
  const commit = 'c0ffee'.padEnd(40, '0')
  const list = entries({ 'skills/a/SKILL.md': md('a') }, 'x/')
  const [first, ...rest] = list
  if (!first) throw new Error('no entry')
  const commented: TarEntry = { ...first, header: { ...first.header, pax: { comment: commit } } }
  expect((await offered(await tar([commented, ...rest]))).commit).toBe(commit)
  expect((await offered(await tar(list, false))).commit).toBeNull()
})

test('a link inside a skill refuses that skill and no other', async () => {
  const link: TarEntry = {
    header: { name: 'x/skills/a/passwd', size: 0, type: 'symlink', linkname: '/etc/passwd' },
  }
  const two = { 'skills/a/SKILL.md': md('a'), 'skills/b/SKILL.md': md('b') }
  const offering = await offered(await tar([...entries(two, 'x/'), link]))
  const [a, b] = await offering.load(offering.offers)
  expect(a).toMatchObject({ ok: false, error: expect.stringContaining('link') })
  expect(b?.ok).toBe(true)
})

test.each([
  ['climbing', 'x/../../etc/passwd'],
  ['absolute', '/etc/passwd'],
])('an archive with a %s name is refused whole', async (_, name) => {
  const evil: TarEntry = { header: { name, size: 1, type: 'file' }, body: 'x' }
  const tree = await openTar(await tar([...entries({ 'skills/a/SKILL.md': md('a') }, 'x/'), evil]))
  expect(tree).toMatchObject({ ok: false, error: expect.stringContaining('refused') })
})

test('a member that two programs read differently is refused by name', async () => {
  const file = join(folder, 'archive')
  const sparse = tarMember({ name: 'x/a', kind: 'S', content: 'x' })
  await writeFile(file, joinBytes([tarMember({ name: 'x/b' }), sparse, new Uint8Array(1_024)]))
  const error = expect.stringMatching(/^The archive was refused\. 'x\/a': It is a sparse file\./)
  expect(await openTar(file)).toMatchObject({ ok: false, error })
})

test('two files of one path are refused', async () => {
  const one = entries({ 'skills/a/SKILL.md': md('a') }, 'x/')
  const tree = await openTar(await tar([...one, ...one]))
  const offering = tree.ok ? await findOffers(unwrapTopFolder(tree.value, true), '') : tree
  expect(offering).toMatchObject({ ok: false, error: expect.stringContaining('twice') })
})

test('a file is never larger than listed, even if its path is repeated', async () => {
  const large: TarEntry = {
    header: { name: 'x/skills/a/SKILL.md', size: 5_000_000, type: 'file' },
    body: 'x'.repeat(5_000_000),
  }
  const small = entries({ 'skills/a/SKILL.md': md('a') }, 'x/')
  const tree = await openTar(await tar([large, ...small]))
  // Known from the list alone: no file was read into memory.
  expect(tree).toMatchObject({ ok: false, error: expect.stringContaining('twice') })
})

test('every truncated or damaged archive gives an error, never a skill or an exception', async () => {
  const whole = gzipSync(await packTar(entries(FILES, 'x/')))
  const file = join(folder, 'archive')
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('PK'),
    whole.subarray(0, 3),
    whole.subarray(0, 20),
    whole.subarray(0, whole.length >> 1),
    Buffer.concat([whole.subarray(0, 40), Buffer.alloc(40, 0xff), whole.subarray(80)]),
    gzipSync(Buffer.alloc(5_000, 0x41)),
  ]) {
    await writeFile(file, bytes)
    const tree = await openTar(file)
    const offering = tree.ok ? await findOffers(unwrapTopFolder(tree.value, true), '') : tree
    if (offering.ok) expect(offering.value.offers).toEqual([])
    else expect(offering.error).toMatch(/archive/)
  }
})

test('a truncated archive is reported as truncated, and a damaged one as damaged', async () => {
  const whole = gzipSync(await packTar(entries(FILES, 'x/')))
  const damaged = Buffer.concat([whole.subarray(0, 12), Buffer.alloc(40, 0xff), whole.subarray(52)])
  const file = join(folder, 'archive')
  for (const [bytes, words] of [
    [whole.subarray(0, whole.length - 9), /^The archive is truncated/],
    [whole.subarray(0, whole.length >> 1), /^The archive is truncated/],
    [damaged, /^The archive is damaged/],
  ] as const) {
    await writeFile(file, bytes)
    expect(await openTar(file)).toEqual({ ok: false, error: expect.stringMatching(words) })
  }
})

test('missing skills are reported before any is added, and so is a missing folder', async () => {
  const file = await tar(entries({ ...FILES, 'low/skill.md': md('low') }, 'x/'))
  const offering = await offered(file)
  const output: string[] = []
  const taken = await chooseOffers(offering, { names: [], isAll: false }, null, (line) => output.push(line))
  expect(taken.ok && taken.value.map(({ name }) => name)).toEqual(['pdf'])
  for (const words of [/'skills\/broken' cannot be loaded/, /Skipped 'low'/, /Hidden .* secret\)/])
    expect(output.join('\n')).toMatch(words)
  const tree = await openTar(file)
  const nowhere = tree.ok ? await findOffers(unwrapTopFolder(tree.value, true), 'skill') : tree
  expect(nowhere).toEqual({ ok: false, error: "The source has no folder 'skill'." })
})
