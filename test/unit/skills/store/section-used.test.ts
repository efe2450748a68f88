// Guards level 1 if not all descriptions fit: the skills that a team uses keep theirs, and any ranking stays within the
// budget. Without recorded use nothing changes.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { INDEX_DESCRIPTION_MIN_CHARS } from '../../../../src/skills/view/limits.ts'
import type { IndexEntry } from '../../../../src/skills/skill.ts'
import { levelOne } from '../../../../src/skills/view/section.ts'
import { casesOr } from '../../../fuzz/seed.ts'
import { entry } from './entries.ts'

const CASES = casesOr(200)

const many = (amount: number, change: Partial<IndexEntry> = {}, prefix = 'skill'): IndexEntry[] =>
  Array.from({ length: amount }, (_, i) =>
    entry(`${prefix}-${i}`, { description: `${i} ${'x'.repeat(500)}`, ...change }),
  )

/** The listed names in order, divided into those with and without a description. */
function shown(text: string): { readonly described: readonly string[]; readonly named: readonly string[] } {
  const names = (pattern: RegExp): readonly string[] =>
    Array.from(text.matchAll(pattern), (match) => match[1] ?? '')
  return {
    described: names(/<skill>\n<name>(.*)<\/name>/g),
    named: names(/<skill><name>(.*)<\/name>/g),
  }
}

const OWN = many(3, { category: 'custom' }, 'own')
const SOME = [...OWN, ...many(40)]
const MANY = [...OWN, ...many(3_000)]

it('keeps the descriptions of the most used skills, then of the team’s own, then of the rest', () => {
  const room = 5_000
  const before = shown(levelOne(SOME, room).text)
  const { text, whole } = levelOne(SOME, room, ['skill-39', 'skill-7'])
  const { described, named } = shown(text)
  expect(whole).toBe(false)
  expect(before.described.slice(0, 3)).toEqual(['own-0', 'own-1', 'own-2'])
  expect(before.described).not.toContain('skill-39')
  expect(described).toEqual(
    expect.arrayContaining(['own-0', 'own-1', 'own-2', 'skill-0', 'skill-7', 'skill-39']),
  )
  expect(described.length + named.length).toBe(SOME.length)
  // The lowest-ranked skill lost its description.
  expect(described.length).toBe(before.described.length)
  // With ten used skills, the team's own lose theirs, too.
  const used = Array.from({ length: described.length }, (_, i) => `skill-${i + 20}`)
  expect(shown(levelOne(SOME, room, used).text).described).toEqual(used)
})

it('lists every skill in the order of the index if all names fit, whatever the rank', () => {
  const { text } = levelOne(SOME, 5_000, ['skill-39', 'own-2', 'skill-7'])
  const order = Array.from(text.matchAll(/<name>(.*)<\/name>/g), (match) => match[1])
  expect(order).toEqual(SOME.map(({ name }) => name))
  expect(levelOne(SOME, 5_000, ['own-2', 'skill-7', 'skill-39']).text).toBe(text)
})

it('puts used skills first if not all names fit, with descriptions in up to half of the budget', () => {
  const { text } = levelOne(MANY, 8_000, ['skill-2999', 'skill-1500'])
  const { described, named } = shown(text)
  expect(described).toEqual(['own-0', 'own-1', 'own-2', 'skill-1500', 'skill-2999'])
  expect(named[0]).toBe('skill-0')
  expect(text.length).toBeGreaterThan(7_900)
  expect(text).toContain(`\n${MANY.length - described.length - named.length} more skills are not listed`)
})

it('names used skills without a description before it names others', () => {
  const used = Array.from({ length: 100 }, (_, i) => `skill-${2_000 + i}`)
  const { text } = levelOne(MANY, 8_000, used)
  const { described, named } = shown(text)
  expect(described.length).toBeGreaterThan(10)
  expect(described).toEqual(used.slice(0, described.length))
  expect(text.indexOf('<skill><name>')).toBeLessThanOrEqual(4_000 + '<available_skills>\n'.length)
  const listed = new Set([...described, ...named])
  expect(listed.size).toBeGreaterThan(110)
  for (const name of [...used, ...OWN.map((own) => own.name)]) expect(listed).toContain(name)
})

it('changes nothing if all have descriptions, without use, and for invisible names', () => {
  const few = SOME.slice(0, 5)
  expect(levelOne(few, 5_000, ['skill-1'])).toEqual(levelOne(few, 5_000))
  for (const skills of [SOME, MANY])
    expect(levelOne(skills, 5_000, ['gone', 'kept-from-the-model', ''])).toEqual(levelOne(skills, 5_000, []))
})

it('is computed once for the same list, budget and ranking', () => {
  const used = ['skill-3']
  const made = levelOne(SOME, 5_000, used)
  expect(levelOne(SOME, 5_000, used)).toBe(made)
  expect(levelOne(SOME, 5_001, used)).not.toBe(made)
  expect(levelOne(SOME, 5_000, ['skill-4'])).not.toBe(made)
  expect(levelOne(SOME, 5_000)).not.toBe(made)
  expect(levelOne(SOME, 5_000)).toBe(levelOne(SOME, 5_000))
})

it('renders only the shown ones of ten thousand ranked skills', () => {
  let requested = 0
  const skills = Array.from({ length: 10_000 }, (_, i) =>
    Object.defineProperty(entry(`skill-${i}`), 'description', {
      get: () => `${requested++}`.padEnd(500, 'x'),
    }),
  )
  const used = Array.from({ length: 1_000 }, (_, i) => `skill-${9_999 - i}`)
  expect(levelOne(skills, 16_000, used).text.length).toBeLessThanOrEqual(16_000)
  expect(requested).toBeLessThan(500)
})

it(`keeps its budget, reports every omission and describes by rank, for any ranking (${CASES} cases)`, () => {
  const cases = fc.integer({ min: 0, max: 120 }).chain((amount) => {
    const names = Array.from({ length: amount }, (_, i) => `s-${i}`)
    const skill = fc.record({
      description: fc.integer({ min: 1, max: 900 }).map((length) => 'd&'.repeat(length)),
      category: fc.constantFrom('public' as const, 'custom' as const),
    })
    return fc.record({
      skills: fc
        .array(skill, { minLength: amount, maxLength: amount })
        .map((all) => all.map((one, i) => entry(`s-${i}`, one))),
      used: fc.shuffledSubarray([...names, 'gone-1', 'gone-2']),
      budget: fc.integer({ min: 0, max: 20_000 }),
    })
  })
  const property = fc.property(cases, ({ skills, used, budget }) => {
    const { text, whole } = levelOne(skills, budget, used)
    expect(text.length).toBeLessThanOrEqual(budget)
    if (text === '') return
    const { described, named } = shown(text)
    const left = Number(/\n(\d+) more skills? (?:is|are) not listed/.exec(text)?.[1] ?? 0)
    expect(described.length + named.length + left).toBe(skills.length)
    expect(new Set([...described, ...named]).size).toBe(described.length + named.length)
    expect(whole).toBe(described.length === skills.length)
    expect(levelOne([...skills], budget, [...used])).toEqual({ text, whole })
    // In rank, a skill without a description comes after those with one, and an unlisted skill after those.
    const rank = (name: string): number => {
      const position = used.indexOf(name)
      if (position >= 0) return position
      return skills.find((one) => one.name === name)?.category === 'custom' ? 1_000 : 2_000
    }
    const worst = (names: readonly string[]): number => Math.max(-1, ...names.map(rank))
    const best = (names: readonly string[]): number => Math.min(3_000, ...names.map(rank))
    expect(worst(described)).toBeLessThanOrEqual(best(named))
    const listed = new Set([...described, ...named])
    const absent = skills.map(({ name }) => name).filter((name) => !listed.has(name))
    expect(worst([...listed])).toBeLessThanOrEqual(best(absent))
    for (const [, words] of whole ? [] : text.matchAll(/<description>(.*)<\/description>/g))
      expect(words?.replaceAll('&amp;', '&').length).toBeLessThanOrEqual(INDEX_DESCRIPTION_MIN_CHARS)
  })
  fc.assert(property, { numRuns: CASES })
})
