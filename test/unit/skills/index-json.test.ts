// Guards that an index has one serialization: it is found by its sha-256, so equal content must give equal bytes.

import { describe, expect, test } from 'vitest'
import { fromUtf8 } from '../../../src/lib/bytes.ts'
import { indexText } from '../../../src/skills/store/index-json.ts'
import { indexObjects, indexOfObjects } from '../../../src/skills/store/index-objects.ts'
import type { IndexEntry, ToolEntry } from '../../../src/skills/skill.ts'

function entry(name: string): IndexEntry {
  return {
    name,
    description: `Does ${name}.`,
    category: 'public',
    digest: 'a'.repeat(64),
    body: 'b'.repeat(64),
    license: null,
    tags: ['x'],
    allowed_tools: null,
    model_invocable: true,
    user_invocable: true,
    internal: false,
    disallowed_tools: [],
    argument_hint: null,
    dependencies: [],
    version: null,
    card: null,
    changelog: null,
    search_terms: '',
    tokens: { index: 5, body: 10 },
    files: 1,
    bytes: 40,
    enabled: true,
    shareable: false,
    shadows: false,
    updated_at: null,
    diagnostics: [{ rule: 'r', severity: 'note', file: 'SKILL.md', line: 3, message: 'm', fix: 'f' }],
  }
}

describe('indexText', () => {
  test('does not depend on the order of entries or of their keys', () => {
    const a = entry('a')
    const turned = Object.fromEntries(Object.entries(a).toReversed()) as unknown as IndexEntry // the cast is safe: the object has the same keys, in reverse order
    const text = indexText({ format: 1, skills: [a, entry('B'), entry('ä')] })
    expect(indexText({ format: 1, skills: [entry('ä'), turned, entry('B')] })).toBe(text)
    expect(indexOfObjects([text])?.skills.map(({ name }) => name)).toEqual(['B', 'a', 'ä'])
  })

  test('refuses an entry that readers would reject', () => {
    const wrong = { ...entry('a'), digest: 'none' }
    expect(() => indexText({ format: 1, skills: [wrong] })).toThrow('"a"')
  })

  test('is read back unchanged', () => {
    const index = { format: 1 as const, skills: [entry('a'), entry('b')] }
    expect(indexOfObjects([indexText(index)])).toEqual(index)
  })
})

describe('tools in an index', () => {
  const tool: ToolEntry = {
    name: 'find',
    digest: '3'.repeat(64),
    definition: { url: 'x', name: 'find' },
    enabled: true,
    source: 'workspace',
    updated_at: null,
  }
  const skills = [entry('a'), entry('b')]

  test('follow its skills whatever the order of their keys, and add no byte if there are none', async () => {
    const tools = [tool, { ...tool, name: 'another' }]
    const text = indexText({ format: 1, skills, tools })
    const turned = { ...tool, definition: { name: 'find', url: 'x' } }
    expect(indexText({ format: 1, skills, tools: [{ ...tool, name: 'another' }, turned] })).toBe(text)
    expect(indexOfObjects([text])?.tools?.map(({ name }) => name)).toEqual(['another', 'find'])
    expect(indexText({ format: 1, skills, tools: [] })).toBe(indexText({ format: 1, skills }))
  })

  test('are read the same from one object as from many', async () => {
    for (const size of [1, 1_000_000]) {
      const made = await indexObjects({ format: 1, skills, tools: [tool] }, size)
      const texts = made.objects.map(({ bytes }) => fromUtf8(bytes) ?? '')
      expect(texts.length).toBe(size === 1 ? 3 : 1)
      expect(indexOfObjects(texts)).toEqual({ format: 1, skills, tools: [tool] })
    }
  })

  test.each([
    ['a name twice', [tool, tool]],
    ['a definition that is a list', [{ ...tool, definition: [] }]],
    ['not a list', {}],
  ])('are refused with %s', (_what, tools) => {
    expect(indexOfObjects([JSON.stringify({ format: 1, skills, tools })])).toBeNull()
  })
})

describe('indexOfObjects', () => {
  const good = { format: 1, skills: [entry('a'), entry('b')] }

  test('ignores fields of a newer writer', () => {
    const newer = { ...good, more: 1, skills: [{ ...entry('a'), more: 2 }] }
    expect(indexOfObjects([JSON.stringify(newer)])).toEqual({ format: 1, skills: [entry('a')] })
  })

  test.each([
    ['not JSON', '{'],
    ['null', 'null'],
    ['another format', JSON.stringify({ ...good, format: 2 })],
    ['unsorted', JSON.stringify({ ...good, skills: good.skills.toReversed() })],
    ['a name twice', JSON.stringify({ ...good, skills: [entry('a'), entry('a')] })],
    ['an invalid digest', JSON.stringify({ ...good, skills: [{ ...entry('a'), digest: '../x' }] })],
    ['a missing field', JSON.stringify({ ...good, skills: [{ ...entry('a'), enabled: undefined }] })],
    ['an invalid list', JSON.stringify({ ...good, skills: [{ ...entry('a'), tags: 'x' }] })],
    ['a number among tags', JSON.stringify({ ...good, skills: [{ ...entry('a'), tags: ['x', 1] }] })],
    [
      'a finding without a message',
      JSON.stringify({ ...good, skills: [{ ...entry('a'), diagnostics: [{}] }] }),
    ],
    ['no list of skills', JSON.stringify({ format: 1, skills: null })],
    ['null among skills', JSON.stringify({ format: 1, skills: [null] })],
    ['a negative count', JSON.stringify({ ...good, skills: [{ ...entry('a'), files: -1 }] })],
  ])('refuses %s', (_what, text) => {
    expect(indexOfObjects([text])).toBeNull()
  })
})
