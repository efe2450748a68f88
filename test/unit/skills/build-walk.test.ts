// Guards which skills a build finds: folders with SKILL.md and flat files in `.skills`. Other hidden folders are
// skipped, and every omission is reported.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { outcomeLines, summaryLines } from '../../../scripts/build/report.ts'
import { makeBuild } from '../../../scripts/build/build.ts'
import { unsearchedMessage } from '../../../scripts/skill-folders/unseen.ts'
import { UNSEARCHED_FOLDERS_MAX } from '../../../scripts/skill-folders/limits.ts'
import { folderWith, skillMd, TEA } from './skill-text.ts'

const COFFEE = skillMd('name: coffee\ndescription: Brews coffee.')

async function built(files: Readonly<Record<string, string>>, inside = ''): Promise<[string, number][]> {
  const root = await folderWith(files)
  const { build } = await makeBuild([join(root, inside)], false)
  return build.index.skills.map(({ name, files: count }) => [name, count])
}

describe('a flat skill', () => {
  test('is each *.md directly in .skills: one file, and its neighbours are not its resources', async () => {
    const files = {
      '.skills/tea.md': TEA,
      '.skills/coffee.MD': COFFEE,
      '.skills/README.md': '# About',
      '.skills/.draft.md': COFFEE,
      '.skills/notes.txt': 'x',
      'deep/er/.skills/milk.md': skillMd('name: milk\ndescription: Pours.'),
    }
    expect(await built(files)).toEqual([
      ['coffee', 1],
      ['milk', 1],
      ['tea', 1],
    ])
    expect(await built(files, '.skills')).toEqual([
      ['coffee', 1],
      ['tea', 1],
    ])
    expect(await built(files, '.skills/tea.md')).toEqual([['tea', 1]])
  })

  test('may be beside folders of skills', async () => {
    const files = {
      '.skills/tea.md': TEA,
      '.skills/coffee/SKILL.md': COFFEE,
      '.skills/coffee/references/a.md': '',
    }
    expect(await built(files)).toEqual([
      ['coffee', 2],
      ['tea', 1],
    ])
  })

  test('takes its name from the file if it has none, and findings name its file', async () => {
    const root = await folderWith({ '.skills/green-tea.md': skillMd('description: Brews green tea.') })
    const outcome = await makeBuild([root], false)
    expect(outcome.build.index.skills.map(({ name }) => name)).toEqual(['green-tea'])
    expect(outcome.skills[0]?.findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
      'note skill-flat',
      'warning name-missing',
    ])
    expect(outcomeLines(outcome, root, false)).toEqual([
      expect.stringContaining('.skills/green-tea.md:2: warning name-missing: '),
    ])
  })

  test('that cannot be loaded hides no other', async () => {
    expect(await built({ '.skills/bad.md': '# No frontmatter', '.skills/tea.md': TEA })).toEqual([['tea', 1]])
  })

  test('is not any Markdown elsewhere', async () => {
    expect(await built({ 'skills/tea.md': TEA, '.other/.skills/tea.md': TEA })).toEqual([])
    const root = await folderWith({ 'skills/tea.md': TEA })
    const { findings } = await makeBuild([join(root, 'skills/tea.md')], false)
    expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error folder-unreadable'])
  })
})

describe('a hidden folder', () => {
  test('is skipped; one that looks like a place for skills is named', async () => {
    const root = await folderWith({
      'tea/SKILL.md': TEA,
      '.agent/skills/coffee/SKILL.md': COFFEE,
      'more/.curated/coffee/SKILL.md': COFFEE,
      '.git/skills/x': '',
      '.vscode/settings.json': '{}',
    })
    const { build, findings } = await makeBuild([root], false)
    expect(build.index.skills.map(({ name }) => name)).toEqual(['tea'])
    expect(findings.map(({ rule, severity, file }) => [rule, severity, file])).toEqual([
      ['folder-hidden', 'note', join(root, '.agent')],
      ['folder-hidden', 'note', join(root, 'more/.curated')],
    ])
    const output = findings.map(({ message }) => message)
    expect(output).toEqual(Array(2).fill(expect.stringMatching(/^There is 1 skill in this hidden folder/)))
    const named = await makeBuild([join(root, 'more/.curated')], false)
    expect(named.build.index.skills.map(({ name }) => name)).toEqual(['coffee'])
  })
})

describe('a skipped path', () => {
  const many = (base: string, count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${base}/s${at}/SKILL.md`, COFFEE]))

  test('is counted if it has skills, in one line of the summary', async () => {
    const deep = 'a/b/c/d/e/f/g/h/i'
    const root = await folderWith({
      'tea/SKILL.md': TEA,
      ...many('.github/skills', 165),
      '.x/.skills/flat.md': COFFEE,
      'node_modules/p/SKILL.md': COFFEE,
    })
    const outcome = await makeBuild([root], false)
    expect(outcome.unsearched.map(({ why, skills, hasMore: more }) => [why, skills, more])).toEqual([
      ['hidden', 165, false],
      ['hidden', 1, false],
    ])
    const [left, counts] = summaryLines(outcome, root, false)
    expect(left).toBe(
      '166 skills not included, in .github and 1 other folder (hidden). To include them, name the folder itself.',
    )
    expect(counts).toMatch(/^1 of 1 skills loaded, 1 live; 0 errors, 0 warnings, 2 notes \(--notes/)
    const low = await makeBuild([await folderWith({ 'tea/SKILL.md': TEA, ...many(deep, 3) })], false)
    expect(low.unsearched).toEqual([expect.objectContaining({ why: 'deep', skills: 3 })])
    expect(summaryLines(low, '/', false)[0]).toContain('hidden or too deep')
  })

  test('is searched up to a limit', async () => {
    const root = await folderWith(many('.big', UNSEARCHED_FOLDERS_MAX + 5))
    const [unsearched] = (await makeBuild([root], false)).unsearched
    expect(unsearched).toMatchObject({ skills: UNSEARCHED_FOLDERS_MAX - 1, hasMore: true })
    expect(unsearched && unsearchedMessage([unsearched], String)).toMatch(
      /^1,999 skills or more not included/,
    )
  })
})

test('a further folder without any skill is a warning; an empty built-in one is not', async () => {
  const [own, other] = [await folderWith({ 'a.md': '' }), await folderWith({ 'b/c.md': '' })]
  const { findings } = await makeBuild([own, other], false)
  expect(findings.map(({ rule, severity, file }) => [rule, severity, file])).toEqual([
    ['folder-empty', 'warning', other],
  ])
})

test('progress says how many of all skills are read', async () => {
  const root = await folderWith({ 'tea/SKILL.md': TEA, 'coffee/SKILL.md': COFFEE })
  const reported: string[] = []
  await makeBuild([root], false, undefined, (done, all) => reported.push(`${done} of ${all}`))
  expect(reported).toEqual(['1 of 2', '2 of 2'])
})

test('SKILL.md itself may be named instead of its folder', async () => {
  expect(await built({ 'tea/SKILL.md': TEA, 'tea/references/a.md': '' }, 'tea/SKILL.md')).toEqual([
    ['tea', 2],
  ])
})

test('two files whose names differ only in Unicode form are one path: the second is skipped and named', async () => {
  const root = await folderWith({ 'tea/SKILL.md': TEA, 'tea/caf\u00e9.md': 'a', 'tea/cafe\u0301.md': 'b' })
  const { build, skills } = await makeBuild([root], false)
  expect(build.index.skills.map(({ files }) => files)).toEqual([2])
  expect(skills[0]?.findings.map(({ rule, file }) => [rule, file])).toEqual([
    ['path-refused', 'caf\u00e9.md'],
  ])
})
