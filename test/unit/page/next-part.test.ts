// Guards how a text that arrives all at once is shown: in parts of bounded length, and then whole.

import { expect, it } from 'vitest'

import { UPDATE_CHARS_MAX } from '../../../src/page/markdown/limits.ts'
import { nextPart } from '../../../src/page/markdown/next-part.ts'

function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  for (let shown = ''; shown !== text;) {
    const next = nextPart(shown, text)
    parts.push(next.slice(shown.length))
    shown = next
  }
  return parts
}

it('a text that grows slowly is shown whole', () => {
  expect(nextPart('One', 'One, two')).toBe('One, two')
})

it('a long text is shown in parts of whole lines', () => {
  const text = 'A line of the answer.\n'.repeat(900)
  const parts = partsOf(text)
  expect(parts.join('')).toBe(text)
  expect(parts.length).toBeGreaterThan(10)
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(UPDATE_CHARS_MAX)
    expect(part).toMatch(/\n$/)
  }
})

it('a long line is never cut inside a character', () => {
  const parts = partsOf(`x${'👋'.repeat(3_000)}`)
  for (const part of parts) expect(part.isWellFormed()).toBe(true)
})

it('a text that does not continue the shown one is shown whole', () => {
  const text = 'Other '.repeat(1_000)
  expect(nextPart('One', text)).toBe(text)
})
