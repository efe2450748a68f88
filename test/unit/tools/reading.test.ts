// Promise: whatever path it is given, a reading tool answers at once with a clear result that the model can act on, and
// shows nothing outside the tree.

import { describe, expect, it } from 'vitest'
import { READ_FILE_MAX_CHARS } from '../../../src/limits/tools.ts'
import { LS_ENTRIES_MAX } from '../../../src/tools/files/limits.ts'
import { call, filesOf, skillsWith } from './reading-rig.ts'

const DATA = '/mnt/user-data'
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0])

const tree = (): ReturnType<typeof filesOf> =>
  filesOf({
    'uploads/table.csv': 'a,b\n1,2\n',
    'uploads/photo.png': PNG,
    'uploads/bytes.bin': Uint8Array.from([1, 0, 2]),
    'uploads/latin.txt': Uint8Array.from([0x63, 0x61, 0x66, 0xe9]),
    'uploads/wide.txt': Uint8Array.from([0xff, 0xfe, 0x61, 0x00]),
    'uploads/café.md': 'crème',
    'workspace/notes/plan.md': 'one\ntwo\nthree\n',
    'workspace/notes/deep/x.md': 'deep',
  })

const PATH_TOOLS = [
  ['ls', {}],
  ['read_file', {}],
  ['glob', { pattern: '*' }],
  ['grep', { pattern: 'x' }],
] as const

describe.each(PATH_TOOLS)('%s', (name, more) => {
  it.each([
    [`${DATA}/../../etc/passwd`, 'contains ".."'],
    [`${DATA}/uploads/../workspace`, 'contains ".."'],
    ['/etc/passwd', 'is not a path that you can use'],
    ['/uploads/table.csv', `Did you mean ${DATA}/uploads/table.csv?`],
    [`${DATA}/secret/a`, `There is no folder ${DATA}/secret`],
    [`${DATA}/uploads/a\0b`, 'invisible'],
    [`${DATA}/uploads/a\u202eb`, 'invisible'],
    [`${DATA}/uploads\\table.csv`, 'backslash'],
    [`${DATA}/uploads/table.csv `, 'begins or ends with white space'],
    [`${DATA}/uploads/\u00a0table.csv`, 'begins or ends with white space'],
    [`${DATA}/workspace/notes /plan.md`, 'begins or ends with white space'],
    [`${DATA}/uploads/${'x'.repeat(4_096)}`, 'Choose a shorter one'],
    [`${DATA}/uploads/${'é'.repeat(200)}`, 'Choose a shorter one'],
    [`${DATA}/uploads/${'a/'.repeat(100)}b`, 'more than 32 names'],
    [`${DATA}/uploads/\ud800`, 'not well-formed Unicode'],
    ['', 'path'],
    [`${DATA}/uploads/none/at/all`, 'There is no '],
    [`${DATA}/uploads/table.csv/below`, 'is a file, not a folder'],
    [`${DATA}/uploads/TABLE.csv`, `${DATA}/uploads/table.csv differs only in letter case`],
  ])('refuses %j with the reason', async (path, words) => {
    const result = await call(name, { ...more, path }, await tree())
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining(words) })
    expect(result.content.length).toBeLessThan(1_500)
  })
})

describe('read_file', () => {
  it.each([
    `${DATA}/workspace/notes/plan.md`,
    'workspace/notes/plan.md',
    'mnt/user-data/workspace/notes/plan.md',
    'user-data/workspace/notes/plan.md',
    `${DATA}//workspace/./notes/plan.md`,
    './workspace/notes/plan.md',
  ])('reads %s', async (path) => {
    const files = await tree()
    const sha256 = files.get('workspace/notes/plan.md')?.sha256
    expect(await call('read_file', { path }, files)).toEqual({
      content: 'one\ntwo\nthree',
      isError: false,
      notes: [{ type: 'file', path: 'workspace/notes/plan.md', sha256 }],
    })
  })

  it('finds a name in either form of Unicode', async () => {
    for (const form of ['NFC', 'NFD'])
      expect(
        (await call('read_file', { path: `uploads/${'café.md'.normalize(form)}` }, await tree())).content,
      ).toBe('crème')
  })

  it('counts a file as known when a range of it was read, and not when none was', async () => {
    const files = await tree()
    const part = await call(
      'read_file',
      { path: 'workspace/notes/plan.md', start_line: 2, end_line: 2 },
      files,
    )
    expect(part).toMatchObject({ content: 'two', notes: [{ type: 'file' }] })
    expect((await call('read_file', { path: 'uploads/photo.png' }, files)).notes).toBeUndefined()
  })

  it.each([
    ['photo.png', 'image/png, 8 bytes. View it with view_image'],
    ['bytes.bin', 'application/octet-stream, 3 bytes'],
    ['latin.txt', 'not valid UTF-8'],
    ['wide.txt', 'UTF-16'],
    ['tabel.csv', `Did you mean ${DATA}/uploads/table.csv?`],
    ['plan.md', `Did you mean ${DATA}/workspace/notes/plan.md?`],
    ['zzzzzzzz', 'List the folder with ls'],
  ])('says of %s what it is or what was meant', async (name, words) => {
    const result = await call('read_file', { path: `${DATA}/uploads/${name}` }, await tree())
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining(words) })
  })

  it('recognizes a folder at any level', async () => {
    for (const path of ['/', '/mnt', DATA, 'uploads', 'workspace/notes', '/mnt/skills'])
      expect((await call('read_file', { path }, await tree())).content).toContain(
        'is a folder. List its files with ls',
      )
  })

  it('keeps a byte order mark and line breaks', async () => {
    const files = await filesOf({ 'uploads/dos.txt': '\ufeffa\r\nb\r\n' })
    expect((await call('read_file', { path: 'uploads/dos.txt' }, files)).content).toBe('\ufeffa\r\nb\r')
  })

  it('decodes only the shown part of a large file, and no half characters', async () => {
    const line = '€'.repeat(READ_FILE_MAX_CHARS + 5)
    const files = await filesOf({ 'uploads/long.txt': `${line}\nlast\n` })
    const { content } = await call('read_file', { path: 'uploads/long.txt' }, files)
    expect(content).not.toContain('\ufffd')
    expect(content).toMatch(/…\n\[cut: line 1 of 2 is longer.*Continue with start_line 2\.\]$/)
    expect((await call('read_file', { path: 'uploads/long.txt', start_line: 2 }, files)).content).toBe('last')
  })

  it('holds one file in memory, however many are read in parallel', async () => {
    const names = ['a', 'b', 'c', 'd'].map((name) => `uploads/${name}.txt`)
    const files = await filesOf(Object.fromEntries(names.map((name) => [name, name])))
    const read = files.read.bind(files)
    let reading = 0
    let most = 0
    files.read = async (row) => {
      most = Math.max(most, ++reading)
      const bytes = await read(row)
      reading -= 1
      return bytes
    }
    const all = await Promise.all(names.map((path) => call('read_file', { path }, files)))
    expect(all.map(({ content }) => content)).toEqual(names)
    expect(most).toBe(1)
  })

  it('prefers an active skill for its own folders, and asks if both have the file', async () => {
    const skills = skillsWith({ alpha: { 'workspace/own.md': 'of the skill', 'outputs/both.md': 's' } }, [
      'alpha',
    ])
    const files = await filesOf({ 'outputs/both.md': 't', 'workspace/mine.md': 'of the thread' })
    const read = async (path: string): Promise<string> =>
      (await call('read_file', { path }, files, skills)).content
    expect(await read('workspace/own.md')).toBe('of the skill')
    expect(await read('workspace/mine.md')).toBe('of the thread')
    expect(await read('outputs/both.md')).toContain(
      `one of these paths: ${DATA}/outputs/both.md, /mnt/skills/public/alpha/outputs/both.md.`,
    )
  })
})

describe('ls', () => {
  it.each([
    ['/', 'skills/\nuser-data/'],
    ['/mnt/', 'skills/\nuser-data/'],
    [`${DATA}/workspace`, 'notes/deep/x.md (4 bytes)\nnotes/plan.md (14 bytes)'],
    ['workspace/notes/deep', 'x.md (4 bytes)'],
    [`${DATA}/outputs`, '(empty)'],
  ])('%s', async (path, content) => {
    expect(await call('ls', { path }, await tree())).toEqual({ content, isError: false })
  })

  it('marks empty folders, and says that a file is one', async () => {
    expect((await call('ls', { path: DATA }, await tree())).content).toMatch(/\noutputs\/ \(empty\)$/)
    expect((await call('ls', { path: 'uploads/table.csv' }, await tree())).content).toContain('is a file')
  })

  it('shows only the folder itself if everything below is too much, folders first', async () => {
    const many = Object.fromEntries(
      Array.from({ length: LS_ENTRIES_MAX + 7 }, (_, at) => [`workspace/d${at % 3}/f${at}`, 'x']),
    )
    const files = await filesOf({ ...many, 'workspace/a.md': 'x' })
    expect((await call('ls', { path: 'workspace' }, files)).content).toBe(
      'd0/ (169 files, 169 bytes)\nd1/ (169 files, 169 bytes)\nd2/ (169 files, 169 bytes)\na.md (1 byte)',
    )
    const flat = Object.fromEntries(
      Array.from({ length: LS_ENTRIES_MAX + 7 }, (_, at) => [`workspace/f${at}`, 'x']),
    )
    expect((await call('ls', { path: 'workspace' }, await filesOf(flat))).content).toMatch(/\n… and 7 more$/)
  })
})
