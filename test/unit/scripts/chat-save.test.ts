// Promise: a saved file is in the folder that was named, under a name that is safe for disk and terminal, and
// overwrites nothing.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { OutputPaths } from '../../../scripts/chat/outputs.ts'
import { saveFile, savePath } from '../../../scripts/chat/save.ts'
import { seeded } from '../../fuzz/archive-cases.ts'
import { betweenTasks, casesOr, SEED } from '../../fuzz/seed.ts'

import type { EventBody } from '../../../src/agent/events.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-save-'))
  folder = join(root, 'out')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const bytes = new TextEncoder().encode('new')

async function saved(path: string): Promise<string> {
  const at = await saveFile(folder, path, bytes)
  if (!at.ok) throw new Error(at.error)
  expect(readFileSync(at.value, 'utf8')).toBe('new')
  return relative(root, at.value)
}

describe('savePath', () => {
  it.each([
    ['outputs/summary.md', 'summary.md'],
    ['outputs/site/index.html', 'site/index.html'],
    ['workspace/notes.txt', 'workspace/notes.txt'],
    ['outputs/Bericht für Zoë.md', 'Bericht für Zoë.md'],
    ['outputs/../../etc/passwd', '__/__/etc/passwd'],
    ['/etc/passwd', 'etc/passwd'],
    ['outputs/..', '__'],
    ['outputs/', '_'],
    ['', '_'],
    ['outputs/.ssh/authorized_keys', '_ssh/authorized_keys'],
    ['outputs/-rf', '_rf'],
    ['outputs/~/x', '_/x'],
    ['outputs/a\\..\\b.md', 'a_.._b.md'],
    ['outputs/C:\\x', 'C__x'],
    ['outputs/\u001B]0;owned\u0007\u001B[2J.md', '_]0;owned__[2J.md'],
    ['outputs/a\nb\r\tc.md', 'a_b__c.md'],
    ['outputs/in\u202Evoice.fdp', 'in_voice.fdp'],
    ['outputs/ze\u200Bro\uFEFF.md', 'ze_ro_.md'],
    ['outputs/con.txt', '_con.txt'],
    ['outputs/NUL', '_NUL'],
    ['outputs/aux .md', '_aux .md'],
    ['outputs/dots. . .', 'dots'],
    ['outputs/half\uD800.md', 'half\uFFFD.md'],
  ])('%j → %s', (path, target) => {
    expect(savePath(path).join('/')).toBe(target)
  })

  it('keeps the extension of a name that is too long, and never splits a character', () => {
    const [name = ''] = savePath(`outputs/${'ü'.repeat(5_000)}.md`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    const [short = ''] = savePath(`outputs/${'ü'.repeat(120)}.md`)
    expect(short).toMatch(/^ü+\.md$/)
  })

  it('makes a harmless path of any name from a server', async () => {
    const signs = ['/', '\\', '.', '..', ' ', '~', '-', ':', '*', 'a', 'con', '\u0000', '\u001B', '\u202E']
    const more = ['\u200D', '\uD83D', '\u{1F600}', 'outputs/', '/../']
    for (let at = 0; at < casesOr(1_000); at++) {
      await betweenTasks(at)
      const chance = seeded(SEED + at)
      const path = Array.from({ length: chance.below(12) }, () => chance.of('', ...signs, ...more))
      for (const name of savePath(path.join(''))) {
        expect(name, `SEED=${SEED}, case ${at}: ${JSON.stringify(path)}`).not.toMatch(
          /[/\\\p{Cc}]|^\.|^-|^$/u,
        )
        expect(name.isWellFormed()).toBe(true)
      }
    }
  })
})

describe('save', () => {
  it('creates the folder, and uses a new name beside existing files', async () => {
    expect(await saved('outputs/a.md')).toBe('out/a.md')
    expect(await saved('outputs/a.md')).toBe('out/a-2.md')
    expect(await saved('outputs/a.md')).toBe('out/a-3.md')
    expect(await saved('outputs/sub/a.md')).toBe('out/sub/a.md')
    expect(await saved('outputs/a.md/b')).toBe('out/a-4.md/b')
  })

  it('follows no link out of the folder, and writes through none', async () => {
    const elsewhere = join(root, 'elsewhere')
    mkdirSync(elsewhere)
    mkdirSync(folder)
    writeFileSync(join(elsewhere, 'mine.md'), 'mine')
    symlinkSync(elsewhere, join(folder, 'sub'))
    symlinkSync(join(elsewhere, 'mine.md'), join(folder, 'a.md'))
    symlinkSync(join(elsewhere, 'nothing.md'), join(folder, 'b.md'))
    expect(await saved('outputs/sub/x.md')).toBe('out/sub-2/x.md')
    expect(await saved('outputs/a.md')).toBe('out/a-2.md')
    expect(await saved('outputs/b.md')).toBe('out/b-2.md')
    expect(readdirSync(elsewhere)).toEqual(['mine.md'])
    expect(readFileSync(join(elsewhere, 'mine.md'), 'utf8')).toBe('mine')
  })

  it('explains when the folder is not one', async () => {
    writeFileSync(folder, 'a file')
    for (const target of [folder, join(folder, 'below')])
      expect(await saveFile(target, 'outputs/a.md', bytes)).toEqual({
        ok: false,
        error: `it cannot be written to ${target}, which is a file or inside one. Specify a folder.`,
      })
    expect(existsSync(join(root, 'a.md'))).toBe(false)
  })
})

describe('the files of a run', () => {
  const made = (...events: readonly EventBody[]): readonly string[] => {
    const outputs = new OutputPaths()
    for (const [seq, event] of events.entries())
      outputs.observe({ ...event, seq, thread_id: 'th', run_id: 'run', at: '' })
    return outputs.paths()
  }
  const written = (path: string): EventBody => ({
    type: 'file.written',
    path: `/mnt/user-data/${path}`,
    bytes: 1,
  })
  const presented = (path: string): EventBody => ({
    type: 'artifact.presented',
    path: `/mnt/user-data/${path}`,
    title: path,
    media_type: 'text/plain',
    href: '',
  })

  it('are the presented ones, or else those written to outputs/, each once', () => {
    expect(
      made(written('outputs/b'), written('workspace/x'), written('outputs/a'), written('outputs/b')),
    ).toEqual(['outputs/b', 'outputs/a'])
    expect(made(written('outputs/b'), presented('workspace/x'), presented('workspace/x'))).toEqual([
      'workspace/x',
    ])
    expect(made()).toEqual([])
  })

  it('exclude paths outside the tree', () => {
    expect(made({ type: 'file.written', path: '/etc/passwd', bytes: 1 })).toEqual([])
  })
})
