// What a skill says of itself is read in every form found in the wild, and kept.

import { describe, expect, test } from 'vitest'
import type { SkillMeta } from '../../../src/skills/skill.ts'
import { readHeader, verdicts } from './skill-text.ts'

const HEAD = 'name: my-skill\ndescription: Does things.'

function meta(more: string): SkillMeta | undefined {
  return readHeader(`${HEAD}\n${more}`, 'lenient').skill?.meta
}

describe('allowed-tools', () => {
  test.each<[string, string, string[] | null]>([
    ['not declared', 'license: MIT', null],
    ['blank is not declared', 'allowed-tools:', null],
    ['an empty list takes all away', 'allowed-tools: []', []],
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
    ['a map is passed over', 'allowed-tools:\n  Bash: yes', null],
  ])('%s', (_what, header, names) => {
    expect(meta(header)?.allowedTools).toEqual(names)
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

  test.each(['false', 'no', 'Off', '0'])('user-invocable: %s keeps it from the menu', (word) => {
    expect(meta(`user-invocable: ${word}`)).toMatchObject({ modelInvocable: true, userInvocable: false })
  })

  test('another word changes nothing and is reported', () => {
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
    ['its own field wins', 'tags: a\nmetadata:\n  tags: b', ['a']],
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

  test('fields that work elsewhere and not here are named', () => {
    const { findings } = readHeader(`${HEAD}\nhooks: x\nmodel: y`, 'lenient')
    expect(findings.find(({ rule }) => rule === 'field-without-effect')?.message).toContain(
      "'hooks', 'model'",
    )
  })

  test('publishing warns of the fields that Satchel adds to the specification', () => {
    const parsed = readHeader(`${HEAD}\ntags: a\nuser-invocable: false`, 'strict')
    expect(verdicts(parsed)).toEqual(['warning extension-field'])
    expect(parsed.skill?.meta.tags).toEqual(['a'])
  })

  test('a body beyond the advice is a warning in both ways', () => {
    for (const mode of ['strict', 'lenient'] as const)
      expect(verdicts(readHeader(`${HEAD}\n---\n${'x\n'.repeat(501)}`, mode))).toEqual(['warning body-long'])
  })
})
