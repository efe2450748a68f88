// Promise: in glob, special characters mean what they mean in a shell. It says when it shows less than it found, and
// its time grows with the paths alone, whatever the pattern.

import { describe, expect, it } from 'vitest'
import { GLOB_PATHS_MAX, PATTERN_MAX_CHARS } from '../../../src/tools/files/limits.ts'
import { compileGlob } from '../../../src/tools/files/pattern.ts'
import { call, filesOf, skillsWith } from './reading-rig.ts'

const PATHS = [
  'outputs/a.md',
  'uploads/[x].md',
  'uploads/b.csv',
  'uploads/deep/c.csv',
  'uploads/deep/er/d.csv',
  'uploads/{y}.md',
  'workspace/.git/config',
  'workspace/a+b.md',
  'workspace/z1.txt',
  'workspace/z2.txt',
] as const

const files = filesOf(Object.fromEntries(PATHS.map((path) => [path, 'x'])))

async function found(input: object): Promise<readonly string[]> {
  const { content, isError } = await call('glob', input, await files)
  if (isError) throw new Error(content)
  return content
    .split('\n')
    .filter((line) => line.startsWith('/mnt/'))
    .map((line) => line.replace('/mnt/user-data/', ''))
}

describe('glob', () => {
  it.each([
    ['*.csv', ['uploads/b.csv', 'uploads/deep/c.csv', 'uploads/deep/er/d.csv']],
    ['uploads/*.csv', ['uploads/b.csv']],
    ['./uploads/*.csv', ['uploads/b.csv']],
    ['uploads/**/*.csv', ['uploads/b.csv', 'uploads/deep/c.csv', 'uploads/deep/er/d.csv']],
    ['**/er/*', ['uploads/deep/er/d.csv']],
    ['uploads/deep/**', ['uploads/deep/c.csv', 'uploads/deep/er/d.csv']],
    ['**/z?.txt', ['workspace/z1.txt', 'workspace/z2.txt']],
    ['z[0-1].txt', ['workspace/z1.txt']],
    ['z[!1].txt', ['workspace/z2.txt']],
    ['z[^1].txt', ['workspace/z2.txt']],
    ['workspace[/]z1.txt', []],
    ['workspace[!x]z1.txt', []],
    ['{uploads,outputs}/*.{md,csv}', ['outputs/a.md', 'uploads/[x].md', 'uploads/b.csv', 'uploads/{y}.md']],
    ['z{1,{2,3}}.txt', ['workspace/z1.txt', 'workspace/z2.txt']],
    ['\\[x\\].md', ['uploads/[x].md']],
    ['[[]x].md', ['uploads/[x].md']],
    ['\\{y\\}.md', ['uploads/{y}.md']],
    ['a+b.md', ['workspace/a+b.md']],
    ['?+?.md', ['workspace/a+b.md']],
    ['B.csv', []],
    ['[', []],
    ['a{', []],
    ['}', []],
    ['/mnt/user-data/uploads/*.csv', ['uploads/b.csv']],
    ['mnt/user-data/uploads/**/d.csv', ['uploads/deep/er/d.csv']],
    ['/mnt/user-data/uploads/b.csv', ['uploads/b.csv']],
    ['/mnt/*/uploads/b.csv', ['uploads/b.csv']],
  ])('%s', async (pattern, paths) => {
    expect(await found({ pattern })).toEqual(paths)
  })

  it('searches the given folder, and finds a file by its own path', async () => {
    expect(await found({ pattern: '*.csv', path: 'uploads/deep' })).toEqual([
      'uploads/deep/c.csv',
      'uploads/deep/er/d.csv',
    ])
    expect(await found({ pattern: '*', path: 'uploads/b.csv' })).toEqual(['uploads/b.csv'])
    expect(await found({ pattern: '**/*1.txt', path: '/' })).toEqual(['workspace/z1.txt'])
  })

  it('skips folders of development tools unless one is named', async () => {
    const { content } = await call('glob', { pattern: '**' }, await files)
    expect(content).not.toContain('config')
    expect(content).toContain('Skipped: 1 file (.git,')
    expect(await found({ pattern: '**/.git/*' })).toEqual(['workspace/.git/config'])
    expect(await found({ pattern: '*', path: 'workspace/.git' })).toEqual(['workspace/.git/config'])
  })

  it('says when nothing matches, and how many more matches there are', async () => {
    expect((await call('glob', { pattern: '*.none' }, await files)).content).toMatch(
      /^No files matched under \/mnt\/user-data\./,
    )
    const many = await filesOf(
      Object.fromEntries(Array.from({ length: GLOB_PATHS_MAX + 5 }, (_, at) => [`uploads/f${at}`, ''])),
    )
    const lines = (await call('glob', { pattern: '*' }, many)).content.split('\n')
    expect(lines[0]).toBe('Found 205 paths under /mnt/user-data (showing first 200)')
    expect(lines.at(-1)).toBe('Results truncated. Narrow the path or the pattern.')
    expect(lines).toHaveLength(GLOB_PATHS_MAX + 2)
  })

  it('finds files of skills by full path, and of all of them', async () => {
    const skills = skillsWith({
      alpha: { 'SKILL.md': 'x', 'references/a.md': 'x' },
      beta: { 'SKILL.md': 'x' },
    })
    const glob = async (pattern: string): Promise<readonly string[]> =>
      (await call('glob', { pattern }, await files, skills)).content.split('\n').slice(1)
    expect(await glob('/mnt/skills/public/*/SKILL.md')).toEqual([
      '/mnt/skills/public/alpha/SKILL.md',
      '/mnt/skills/public/beta/SKILL.md',
    ])
    expect(await glob('/mnt/skills/public/alpha/references/*')).toEqual([
      '/mnt/skills/public/alpha/references/a.md',
    ])
  })

  it.each([
    ['../*', 'must not contain ".."'],
    ['x'.repeat(PATTERN_MAX_CHARS + 1), 'the limit is'],
    ['[z-a]', 'Invalid pattern'],
  ])('refuses %s with the reason', async (pattern, words) => {
    expect(await call('glob', { pattern }, await files)).toMatchObject({
      isError: true,
      content: expect.stringContaining(words),
    })
  })

  it.each([
    '*a'.repeat(200),
    '**/'.repeat(150),
    '{a,'.repeat(100) + '}'.repeat(100),
    '{a,b}'.repeat(90),
    '*?'.repeat(200),
    `${'**/*'.repeat(50)}x`,
    '['.repeat(400),
    `${'a*'.repeat(100)}[b-c]`,
    '*{*,**}'.repeat(60),
  ])('stays within its work limit for %s', (glob) => {
    const pattern = compileGlob(glob, false)
    if (!pattern.ok) return expect(pattern.error).not.toBe('')
    const path = `${'a'.repeat(200)}/${'ab'.repeat(100)}/${'a'.repeat(200)}`
    for (let at = 0; at < 100; at++) pattern.value.matchesEntirely(path)
    // For 10,000 such paths it would be a hundred times as much, so the search stops.
    expect(pattern.value.cost()).toBeLessThan(1_000_000)
  })
})
