// Promise 5, for unauthenticated clients: one function decides what is visible without a key, and a look-up agrees
// with the list.

import { expect, test } from 'vitest'
import { sharedSkill, sharedSkills } from '../../../../src/skills/view/visibility.ts'
import { entry } from './entries.ts'

const INDEX = {
  format: 1,
  skills: [
    entry('Capital', { shareable: true }),
    entry('by-hand', { shareable: true, model_invocable: false }),
    entry('inside', { shareable: true, internal: true }),
    entry('ours'),
    entry('off', { shareable: true, enabled: false }),
    entry('open', { shareable: true, dependencies: ['ours'], user_invocable: false }),
  ],
} as const

test('unauthenticated clients see skills that are shared, enabled, not internal and have a name that all clients accept', () => {
  expect(sharedSkills(INDEX).map(({ name }) => name)).toEqual(['by-hand', 'open'])
  expect(sharedSkills(INDEX)).toBe(sharedSkills(INDEX))
})

test('looking one up and listing all are the same decision', () => {
  for (const skill of INDEX.skills)
    expect(sharedSkill(INDEX, skill.name), skill.name).toBe(sharedSkills(INDEX).find((one) => one === skill))
  expect(sharedSkill(INDEX, 'unknown')).toBeUndefined()
})
