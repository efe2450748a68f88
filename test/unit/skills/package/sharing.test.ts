// Promise: skills listed for other tools stay exactly within their limits, and a publisher learns why a shared skill
// is not listed or cannot be read by others.

import { expect, test } from 'vitest'
import { isListableName, listedDescription, sharingFindings } from '../../../../src/skills/package/sharing.ts'
import { entry } from '../store/entries.ts'

const SHA = 'a'.repeat(64)
const MD = '---\nname: x\ndescription: Does x.\n---\n\nBody.\n'

test.each(['a', 'a1-b2', '0', 'x'.repeat(64)])('%j is a name that clients accept', (name) =>
  expect(isListableName(name)).toBe(true),
)

test.each(['', '-a', 'a-', 'a--b', 'A', 'ü', 'a_b', 'a.b', 'a/b', 'a b', 'x'.repeat(65), 'a\n', '__proto__'])(
  '%j is not',
  (name) => expect(isListableName(name)).toBe(false),
)

test.each([
  ['x'.repeat(1_024), 'x'.repeat(1_024)],
  ['x'.repeat(1_025), `${'x'.repeat(1_023)}…`],
  ['😀'.repeat(512), '😀'.repeat(512)],
  [`${'😀'.repeat(512)}x`, `${'😀'.repeat(511)}…`],
  [`x${'😀'.repeat(512)}`, `x${'😀'.repeat(511)}…`],
])('a description is cut at 1,024 UTF-16 units, never within a character', (description, shown) =>
  expect(listedDescription({ description })).toBe(shown),
)

function rules(change: Parameters<typeof entry>[1], md = MD, paths = ['SKILL.md', 'a.md']): string {
  const files = paths.map((path) => ({ path, sha256: SHA }))
  return sharingFindings(entry('x', { shareable: true, ...change }), files, md)
    .map(({ rule }) => rule)
    .join()
}

test('a shared skill that every client can read has no findings', () => {
  expect(rules({})).toBe('')
  expect(rules({}, MD.replaceAll('\n', '\r\n'))).toBe('')
  expect(rules({}, MD.trimEnd().replace('\n\nBody.', ''))).toBe('')
})

test('findings name what prevents sharing, and only for a shared skill', () => {
  const long = [`${'n'.repeat(101)}.md`, 'SKILL.md']
  expect(rules({ internal: true })).toBe('share-internal')
  expect(rules({ name: 'Über' })).toBe('share-name')
  expect(rules({}, MD, long)).toBe('share-path')
  expect(rules({ description: 'x'.repeat(1_025) })).toBe('share-description')
  for (const md of [
    `\uFEFF${MD}`,
    `\n${MD}`,
    MD.replace('---\n', '--- \n'),
    MD.replace('.\n---\n', '.\n---\t\n'),
  ])
    expect(rules({}, md), JSON.stringify(md)).toBe('share-frontmatter')
  expect(rules({ internal: true, name: 'Über', shareable: false }, `\uFEFF${MD}`, long)).toBe('')
})
