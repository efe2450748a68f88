// Guards that metadata of a skill is read in every form found in real skills, and kept.

import { describe, expect, test } from 'vitest'
import { mappedTools } from '../../../src/skills/format/tool-names.ts'
import type { SkillMeta } from '../../../src/skills/skill.ts'
import { readHeader, verdicts } from './skill-text.ts'
import { KNOWN_TOOLS } from '../../../src/tools/builtins.ts'
import { unknownTools } from '../../../src/skills/check/known-tools.ts'

const HEAD = 'name: my-skill\ndescription: Does things.'

function meta(more: string): SkillMeta | undefined {
  return readHeader(`${HEAD}\n${more}`, 'lenient').skill?.meta
}

describe('allowed-tools', () => {
  test.each<[string, string, string[] | null]>([
    ['not declared', 'license: MIT', null],
    ['blank is not declared', 'allowed-tools:', null],
    ['an empty list removes all', 'allowed-tools: []', []],
    ['one name', 'allowed-tools: Read', ['Read']],
    ['spaces', 'allowed-tools: Bash(git:*) Bash(jq:*) Read', ['Bash(git:*)', 'Bash(jq:*)', 'Read']],
    ['commas', 'allowed-tools: Read, Write,Edit', ['Read', 'Write', 'Edit']],
    [
      'spaces and commas inside parentheses',
      'allowed-tools: Bash(docker ps *), Agent(a, b)',
      ['Bash(docker ps *)', 'Agent(a, b)'],
    ],
    [
      'a block list',
      'allowed-tools:\n  - Agent(a, b)\n  - Azure MCP/documentation',
      ['Agent(a, b)', 'Azure MCP/documentation'],
    ],
    ['a flow list', 'allowed-tools: [Read, mcp__x__y]', ['Read', 'mcp__x__y']],
    ['the same twice', 'allowed-tools: Read Read', ['Read']],
    ['a map is ignored', 'allowed-tools:\n  Bash: yes', null],
  ])('%s', (_what, header, names) => {
    expect(meta(header)?.allowedTools).toEqual(names)
  })
})

describe('tools by our names', () => {
  test('are mapped from known names whatever their case and arguments, each once; the rest stay as written', () => {
    const names = [
      'Read',
      'read_file',
      'Bash(git:*)',
      'bash',
      'MultiEdit',
      'TodoWrite',
      'mcp__x__y',
      'Azure MCP/doc',
    ]
    expect(mappedTools(names, KNOWN_TOOLS)).toEqual({
      known: ['read_file', 'bash', 'str_replace', 'write_todos'],
      unknown: ['mcp__x__y', 'Azure MCP/doc'],
    })
    expect(mappedTools(['constructor', '__proto__', '(x)', ''], KNOWN_TOOLS)).toEqual({
      known: [],
      unknown: ['constructor', '__proto__', '(x)', ''],
    })
  })

  test('exist for every name of the table', () => {
    const theirs = 'Read Bash LS Glob Grep Write Edit WebFetch WebSearch TodoWrite AskUserQuestion'.split(' ')
    expect(mappedTools(theirs, KNOWN_TOOLS)).toEqual({
      known: [
        'read_file',
        'bash',
        'ls',
        'glob',
        'grep',
        'write_file',
        'str_replace',
        'web_fetch',
        'web_search',
      ].concat(['write_todos', 'ask_clarification']),
      unknown: [],
    })
  })

  test.each<[string, string, string[]]>([
    ['a text', 'disallowed-tools: Bash(rm:*) Write, mcp__x', ['Bash(rm:*)', 'Write', 'mcp__x']],
    ['a block list', 'disallowed-tools:\n  - Bash\n  - WebFetch', ['Bash', 'WebFetch']],
    ['a flow list', 'disallowed-tools: [Edit]', ['Edit']],
    ['none', 'license: MIT', []],
    ['blank', 'disallowed-tools:', []],
    ['a map is ignored', 'disallowed-tools:\n  Bash: yes', []],
  ])('disallowed-tools: %s', (_what, header, names) => {
    expect(meta(header)?.disallowedTools).toEqual(names)
  })

  test('that are unknown are a note with its line, and an endless list is cut', () => {
    const text = `${HEAD}\nallowed-tools: Read Teleport`
    const parsed = readHeader(text, 'lenient')
    const found = parsed.skill && unknownTools(parsed.skill.meta, `---\n${text}`, KNOWN_TOOLS)
    expect(found).toMatchObject([{ rule: 'tool-unknown', severity: 'note', line: 4 }])
    const many = Array.from({ length: 200 }, (_, at) => `t${at}`).join(' ')
    const cut = readHeader(`${HEAD}\nallowed-tools: ${many}`, 'lenient')
    expect(cut.skill?.meta.allowedTools).toHaveLength(128)
    expect(verdicts(cut)).toContain('warning too-many-tools')
    const forbidden = readHeader(`${HEAD}\ndisallowed-tools: ${many}`, 'strict')
    expect(verdicts(forbidden)).toContain('error too-many-tools')
  })
})

describe('dependencies', () => {
  test.each<[string, string, string[]]>([
    ['a block list', 'dependencies:\n  - tea\n  - hot-water', ['tea', 'hot-water']],
    ['a flow list', 'dependencies: [tea, tea]', ['tea']],
    ['commas and spaces', 'dependencies: tea, hot-water\n  cups', ['tea', 'hot-water', 'cups']],
    ['in metadata', 'metadata:\n  dependencies: tea', ['tea']],
    ['its own field takes precedence', 'dependencies: tea\nmetadata:\n  dependencies: milk', ['tea']],
    ['compatibility forms', 'dependencies: ｔｅａ, 技能', ['tea', '技能']],
    ['empty', 'dependencies: []', []],
    ['blank', 'dependencies:', []],
  ])('%s', (_what, header, names) => {
    const parsed = readHeader(`${HEAD}\n${header}`, 'lenient')
    expect(parsed.skill?.meta.dependencies).toEqual(names)
    expect(verdicts(parsed)).toEqual([])
  })

  test.each<[string, string, string[], string]>([
    ['an invalid name', 'dependencies: tea, ../x, My_Skill, -a', ['tea'], 'dependency-name'],
    ['the skill itself', 'dependencies: my-skill tea', ['tea'], 'dependency-name'],
    ['packages with versions', 'dependencies: python>=3.8, pandas', [], 'dependencies-not-skills'],
    ['structure', 'dependencies:\n  tea: 1', [], 'dependencies-unreadable'],
    ['a list of lists', 'dependencies: [[tea]]', [], 'dependencies-unreadable'],
  ])('%s is reported', (_what, header, names, rule) => {
    for (const mode of ['lenient', 'strict'] as const) {
      const parsed = readHeader(`${HEAD}\n${header}`, mode)
      expect(parsed.findings).toContainEqual(expect.objectContaining({ rule, severity: 'warning', line: 4 }))
      if (parsed.skill) expect(parsed.skill.meta.dependencies).toEqual(names)
    }
  })

  test('are limited', () => {
    const many = Array.from({ length: 40 }, (_, at) => `s${at}`).join(' ')
    const parsed = readHeader(`${HEAD}\ndependencies: ${many}`, 'lenient')
    expect(parsed.skill?.meta.dependencies).toHaveLength(32)
    expect(verdicts(parsed)).toEqual(['warning too-many-dependencies'])
  })
})

describe('version, changelog and hint', () => {
  test.each<[string, string, Partial<SkillMeta>]>([
    ['changelog', 'changelog: |\n  - milk\n  - sugar', { changelog: '- milk - sugar' }],
    ['changelog as a list', 'changelog:\n  - milk\n  - sugar', { changelog: 'milk, sugar' }],
    ['changelog in metadata', 'metadata:\n  changelog: milk', { changelog: 'milk' }],
    ['none', 'license: MIT', { changelog: null, version: null, argumentHint: null }],
    ['hint', 'argument-hint: <cup> "[size]"', { argumentHint: '<cup> "[size]"' }],
    ['hint as a list', 'argument-hint: [cup, size]', { argumentHint: 'cup size' }],
    ['hint that YAML refuses', 'argument-hint: [cup] [size]', { argumentHint: '[cup] [size]' }],
  ])('%s', (_what, header, expected) => {
    expect(meta(header)).toMatchObject(expected)
  })

  test('are limited and cleaned', () => {
    expect(Array.from(meta(`changelog: ${'x'.repeat(5_000)}`)?.changelog ?? '')).toHaveLength(1_000)
    expect(Array.from(meta(`argument-hint: ${'x'.repeat(500)}`)?.argumentHint ?? '')).toHaveLength(200)
    const parsed = readHeader(`${HEAD}\nchangelog: "a\u200Bb\u{E0061}"`, 'lenient')
    expect(parsed.skill?.meta.changelog).toBe('ab')
    expect(verdicts(parsed)).toEqual(['warning invisible-character'])
  })
})

describe('the card', () => {
  test.each<[string, string, SkillMeta['card']]>([
    [
      'all fields',
      'metadata:\n  title: Brew tea\n  summary: Brews a pot.\n  icon: cup\n  examples: |\n    Brew tea.\n\n    Brew it black.',
      { title: 'Brew tea', summary: 'Brews a pot.', icon: 'cup', examples: ['Brew tea.', 'Brew it black.'] },
    ],
    [
      'a list',
      'metadata:\n  examples: [a, b]',
      { title: null, summary: null, icon: null, examples: ['a', 'b'] },
    ],
    ['none', 'metadata:\n  tags: tea', null],
    ['blank', 'metadata:\n  title: ""\n  examples: " "', null],
    ['of another type', 'metadata:\n  title: {a: b}\n  examples:\n    a: b', null],
  ])('%s', (_what, header, card) => {
    expect(meta(header)?.card ?? null).toEqual(card)
  })

  test('is limited and cleaned', () => {
    const card = meta(
      `metadata:\n  title: ${'t'.repeat(99)}\n  examples: |\n${'    a\u200B\n'.repeat(9)}`,
    )?.card
    expect(card?.title).toHaveLength(60)
    expect(card?.examples).toEqual(['a', 'a', 'a', 'a'])
  })
})

describe('text for display', () => {
  test.each([
    ['zero width', '\u200B'],
    ['bidi', '\u202E'],
    ['tags', '\u{E0041}'],
    ['selectors beyond the first sixteen', '\u{E0100}'],
    ['Hangul filler', '\u3164'],
    ['soft hyphen', '\u00AD'],
  ])('%s is removed from the description and reported', (_what, hidden) => {
    const parsed = readHeader(`name: my-skill\ndescription: Do${hidden}es.`, 'strict')
    expect(parsed.skill?.meta.description).toBe('Does.')
    expect(parsed.findings).toMatchObject([{ rule: 'invisible-character', severity: 'warning', line: 3 }])
  })

  test('emoji with their selector stay', () => {
    expect(readHeader('name: my-skill\ndescription: Sun ☀️.', 'strict').skill?.meta.description).toBe(
      'Sun ☀️.',
    )
  })
})

describe('switches', () => {
  test.each(['true', 'True', 'yes', 'on', '1'])(
    'disable-model-invocation: %s hides it from the model',
    (word) => {
      expect(meta(`disable-model-invocation: ${word}`)).toMatchObject({
        modelInvocable: false,
        userInvocable: true,
      })
    },
  )

  test.each(['false', 'no', 'Off', '0'])('user-invocable: %s hides it from the menu', (word) => {
    expect(meta(`user-invocable: ${word}`)).toMatchObject({ modelInvocable: true, userInvocable: false })
  })

  test('any other value changes nothing and is reported', () => {
    const parsed = readHeader(`${HEAD}\nuser-invocable: maybe`, 'lenient')
    expect(parsed.skill?.meta.userInvocable).toBe(true)
    expect(verdicts(parsed)).toEqual(['warning flag-unreadable'])
  })
})

describe('description and when_to_use', () => {
  test('are joined on one line', () => {
    expect(meta('when_to_use: |\n  When asked\n  for more.')?.description).toBe(
      'Does things. When asked for more.',
    )
  })

  test('are cut together at 1,536 code points', () => {
    const description = meta(`when_to_use: ${'😀'.repeat(2_000)}`)?.description ?? ''
    expect(Array.from(description)).toHaveLength(1_536)
    expect(description.endsWith('😀…')).toBe(true)
  })
})

describe('other fields', () => {
  test.each<[string, string, string[]]>([
    ['a list', 'tags:\n  - b\n  - a', ['b', 'a']],
    ['a comma text', 'tags: b, a ,b', ['b', 'a']],
    ['in metadata', 'metadata:\n  tags: [x, y]', ['x', 'y']],
    ['its own field takes precedence', 'tags: a\nmetadata:\n  tags: b', ['a']],
    ['none', 'metadata:\n  other: x', []],
  ])('tags: %s', (_what, header, tags) => {
    expect(meta(header)?.tags).toEqual(tags)
  })

  test('version comes from its own field, else from metadata', () => {
    expect(meta('version: 2.0')?.version).toBe('2.0')
    expect(meta('metadata:\n  version: 1.10')?.version).toBe('1.10')
  })

  test('a license stays text, a list of them is joined', () => {
    expect(meta('license: 2.0')?.license).toBe('2.0')
    expect(meta('license: [MIT, Apache-2.0]')?.license).toBe('MIT, Apache-2.0')
  })

  test('compatibility as a map is flattened for display; past 500 it is cut and reported', () => {
    expect(meta('compatibility:\n  nodejs: ">=18"')?.compatibility).toBe('nodejs: >=18')
    const parsed = readHeader(`${HEAD}\ncompatibility: ${'x'.repeat(501)}`, 'lenient')
    expect(verdicts(parsed)).toEqual(['warning compatibility-too-long'])
    expect(Array.from(parsed.skill?.meta.compatibility ?? '')).toHaveLength(500)
  })

  test('metadata keeps its structure; unknown fields are kept and noted once', () => {
    const parsed = readHeader(
      `${HEAD}\nmetadata:\n  a: 1\n  b: [x, {c: d}]\nowner: me\nreviewed: 2026-04-24`,
      'lenient',
    )
    expect(parsed.skill?.meta.extra).toEqual({
      metadata: { a: '1', b: ['x', { c: 'd' }] },
      owner: 'me',
      reviewed: '2026-04-24',
    })
    expect(verdicts(parsed)).toEqual(['note unknown-field'])
  })

  test('fields that work elsewhere and not here are named, each with its line and why', () => {
    const { findings } = readHeader(`${HEAD}\nhooks: x\nmodel: y`, 'lenient')
    const idle = findings.filter(({ rule }) => rule === 'field-without-effect')
    expect(idle.map(({ severity, line }) => [severity, line])).toEqual([
      ['note', 4],
      ['note', 5],
    ])
    expect(idle[0]?.message).toContain("'hooks' has no effect here: this host runs nothing")
  })

  test('publishing notes the fields that Satchel adds to the specification', () => {
    const parsed = readHeader(`${HEAD}\ntags: a\nuser-invocable: false`, 'strict')
    expect(verdicts(parsed)).toEqual(['note extension-field'])
    expect(parsed.skill?.meta.tags).toEqual(['a'])
  })

  test('a body beyond the recommended length is a warning in both modes', () => {
    for (const mode of ['strict', 'lenient'] as const)
      expect(verdicts(readHeader(`${HEAD}\n---\n${'x\n'.repeat(501)}`, mode))).toEqual(['warning body-long'])
  })
})
