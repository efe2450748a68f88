// Guards the check of paths: paths are data, never storage keys, and one function refuses those that could escape, hide
// or collide.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSkillPath, pathCollision, resolveInside } from '../../../src/skills/format/path.ts'

const value = (result: { ok: boolean; value?: string }): string | null =>
  result.ok ? (result.value ?? '') : null

describe('checkSkillPath', () => {
  test.each([
    'SKILL.md',
    'references/a b.md',
    '(cloud)/x.md',
    'a/b/c/d.e.f',
    'écrit.md',
    '.hidden',
    'x#y.md',
    '..a',
    'a..b',
  ])('accepts %s', (path) => {
    expect(value(checkSkillPath(path))).toBe(path)
  })

  test.each([
    ['empty', ''],
    ['absolute', '/etc/passwd'],
    ['a drive', 'C:x'],
    ['a backslash', 'a\\..\\b'],
    ['a UNC path', '//server/share'],
    ['climbing', '../x'],
    ['.. inside', 'a/../../x'],
    ['a dot', './a'],
    ['a dot inside', 'a/./b'],
    ['an empty segment', 'a//b'],
    ['a folder', 'a/'],
    ['NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['a colon', 'file:stream'],
    ['encoded dots', '%2e%2e/x'],
    ['an encoded slash', 'a%2Fb'],
    ['twice encoded', 'a%252fb'],
    ['one-dot leaders as dots', '\u2024\u2024/x'],
    ['a trailing dot', 'a./b'],
    ['a trailing space', 'a /b'],
    ['an override', 'a\u202Etxt.md'],
    ['a zero-width space', 'a\u200Bb'],
    ['half a surrogate pair', 'a\uD800'],
    ['256 characters', 'a'.repeat(256)],
    ['17 deep', 'a/'.repeat(16) + 'b'],
  ])('refuses %s', (_what, path) => {
    const result = checkSkillPath(path)
    expect(result.ok).toBe(false)
    if (!result.ok) expect(result.error).toMatch(/^The path '.*' .+\.$/)
  })

  test('returns NFC', () => {
    expect(value(checkSkillPath('cafe\u0301.md'))).toBe('caf\u00e9.md')
  })

  test('accepts only paths that stay inside any folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', '%2e', ' ', ':') }), (path) => {
        const taken = value(checkSkillPath(path))
        if (taken !== null) expect(new URL(taken, 'https://x/skill/').pathname).toMatch(/^\/skill\/./)
      }),
    )
  })
})

describe('resolveInside', () => {
  test.each([
    ['./references/a.md', 'references/a.md'],
    ['references/../scripts/x.py', 'scripts/x.py'],
    ['references/c#.md', 'references/c#.md'],
    ['SKILL.md', 'SKILL.md'],
    ['../other/SKILL.md', null],
    ['references/../../x', null],
    ['/etc/passwd', null],
    ['', null],
    ['.', null],
  ])('%s', (reference, path) => {
    expect(value(resolveInside(reference))).toBe(path)
  })
})

describe('pathCollision', () => {
  test.each([
    [['a.md', 'b.md', 'a/b.md', 'ab/c.md'], null],
    [
      ['SKILL.md', 'skill.md'],
      ['skill.md', 'SKILL.md'],
    ],
    [
      ['é.md', 'e\u0301.md'],
      ['e\u0301.md', 'é.md'],
    ],
    [
      ['straße', 'STRASSE'],
      ['STRASSE', 'straße'],
    ],
    [
      ['a/b', 'a'],
      ['a/b', 'a'],
    ],
    [
      ['A', 'a/b/c'],
      ['a/b/c', 'A'],
    ],
  ])('%j', (paths, pair) => {
    expect(pathCollision(paths)).toEqual(pair)
  })
})
