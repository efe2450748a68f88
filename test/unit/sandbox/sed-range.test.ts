// Guards "a range of sed is the lines that GNU sed takes": what is expected was printed by GNU sed 4.9.

import { expect, test } from 'vitest'

import { inRange, type Range } from '../../../src/sandbox/bash/sed-range.ts'

const re = (pattern: string): object => ({ pattern })

/** The lines that are in `range`, of which some are passed over as `n` does. */
function taken(range: Range, text: string, passed: readonly number[] = []): string {
  const lines = text.split(' ')
  const states = new Map<unknown, never>()
  const numbers = lines.map((_, at) => at + 1).filter((line) => !passed.includes(line))
  const matches = (line: number) => (address: unknown) =>
    typeof address === 'number'
      ? address === line
      : address === '$'
        ? line === lines.length
        : lines[line - 1] === (address as { readonly pattern: string }).pattern // as `re` makes them
  return numbers.filter((line) => inRange(range, states, line, lines.length, matches(line))).join('')
}

test.each([
  [{ start: re('x'), end: re('x') }, 'x a x b x', '1235'],
  [{ start: 1, end: re('x') }, 'x a x b', '123'],
  [{ start: 0, end: re('x') }, 'x a x b', '1'],
  [{ start: re('x'), end: 2 }, 'a b x b x b', '35'],
  [{ start: re('x'), end: 2 }, 'x b x b', '123'],
  [{ start: 2, end: 1 }, 'a b c', '2'],
  [{ start: 2, end: 3 }, 'a b c d', '23'],
  [{ start: re('x'), end: { offset: 1 } }, 'x a b x', '124'],
  [{ start: re('x'), end: { offset: 0 } }, 'x a x', '13'],
  [{ start: re('x'), end: '$' }, 'a x b c', '234'],
  [{ start: re('x') }, 'x a x', '13'],
] as const)('%j of %j', (range, text, lines) => {
  expect(taken(range, text)).toBe(lines)
})

test('a beginning or an end that is passed over is met at the next line', () => {
  expect(taken({ start: 2, end: 4 }, 'a b c d e', [2])).toBe('34')
  expect(taken({ start: re('x'), end: 3 }, 'a x c d e', [3])).toBe('2')
})
