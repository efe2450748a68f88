// Promise: skills are found where other tools put them, the same ones on every run, and a skill inside another is no
// skill of its own.

import { expect, test } from 'vitest'

import { declaredFolders, skillFolders } from '../../../scripts/add/layout.ts'

const at = (...folders: readonly string[]): string[] =>
  folders.flatMap((folder) => {
    const prefix = folder === '' ? '' : `${folder}/`
    return [`${prefix}SKILL.md`, `${prefix}references/a.md`]
  })

test('a SKILL.md at the root ends the search', () => {
  expect(skillFolders(at('', 'skills/a', 'b'), '')).toEqual([''])
})

test('the known homes are searched, skills/ before the folders of agents', () => {
  const paths = at(
    '.claude/skills/c',
    'skills/a',
    'skills/.curated/k',
    '.github/skills/g',
    '.agents/skills/x',
  )
  expect(skillFolders(paths, '')).toEqual([
    'skills/a',
    'skills/.curated/k',
    '.agents/skills/x',
    '.claude/skills/c',
    '.github/skills/g',
  ])
})

test('where a home holds a skill, the rest of the repository is left alone', () => {
  expect(skillFolders(at('skills/a', 'test/fixtures/deep/bad'), '')).toEqual(['skills/a'])
})

test('without a known home every folder down to the fifth is searched', () => {
  expect(skillFolders(at('x/y/one', 'a/b/c/d/five', 'a/b/c/d/e/six'), '')).toEqual([
    'a/b/c/d/five',
    'x/y/one',
  ])
})

test('a skill inside another is its own file', () => {
  expect(skillFolders(at('skills/a', 'skills/a/examples/b', 'x/y/z', 'x/y/z/w'), '')).toEqual(['skills/a'])
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

test('files in .skills are skills by themselves, also where one is named', () => {
  const paths = ['.skills/a.md', '.skills/README.md', 'x/.skills/b.md', 'x/c.md', ...at('y/skill')]
  expect(skillFolders(paths, '')).toEqual(['.skills/a.md'])
  expect(skillFolders(paths, '.skills')).toEqual(['.skills/a.md'])
  expect(skillFolders(paths, '.skills/a.md')).toEqual(['.skills/a.md'])
  expect(skillFolders(paths, 'x')).toEqual(['x/.skills/b.md'])
  expect(skillFolders(['.skills/a.md', ...at('')], '')).toEqual([''])
})

test('a marketplace names skills and plugins; what climbs or lies elsewhere is left out', () => {
  const manifest = {
    plugins: [
      { name: 'docs', source: './', skills: ['./document-skills/pdf', '../../etc'] },
      { name: 'more', source: './plugins/more' },
      { name: 'far', source: { source: 'github', repo: 'x/y' } },
      null,
    ],
  }
  const declared = declaredFolders(JSON.stringify(manifest))
  expect(declared).toEqual(['skills', 'document-skills/pdf', 'plugins/more/skills', 'skills'])
  const paths = at('document-skills/pdf', 'document-skills/not-named', 'plugins/more/skills/m')
  expect(skillFolders(paths, '', declared)).toEqual(['plugins/more/skills/m', 'document-skills/pdf'])
  for (const broken of ['', '{', '[]', 'null', '{"plugins":3,"skills":{}}'])
    expect(() => declaredFolders(broken)).not.toThrow()
})
