// Guards the cards of an empty thread: the most used skills, each with a title for people and a message that works,
// even for a skill whose author provides neither.

import { expect, it } from 'vitest'

import type { SkillInfo } from '../../../src/skills/view/skill-info.ts'
import { createSuggestions, suggestionOf } from '../../../src/page/state/library/suggestions.ts'
import { byUse } from '../../../src/skills/view/by-use.ts'
import { fakePage, list, refusal } from './ports.ts'

// The cast: only the fields of a card are read.
const skill = (name: string, given: Partial<SkillInfo> = {}): SkillInfo =>
  ({ name, description: `Use for ${name}.`, user_invocable: true, card: null, ...given }) as SkillInfo

it('takes title and message from the author, and otherwise from the name', () => {
  const card = {
    title: 'Brew tea',
    summary: 'Brews a pot',
    icon: 'cup',
    examples: ['Brew a pot of tea.', 'Another'],
  }
  expect(suggestionOf(skill('tea', { card }))).toEqual({
    skill: 'tea',
    title: 'Brew tea',
    icon: 'cup',
    text: 'Brews a pot',
    message: 'Brew a pot of tea.',
  })
  expect(suggestionOf(skill('release-notes'))).toEqual({
    skill: 'release-notes',
    title: 'Release notes',
    icon: null,
    text: 'Use for release-notes.',
    message: '/release-notes ',
  })
})

it('asks once per key for the most used skills, shows four, and none if they cannot be read', async () => {
  let fails = true
  const page = fakePage({
    'GET /v1/skills': () =>
      fails ? refusal(503, 'not_ready') : list(['a', 'b', 'c', 'd', 'e'].map((name) => skill(name))),
  })
  const suggestions = createSuggestions(page.client)
  await suggestions.ensureLoaded()
  expect(suggestions.list.value).toBeNull()
  fails = false
  await suggestions.ensureLoaded()
  await suggestions.ensureLoaded()
  expect(suggestions.list.value?.map(({ title }) => title)).toEqual(['A', 'B', 'C', 'D'])
  expect(page.calls).toEqual(Array(2).fill('GET /v1/skills?for=person&order=use&limit=4'))
  page.client.value = null
  expect(suggestions.list.value).toBeNull()
})

it('orders by use, then by the number of examples, then as before', () => {
  const examples = (count: number) => ({
    card: { title: null, summary: null, icon: null, examples: Array<string>(count).fill('x') },
  })
  const skills = [skill('a'), skill('b', examples(1)), skill('c', examples(3)), skill('d'), skill('e')]
  expect(byUse(skills, ['gone', 'd']).map(({ name }) => name)).toEqual(['d', 'c', 'b', 'a', 'e'])
})
