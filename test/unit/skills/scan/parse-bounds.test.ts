// Guards the cost of parsing a skill: steps, nodes, nesting and copies are bounded, and the work pauses in between.
// Beyond the bounds the parser's rules say so, and the text rules still read every byte.

import { parser as javascript } from '@lezer/javascript'
import { parser as python } from '@lezer/python'
import { describe, expect, it } from 'vitest'
import type { Steps } from '../../../../src/lib/steps.ts'
import { UNITS_BETWEEN_PAUSES } from '../../../../src/lib/limits.ts'
import {
  SCAN_NORMALIZED_PIECE_CHARS,
  SCAN_PARSE_BASE_US,
  SCAN_PARSE_US_PER_CHAR,
  SCAN_PARSE_NODES_MAX,
} from '../../../../src/skills/scan/code/common/limits.ts'
import { SCAN_CODE_TOTAL_MAX_CHARS } from '../../../../src/skills/scan/base/limits.ts'
import { findNormalized } from '../../../../src/skills/scan/code/common/normalized.ts'
import { parseWith } from '../../../../src/skills/scan/code/common/parse.ts'
import { scanSteps } from '../../../../src/skills/scan/scan.ts'
import { HANG_GUARD } from '../../hang-guard.ts'
import { filesOf, scanned } from './scanned.ts'

const TOKEN = `AKIA${'Q3Z7X5W2K8M4T6RB'}`

interface Counted<T> {
  readonly value: T
  readonly units: number
  /** The most work between two pauses. */
  readonly longest: number
}

function counted<T>(steps: Steps<T>): Counted<T> {
  let [units, longest] = [0, 0]
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { value: step.value, units, longest }
    units += step.value
    longest = Math.max(longest, step.value)
  }
}

const DEEP: readonly (readonly [what: string, path: string, text: string])[] = [
  ['nested awaits', 'a.js', 'await '.repeat(16_600)],
  ['assignments in brackets', 'a.js', '(a='.repeat(130_000)],
  ['signs', 'a.js', '-'.repeat(390_000)],
  ['arrows that may be conditions', 'a.ts', 'a?(b):'.repeat(65_000)],
  ['open types', 'a.ts', 'a<(b'.repeat(97_500)],
  ['nested new expressions', 'a.js', 'new '.repeat(97_500)],
]

describe('a script that is nested too deep', () => {
  it.each(DEEP)('of %s is given up early', HANG_GUARD, (_, path, text) => {
    const parser = path.endsWith('.ts') ? javascript.configure({ dialect: 'ts' }) : javascript
    const { value, units } = counted(parseWith(parser, text))
    expect(value).toBeNull()
    // At most its first twenty thousand characters; the rest is not parsed.
    expect(units).toBeLessThan(SCAN_PARSE_BASE_US + SCAN_PARSE_US_PER_CHAR * 20_000)
  })

  it.each(DEEP)('of %s is reported as unparsed, and its text is searched', HANG_GUARD, (_, path, text) => {
    const findings = scanned({ [path]: `${text}\n${TOKEN}\n` })
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: 'javascript-parsed-in-part', severity: 'note', file: path }),
    )
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'secret-cloud-token', line: 2 }))
  })

  it('is a warning if it is Python, or contains a relevant name', HANG_GUARD, () => {
    expect(scanned({ 'a.py': `${'lambda:'.repeat(50_000)}eval(x)` })).toMatchObject([
      { rule: 'python-unparsable', severity: 'warning' },
    ])
    expect(scanned({ 'a.js': `${'await '.repeat(16_600)}eval(x)` })).toMatchObject([
      { rule: 'javascript-unparsable', severity: 'warning' },
    ])
  })
})

describe('a tree', () => {
  it('has a limited number of nodes', HANG_GUARD, () => {
    expect(counted(parseWith(javascript, 'a;'.repeat(10_000))).value?.size).toBeGreaterThan(20_000)
    expect(counted(parseWith(javascript, 'a;'.repeat(SCAN_PARSE_NODES_MAX / 2))).value).toBeNull()
  })

  it('has no more nodes than fit the length of its text', HANG_GUARD, () => {
    expect(counted(parseWith(python, `a${'()'.repeat(2_000)}`)).value?.size).toBeGreaterThan(6_000)
    expect(counted(parseWith(python, `a${'()'.repeat(20_000)}`)).value).toBeNull()
    expect(counted(parseWith(javascript, `a${'.b'.repeat(195_000)}`)).value).toBeNull()
  })

  it('of a list that is repeated for each of its members is given up', HANG_GUARD, () => {
    const many = `from os import *\nexec\nf(${'a,'.repeat(60_000)})\n`
    expect(scanned({ 'a.py': many })).toContainEqual(
      expect.objectContaining({ rule: 'python-unparsable', severity: 'warning' }),
    )
  })
})

describe('scanning a skill', () => {
  const code = 'def f(a, b):\n    return a.b(c)[1] + "text"\n'

  it('pauses repeatedly, however it is spread over files', HANG_GUARD, () => {
    const text = code.repeat(4_000)
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`m${at}.py`, text]))
    const { units, longest } = counted(scanSteps(filesOf(files)))
    expect(units).toBeGreaterThan(text.length * 8)
    expect(longest).toBeLessThan(2 * UNITS_BETWEEN_PAUSES)
  })

  it('finds the same when two are scanned in parallel', () => {
    const lines = (count: number): string => `token ${TOKEN} http://a.example.org\n${'text\n'.repeat(count)}`
    const texts = [lines(3).repeat(400), lines(7).repeat(300)]
    const alone = texts.map((text) => scanned({ 'a.txt': text }))
    const running = texts.map((text) => scanSteps(filesOf({ 'a.txt': text })))
    const ended: unknown[] = []
    while (ended.filter(Boolean).length < running.length)
      for (const [at, steps] of running.entries()) {
        const step = steps.next()
        if (step.done === true) ended[at] ??= step.value
      }
    expect(ended).toEqual(alone)
  })

  it('pauses between the lines that it judges', HANG_GUARD, () => {
    const { longest } = counted(scanSteps(filesOf({ 'a.txt': 'token=abc http://a.b/c '.repeat(20_000) })))
    expect(longest).toBeLessThan(UNITS_BETWEEN_PAUSES)
  })

  it('pauses within one line of shell', HANG_GUARD, () => {
    const text = 'curl x | '.repeat(50_000)
    const { longest } = counted(scanSteps(filesOf({ 'a.sh': text })))
    // At most one pass over the whole text is done without a pause.
    expect(longest).toBeLessThanOrEqual(50 + text.length * 0.02)
  })

  it('parses a limited amount of code in all its files together', HANG_GUARD, () => {
    const text = code.repeat(Math.floor(700_000 / code.length))
    const files = (count: number): ReturnType<typeof filesOf> =>
      filesOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}.py`, text])))
    const three = Math.floor(SCAN_CODE_TOTAL_MAX_CHARS / text.length)
    const whole = counted(scanSteps(files(three))).units
    expect(counted(scanSteps(files(three + 6))).units).toBeLessThan(whole * 1.2)
  })
})

describe('a name that is searched for as a language reads it', () => {
  const found = (text: string): string | null => counted(findNormalized(text, /\beval\b/)).value

  it('is found in any place, even across the end of a chunk', () => {
    for (const before of [
      0,
      5,
      SCAN_NORMALIZED_PIECE_CHARS - 3,
      SCAN_NORMALIZED_PIECE_CHARS - 1,
      3 * SCAN_NORMALIZED_PIECE_CHARS,
    ])
      expect(found(`${' '.repeat(before)}ｅｖａｌ(x)${' '.repeat(SCAN_NORMALIZED_PIECE_CHARS)}`)).toBe('eval')
    expect(found(`${'é '.repeat(SCAN_NORMALIZED_PIECE_CHARS)}eval`)).toBe('eval')
  })

  it('is not found in a longer word, even if a chunk ends in it', () => {
    for (let at = -8; at <= 300; at++)
      expect(
        found(`${' '.repeat(SCAN_NORMALIZED_PIECE_CHARS - at)}evaluate medieval é ${' '.repeat(300)}`),
      ).toBeNull()
  })

  it('costs one chunk at a time in a text that grows when normalized', () => {
    const { longest, units } = counted(findNormalized('ﷺ'.repeat(1_000_000), /\beval\b/))
    expect(longest).toBeLessThan(UNITS_BETWEEN_PAUSES)
    expect(units).toBeGreaterThan(50 * longest)
    expect(counted(findNormalized('', /a/)).value).toBeNull()
  })
})
