// Guards that texts are found where an engine's own search finds them, whatever they repeat.

import { expect, it } from 'vitest'
import { placeOf, placesOf } from '../../../src/lib/find-text.ts'
import { chance } from '../../../scripts/lab/rig/random.ts'
import { casesOr, SEED } from '../../fuzz/seed.ts'

it('finds each place, none over another, as many as were asked for', () => {
  expect(placesOf('aaaaa', 'aa', 9)).toEqual([0, 2])
  expect(placesOf('aaaaa', 'aa', 1)).toEqual([0])
  expect(placeOf('abcabd', 'abd')).toBe(3)
  expect(placeOf('', 'a')).toBe(-1)
})

it('finds what the engine finds', () => {
  const luck = chance(SEED)
  const word = (length: number): string =>
    Array.from({ length }, () => (luck.yes(0.7) ? 'a' : luck.yes(0.5) ? 'b' : '😀')).join('')
  for (let at = 0; at < casesOr(2_000); at++) {
    const text = word(luck.between(0, 40))
    const part = word(luck.between(1, 5))
    const expected: number[] = []
    for (let from = text.indexOf(part); from !== -1; from = text.indexOf(part, from + part.length))
      expected.push(from)
    expect(placesOf(text, part, 99), `${text} ${part}, seed ${SEED}`).toEqual(expected)
  }
})
