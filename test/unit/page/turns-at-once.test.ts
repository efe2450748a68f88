// Guards the opening of long threads: the first task renders a screen of turns, not more.

import { expect, it } from 'vitest'

import { CHARS_AT_ONCE, TURNS_AT_ONCE } from '../../../src/page/chat/limits.ts'
import { countTurnsAtOnce } from '../../../src/page/chat/turns-at-once.ts'
import { newRun } from '../../../src/page/run/state.ts'
import { createTurn } from '../../../src/page/state/chat/turn.ts'

const turnsOf = (...chars: readonly number[]) =>
  chars.map((count, at) =>
    createTurn(String(at), { text: 'x'.repeat(count), files: [], messageId: null }, newRun('')),
  )

it('the last turn is rendered at once, however long it is', () => {
  expect(countTurnsAtOnce(turnsOf(10, 10, CHARS_AT_ONCE * 50))).toBe(1)
  expect(countTurnsAtOnce([])).toBe(0)
})

it('a question whose version was switched is rendered at once', () => {
  const turns = turnsOf(10, 10, CHARS_AT_ONCE, CHARS_AT_ONCE, CHARS_AT_ONCE)
  const [, second] = turns
  if (second) second.question.value = { ...second.question.value, messagesBefore: 2 }
  expect(countTurnsAtOnce(turns, 2)).toBe(4)
  expect(countTurnsAtOnce(turns, 8)).toBe(countTurnsAtOnce(turns))
})

it('short turns are rendered until they fill a screen', () => {
  expect(countTurnsAtOnce(turnsOf(10, 10))).toBe(2)
  expect(countTurnsAtOnce(turnsOf(10, CHARS_AT_ONCE, 10, 10))).toBe(3)
  expect(countTurnsAtOnce(turnsOf(...Array<number>(50).fill(10)))).toBe(TURNS_AT_ONCE)
})
