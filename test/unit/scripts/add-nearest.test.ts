// Promise: owner/repo means the folder of that name if there is one, and a mistyped folder is never looked up on GitHub
// without a notice.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { resolveSource, noFolderHint } from '../../../scripts/add/resolve-source.ts'
import { parseSource } from '../../../scripts/add/source.ts'

// Below the working directory of the tests, because a bare path is relative.
let folder: string
let bare: string
let output: string[]
const say = (line: string): void => void output.push(line)
beforeEach(() => {
  folder = mkdtempSync(join('dist', 'nearest-'))
  bare = `${relative('.', folder)}/skills`
  mkdirSync(join(bare, 'my notes'), { recursive: true })
  output = []
})
afterEach(() => rmSync(folder, { recursive: true }))

test('an existing folder is used, and the repository of that name is mentioned', async () => {
  expect(await resolveSource(bare, null, say)).toEqual({ ok: true, value: { kind: 'folder', path: bare } })
  expect(output).toEqual([expect.stringContaining('https://github.com/dist/nearest-')])
})

test('text that cannot be a repository is a folder, too, if the folder exists', async () => {
  const path = `${bare}/my notes`
  expect(await resolveSource(path, null, say)).toEqual({ ok: true, value: { kind: 'folder', path } })
})

test('with a branch, a skill or a URL, or without such a folder, it is the repository', async () => {
  const repository = { ok: true, value: expect.objectContaining({ kind: 'github' }) }
  expect(await resolveSource(bare, 'main', say)).toEqual(repository)
  for (const text of [`${bare}@pdf`, 'https://github.com/acme/tools', `${bare}/no`, 'acme/tools'])
    expect(await resolveSource(text, null, say), text).toEqual(repository)
  expect(output).toEqual([])
})

test('when the repository cannot be loaded, a user who meant a folder gets a hint', () => {
  const hint = (text: string): string => {
    const source = parseSource(text)
    if (!source.ok) throw new Error(source.error)
    return noFolderHint(source.value, text)
  }
  expect(hint('skills/publik')).toMatch(/there is no folder skills\/publik here/)
  for (const text of ['acme/tools@pdf', 'https://github.com/acme/tools', './skills', tmpdir()])
    expect(hint(text), text).toBe('')
})
