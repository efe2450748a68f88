// Guards the repeat guard: the same call is recognized whatever the order of its arguments, different calls are never
// the same, and repetition leads to a warning and then to a stop.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callKey, judgeRepeat } from '../../../src/agent/repeat.ts'
import { REPEATED_CALLS_STOP_AT, REPEATED_CALLS_WARN_AT } from '../../../src/agent/limits.ts'

/** The same value with the keys of its objects in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, turned(inner)]),
  )
}

describe('a call', () => {
  it('is the same whatever the order of its arguments', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, input) => {
        expect(callKey(name, turned(input))).toBe(callKey(name, input))
      }),
    )
  })

  it('differs if its tool, a value or the order of a list differs', () => {
    const keys = [
      callKey('look', { a: 1 }),
      callKey('seek', { a: 1 }),
      callKey('look', { a: '1' }),
      callKey('look', { a: 2 }),
      callKey('look', { b: 1 }),
      callKey('look', [1, 2]),
      callKey('look', [2, 1]),
      callKey('look', null),
      callKey('look', {}),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('with a huge input has a short key', () => {
    expect(callKey('look', { text: 'x'.repeat(1_000_000) }).length).toBeLessThan(64)
  })

  it('without an input has a key, too', () => {
    expect(callKey('look', undefined)).toBe(callKey('look', undefined))
  })
})

describe('the guard', () => {
  it('warns, warns again, and stops', () => {
    const verdicts = Array.from({ length: REPEATED_CALLS_STOP_AT + 1 }, (_, earlier) => judgeRepeat(earlier))
    expect(verdicts).toEqual([
      ...Array(REPEATED_CALLS_WARN_AT - 1).fill('fine'),
      ...Array(REPEATED_CALLS_STOP_AT - REPEATED_CALLS_WARN_AT).fill('warn'),
      'stop',
      'stop',
    ])
  })
})
