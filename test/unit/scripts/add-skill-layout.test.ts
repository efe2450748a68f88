// Promise: skills are found where other tools put them, the same ones on every run, and a skill inside another is not a
// separate skill. What looks like a skill and is skipped is reported.

import { expect, test } from 'vitest'

import { reportSkipped, skillFolders } from '../../../scripts/add/skill-layout.ts'

const at = (...folders: readonly string[]): string[] =>
  folders.flatMap((folder) => {
    const prefix = folder === '' ? '' : `${folder}/`
    return [`${prefix}SKILL.md`, `${prefix}references/a.md`]
  })

test('a SKILL.md at the root ends the search', () => {
  expect(skillFolders(at('', 'skills/a', 'b'), '')).toEqual([''])
})

test('every folder up to eight levels deep is searched, nearest first', () => {
  const deep = 'a/b/c/d/e/f/g'
  const paths = at(`${deep}/h`, `${deep}/h2/i`, '.claude/skills/c', 'skills/a', 'plugins/p/skills/m', 'x/y')
  expect(skillFolders(paths, '')).toEqual([
    'skills/a',
    'x/y',
    '.claude/skills/c',
    'plugins/p/skills/m',
    `${deep}/h`,
  ])
})

test('a skill inside another is a file of it', () => {
  expect(skillFolders(at('skills/a', 'skills/a/examples/b'), '')).toEqual(['skills/a'])
  expect(skillFolders(at('x/y/z', 'x/y/z/w'), '')).toEqual(['x/y/z'])
})

test('a named folder is searched as if it were the root', () => {
  const paths = at('plugins/p/skills/a', 'plugins/p/skills/b', 'skills/other')
  expect(skillFolders(paths, 'plugins/p')).toEqual(['plugins/p/skills/a', 'plugins/p/skills/b'])
  expect(skillFolders(paths, 'plugins/p/skills/a')).toEqual(['plugins/p/skills/a'])
  expect(skillFolders(paths, 'plugins/q')).toEqual([])
})

test('only SKILL.md counts, and not in folders of dependencies', () => {
  const paths = ['a/skill.md', 'b/SKILL.md.bak', 'xSKILL.md', ...at('node_modules/m', '__MACOSX/n')]
  expect(skillFolders(paths, '')).toEqual([])
})

test('files in .skills are separate skills, even when that folder is named', () => {
  const paths = ['.skills/a.md', '.skills/README.md', 'x/.skills/b.md', 'x/c.md', ...at('y/skill')]
  expect(skillFolders(paths, '')).toEqual(['.skills/a.md', 'y/skill', 'x/.skills/b.md'])
  expect(skillFolders(paths, '.skills')).toEqual(['.skills/a.md'])
  expect(skillFolders(paths, '.skills/a.md')).toEqual(['.skills/a.md'])
  expect(skillFolders(paths, 'x')).toEqual(['x/.skills/b.md'])
  expect(skillFolders(['.skills/a.md', ...at('')], '')).toEqual([''])
})

test('one skill in .agents and 604 elsewhere are 605', () => {
  const many = Array.from({ length: 604 }, (_, at) => `catalog/c${at % 20}/s${at}`)
  const paths = at('.agents/skills/one', ...many)
  expect(skillFolders(paths, '')).toHaveLength(605)
  expect(reportSkipped(paths, '', skillFolders(paths, ''))).toEqual([])
})

test('skipped paths are counted, with the reason', () => {
  const output = (paths: readonly string[], start = ''): readonly string[] =>
    reportSkipped(paths, start, skillFolders(paths, start))
  const deep = 'a/b/c/d/e/f/g/h'
  expect(output(at('x', `${deep}/i`, `${deep}/j`))).toEqual([
    expect.stringMatching(/^Skipped 'a\/b\/c\/d\/e\/f\/g\/h\/i' and 1 more .* more than 8 folders deep/),
  ])
  expect(output(at('', 'b', 'c'))).toEqual([
    expect.stringMatching(/^Skipped 'b' and 1 more .*belong to that skill/),
  ])
  expect(output(['a/skill.md', ...at('node_modules/m')])).toEqual([
    expect.stringMatching(/^Skipped 'a' .*not called SKILL.md/),
    expect.stringMatching(/^Skipped 'node_modules\/m' .*installed packages/),
  ])
  expect(output(at('x/a', 'y/b/c', 'y/b'), 'x')).toEqual([])
})
