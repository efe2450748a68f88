// Promise 7: publishing refuses what the standard refuses. The verdicts are those of the reference validator's own
// tests; STRICTER_THAN_REFERENCE and LOOSER_THAN_REFERENCE list the deliberate differences.

import { describe, expect, test } from 'vitest'
import { isError, parseStrictly } from './strictly.ts'
import { folderWith, readFileText, skillMd, TEA } from './skill-text.ts'
import { makeBuild } from '../../../scripts/build/build.ts'
import { slashCommands } from '../../../src/skills/view/slash.ts'

const GOOD = 'description: Does things. Use when things need doing.'

describe('strict reading reads like the reference parser', () => {
  test('valid frontmatter gives both fields and a body that keeps its heading', () => {
    const { skill } = readFileText(skillMd(`name: my-skill\n${GOOD}`, '# My skill\n\nSteps.'), 'strict')
    expect(skill?.meta.name).toBe('my-skill')
    expect(skill?.meta.description).toBe('Does things. Use when things need doing.')
    expect(skill?.body).toBe('# My skill\n\nSteps.')
  })

  test.each([
    ['no frontmatter at all', '# My skill\n', 'frontmatter-missing', 'must start with YAML frontmatter'],
    [
      'opened and never closed',
      `---\nname: my-skill\n${GOOD}\n`,
      'frontmatter-unclosed',
      'not properly closed',
    ],
    ['a flow list that never ends', skillMd(`name: [invalid\n${GOOD}`), 'yaml-invalid', 'Invalid YAML'],
    ['a list as frontmatter', skillMd('- one\n- two'), 'frontmatter-not-mapping', 'must be a YAML mapping'],
    ['no name', skillMd(GOOD), 'name-missing', 'Missing required field in frontmatter: name'],
    [
      'no description',
      skillMd('name: my-skill'),
      'description-missing',
      'Missing required field in frontmatter: desc',
    ],
  ])('%s is refused', (_what, text, rule, words) => {
    const { skill, findings } = readFileText(text, 'strict')
    expect(skill).toBeNull()
    const refusals = findings.filter((finding) => finding.severity === 'error')
    expect(refusals.map((finding) => finding.rule)).toEqual([rule])
    expect(refusals[0]?.message).toContain(words)
    expect(refusals[0]?.fix).not.toBe('')
  })

  test('license is read, and an unquoted metadata version stays the text 1.0', () => {
    const header = `name: my-skill\n${GOOD}\nlicense: MIT\nmetadata:\n  author: me\n  version: 1.0`
    const { skill } = readFileText(skillMd(header), 'strict')
    expect(skill?.meta.license).toBe('MIT')
    expect(skill?.meta.version).toBe('1.0')
    expect(skill?.meta.extra).toEqual({ metadata: { author: 'me', version: '1.0' } })
  })

  test('allowed-tools keeps each name with its parentheses', () => {
    const header = `name: my-skill\n${GOOD}\nallowed-tools: Bash(jq:*) Bash(git:*)`
    expect(readFileText(skillMd(header), 'strict').skill?.meta.allowedTools).toEqual([
      'Bash(jq:*)',
      'Bash(git:*)',
    ])
  })
})

describe('the SKILL.md of a folder', () => {
  const lower = TEA.replace('thirsty', 'parched')

  test.each([
    [
      'SKILL.md and skill.md: the upper-case one',
      { 'tea/SKILL.md': TEA, 'tea/skill.md': lower },
      ['thirsty'],
    ],
    ['skill.md alone is found', { 'tea/skill.md': lower }, ['parched']],
    ['neither: no skill', { 'tea/README.md': TEA, 'tea/Skill.md': TEA }, []],
    ['an empty folder: no skill', { 'other.txt': '' }, []],
  ])('%s', async (_what, files, words) => {
    const { build } = await makeBuild([await folderWith(files)], false)
    expect(build.index.skills.map((entry) => /is (\w+)\./.exec(entry.description)?.[1])).toEqual(words)
  })

  test('a missing path and a path that is a file are one error each', async () => {
    const root = await folderWith({ file: TEA })
    for (const path of [`${root}/nowhere`, `${root}/file`]) {
      const { findings, build } = await makeBuild([path], false)
      expect(findings.map((finding) => finding.rule)).toEqual(['folder-unreadable'])
      expect(build.index.skills).toEqual([])
    }
  })
})

describe('the reference validator and strict reading agree', () => {
  const of = (name: string, more = ''): string => skillMd(`name: ${name}\n${GOOD}${more && `\n${more}`}`)

  test.each([
    ['a minimal skill', of('my-skill'), 'my-skill'],
    ['license and metadata', of('my-skill', 'license: MIT\nmetadata:\n  author: me'), 'my-skill'],
    ['an allowed-tools text', of('my-skill', 'allowed-tools: Read Bash(git:*)'), 'my-skill'],
    ['Chinese letters', of('技能'), '技能'],
    ['Cyrillic letters with a hyphen', of('мой-навык'), 'мой-навык'],
    ['Cyrillic lower case', of('навык'), 'навык'],
    ['a compatibility text', of('my-skill', 'compatibility: Requires Python 3.11+'), 'my-skill'],
    ['an indented closing fence', `---\nname: my-skill\n${GOOD}\n  ---\n\n# A\n`, 'my-skill'],
    [
      'a folded description of 1,023 and its newline',
      skillMd(`name: my-skill\ndescription: >\n  ${'x'.repeat(1023)}`),
      'my-skill',
    ],
    ['a decomposed name in a composed folder', of('cafe\u0301'), 'caf\u00e9'],
  ])('%s is valid', (_what, text, folder) => {
    expect(parseStrictly(text, folder).filter(isError)).toEqual([])
  })

  test.each([
    ['capitals', of('MySkill'), 'MySkill', 'name-not-lowercase', 'lowercase'],
    ['70 characters', of('a'.repeat(70)), 'a'.repeat(70), 'name-too-long', 'character limit'],
    [
      'a leading hyphen',
      of('-my-skill'),
      '-my-skill',
      'name-edge-hyphen',
      'cannot start or end with a hyphen',
    ],
    ['two hyphens', of('my--skill'), 'my--skill', 'name-double-hyphen', 'consecutive hyphens'],
    ['an underscore', of('my_skill'), 'my_skill', 'name-invalid-characters', 'invalid characters'],
    ['another folder', of('correct-name'), 'wrong-name', 'name-not-folder', 'must match'],
    [
      'an unknown field',
      of('my-skill', 'unknown_field: x'),
      'my-skill',
      'unknown-field',
      'Unexpected fields',
    ],
    ['Cyrillic capitals', of('НАВЫК'), 'НАВЫК', 'name-not-lowercase', 'lowercase'],
    [
      'a description of 1,100',
      skillMd(`name: my-skill\ndescription: ${'x'.repeat(1100)}`),
      'my-skill',
      'description-too-long',
      'exceeds 1024',
    ],
    [
      'a folded description of 1,024 and its newline',
      skillMd(`name: my-skill\ndescription: >\n  ${'x'.repeat(1024)}`),
      'my-skill',
      'description-too-long',
      'exceeds 1024',
    ],
    ['a flow map', of('my-skill', 'metadata: {a: b}'), 'my-skill', 'yaml-flow-style', 'flow style'],
    [
      'a compatibility of 550',
      of('my-skill', `compatibility: ${'x'.repeat(550)}`),
      'my-skill',
      'compatibility-too-long',
      'exceeds 500',
    ],
  ])('%s: one error, of the right rule', (_what, text, folder, rule, words) => {
    const found = parseStrictly(text, folder).filter(isError)
    expect(found.map((finding) => finding.rule)).toEqual([rule])
    expect(found[0]?.message).toContain(words)
    expect(found[0]?.line).toBeGreaterThan(1)
  })
})

test('names outside ASCII are refused for publishing, by a separate rule, and still load', () => {
  for (const name of ['技能', 'straße', 'ａｂ']) {
    const text = skillMd(`name: ${name}\n${GOOD}`)
    const folder = name.normalize('NFKC')
    const strict = readFileText(text, 'strict', folder)
    expect(strict.findings.map((finding) => finding.rule)).toEqual(['name-not-ascii'])
    expect(strict.skill).toBeNull()
    expect(readFileText(text, 'lenient', folder).skill?.meta.name).toBe(folder)
  }
})

describe('fields that some host acts on', () => {
  const KNOWN = (
    'argument-hint arguments disable-model-invocation user-invocable when_to_use model effort context agent ' +
    'background hooks shell paths tags version changelog dependencies disallowed-tools'
  ).split(' ')

  test.each(KNOWN)('%s is a note here and a refusal there', (key) => {
    const value = key === 'disable-model-invocation' || key === 'user-invocable' ? 'true' : 'tea'
    const text = skillMd(`name: my-skill\n${GOOD}\n${key}: ${value}`)
    const strict = readFileText(text, 'strict')
    expect(strict.skill?.meta.name).toBe('my-skill')
    expect(strict.findings).toContainEqual(
      expect.objectContaining({ rule: 'extension-field', severity: 'note', line: 4 }),
    )
    expect(parseStrictly(text, 'my-skill').filter(isError)).toMatchObject([{ rule: 'extension-field' }])
    const rules = readFileText(text, 'lenient').findings.map(({ rule }) => rule)
    expect(rules).not.toContain('unknown-field')
    expect(rules).not.toContain('extension-field')
  })

  test('beside an unknown field the skill is refused for that one alone', () => {
    const text = skillMd(`name: my-skill\n${GOOD}\nmodel: opus\nowner: me`)
    const { skill, findings } = readFileText(text, 'strict')
    expect(skill).toBeNull()
    expect(findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
      "Unexpected fields in frontmatter: 'owner'.",
    ])
  })
})

describe('a name that clients reserve', () => {
  test.each(['bootstrap', 'goal', 'help', 'memory', 'models', 'new', 'status'])(
    '%s gets a warning',
    (name) => {
      for (const mode of ['strict', 'lenient'] as const) {
        const { skill, findings } = readFileText(skillMd(`name: ${name}\n${GOOD}`), mode, name)
        expect(skill?.meta.name).toBe(name)
        expect(findings).toMatchObject([{ rule: 'name-reserved', severity: 'warning', line: 2 }])
      }
      // A message that begins with one of these names is passed on as text.
      expect(slashCommands(`/${name} x`).names).toEqual([])
    },
  )

  test('a longer one does not', () => {
    expect(readFileText(skillMd(`name: new-status\n${GOOD}`), 'strict', 'new-status').findings).toEqual([])
  })
})

test('the error of YAML is a sentence before the fix', () => {
  const { findings } = readFileText(skillMd('name: my-skill\ndescription: Use when: a: b'), 'strict')
  expect(findings[0]?.message).toMatch(/^Invalid YAML in frontmatter: .*[a-z]\.$/)
})
