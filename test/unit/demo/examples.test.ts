// Promise: the messages on the page's cards work: with the demo model, each example of a built-in skill loads that skill.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { bestSkill } from '../../../src/demo/similarity.ts'
import { REPOSITORY } from '../doc-pages.ts'
import { readFileText } from '../skills/skill-text.ts'

const FOLDER = join(REPOSITORY, 'skills/public')

test('every built-in skill has a card, and each of its examples is answered with it', () => {
  const skills = readdirSync(FOLDER).map((name) => {
    const { skill } = readFileText(readFileSync(join(FOLDER, name, 'SKILL.md'), 'utf8'), 'strict', name)
    if (!skill?.meta.card) throw new Error(`${name} has no card`)
    return skill.meta
  })
  const cards = skills.map(({ name, description, tags }) => ({
    name,
    description,
    tags: tags.join(', '),
    location: '',
  }))
  const pairs = skills.flatMap(({ name, card }) => (card?.examples ?? []).map((example) => [name, example]))
  expect(pairs.length).toBeGreaterThan(skills.length)
  const wrong = pairs.filter(([name, example]) => bestSkill(example ?? '', cards)?.name !== name)
  expect(wrong).toEqual([])
})
