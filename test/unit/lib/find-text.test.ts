// Guards that text is found exactly where the engine's own search finds it, however repetitive it is.

import { expect, it } from 'vitest'
import { indexOfText, indexesOfText } from '../../../src/lib/find-text.ts'
import { seededChance } from '../../../scripts/lab/rig/random.ts'
import { casesOr, SEED } from '../../fuzz/seed.ts'

it('finds each place without overlaps, up to the requested number', () => {
  expect(indexesOfText('aaaaa', 'aa', 9)).toEqual([0, 2])
  expect(indexesOfText('aaaaa', 'aa', 1)).toEqual([0])
  expect(indexOfText('abcabd', 'abd')).toBe(3)
  expect(indexOfText('', 'a')).toBe(-1)
})

it('finds what the engine finds', () => {
  const luck = seededChance(SEED)
  const word = (length: number): string =>
    Array.from({ length }, () => (luck.yes(0.7) ? 'a' : luck.yes(0.5) ? 'b' : '😀')).join('')
  for (let at = 0; at < casesOr(2_000); at++) {
    const text = word(luck.between(0, 40))
    const part = word(luck.between(1, 5))
    const expected: number[] = []
    for (let from = text.indexOf(part); from !== -1; from = text.indexOf(part, from + part.length))
      expected.push(from)
    expect(indexesOfText(text, part, 99), `${text} ${part}, seed ${SEED}`).toEqual(expected)
  }
})
