// Promise: the stated cost of a skill in the table is that of its entry in the list that every conversation contains.
// A skill that its author marks as internal is marked as such.

import { expect, test } from 'vitest'
import { estimateTokens } from '../../../src/lib/tokens.ts'
import { indexEntry } from '../../../src/skills/package/entry.ts'
import type { Category, IndexEntry } from '../../../src/skills/skill.ts'
import { levelOne } from '../../../src/skills/view/section.ts'
import { readHeader } from './skill-text.ts'

function entryOf(header: string, category: Category): IndexEntry {
  const { skill } = readHeader(`name: my-skill\n${header}`, 'lenient')
  if (!skill) throw new Error('The header of the test is not readable.')
  return indexEntry({ skill, category, manifest: { digest: '', files: [] }, bytes: 1, findings: [] })
}

test.each<[string, string, Category]>([
  ['a name and a description', 'description: Does things.', 'public'],
  ['tags', 'description: Does things.\ntags: one, two, three', 'public'],
  ['text that must be escaped', `description: ${'<&>'.repeat(50)}`, 'public'],
  ['a label', 'description: Does things.', 'custom'],
])('%s: tokens.index is the cost of the skill in level 1', (_what, header, category) => {
  const entry = entryOf(header, category)
  const shown = levelOne([entry], 1_000_000).text.split('\n').slice(1, -1).join('\n')
  expect(shown).toContain('<location>/mnt/skills/')
  expect(entry.tokens.index).toBe(estimateTokens(shown))
})

test.each<[string, boolean]>([
  ['metadata:\n  internal: true', true],
  ['metadata:\n  internal: "Yes"', true],
  ['metadata: {internal: on}', true],
  ['metadata:\n  internal: false', false],
  ['metadata:\n  internal:\n    true: true', false],
  ['metadata: internal', false],
  ['internal: true', false],
  ['tags: internal', false],
])('%j: metadata.internal is %s', (header, internal) => {
  expect(entryOf(`description: Does things.\n${header}`, 'custom').internal).toBe(internal)
})
