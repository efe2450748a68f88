// Guards the cost of text made of markers, parts of markers or hidden characters: the work is counted, it pauses in
// between, and it stops at a limit.

import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/lib/bytes.ts'
import type { Steps } from '../../../../src/lib/steps.ts'
import { tagFinder } from '../../../../src/lib/tag-finder.ts'
import { UNITS_BETWEEN_PAUSES } from '../../../../src/lib/limits.ts'
import { SKILL_FILE_MAX_BYTES } from '../../../../src/limits/skills.ts'
import { SCAN_COUNTED_MATCHES_MAX } from '../../../../src/skills/scan/base/limits.ts'
import { checkHiddenText } from '../../../../src/skills/scan/prose/hidden-text.ts'
import { checkRoleMarkers } from '../../../../src/skills/scan/files/marker-rules.ts'
import { startScanReport, type ScanReport } from '../../../../src/skills/scan/report.ts'
import { sourceOf } from '../../../../src/skills/scan/base/source.ts'
import { HANG_GUARD } from '../../hang-guard.ts'
import { scanned } from './scanned.ts'

interface Cost {
  readonly units: number
  /** How often the scan paused, and the most work between two pauses, not counting one pass over the whole text. */
  readonly turns: number
  readonly longest: number
  /** Findings that were reported, whether they are shown or not. */
  readonly reported: number
}

/** A file of maximum size that repeats `text`. */
const full = (text: string): string => text.repeat(Math.floor(SKILL_FILE_MAX_BYTES / utf8(text).length))

function costOf(
  text: string,
  rule: (source: ReturnType<typeof sourceOf>, report: ScanReport) => Steps<void>,
): Cost {
  const report = startScanReport()
  let [units, turns, longest, reported] = [0, 0, 0, 0]
  const counting: ScanReport = {
    ...report,
    add: (...finding) => {
      reported++
      report.add(...finding)
    },
  }
  // The cost of one pattern that finds nothing in the whole text.
  const pass = text.length * 0.02
  for (const done of rule(sourceOf('a.md', utf8(text)), counting)) {
    units += done
    turns++
    if (done !== pass) longest = Math.max(longest, done)
  }
  return { units, turns, longest, reported }
}

describe('a file of marks', () => {
  it.each([
    ['tags of models', '<sys>'],
    ['our tags', '<skill>'],
    ['tags on separate lines', '<system-reminder>\n'],
    ['instructions', '[INST]'],
    ['turns', '\n\nHuman:'],
  ])('has a limited number of findings: %s', HANG_GUARD, (_, mark) => {
    const { reported, longest, units } = costOf(full(mark), checkRoleMarkers)
    expect(reported).toBeLessThanOrEqual(SCAN_COUNTED_MATCHES_MAX + 1)
    expect(longest).toBeLessThan(UNITS_BETWEEN_PAUSES)
    expect(units).toBeLessThan(SKILL_FILE_MAX_BYTES)
  })

  it('is reported as not searched to its end', () => {
    const text = `${'<sys> <skill>\n'.repeat(SCAN_COUNTED_MATCHES_MAX)}<system-reminder>`
    expect(scanned({ 'a.md': text })).toContainEqual(
      expect.objectContaining({
        rule: 'marker-not-searched',
        severity: 'warning',
        line: SCAN_COUNTED_MATCHES_MAX / 2 + 1,
      }),
    )
    const few = `${'<sys> '.repeat(SCAN_COUNTED_MATCHES_MAX - 1)}<system-reminder>`
    expect(scanned({ 'a.md': few }).map(({ rule }) => rule)).toEqual(['marker-of-models'])
  })

  it.each([
    ['tags', '<s'],
    ['instructions', '[ABCD]'],
    ['turns', '\n\nOthers:'],
  ])('that are incomplete is searched with pauses: beginnings of %s', HANG_GUARD, (_, mark) => {
    const text = full(mark)
    const { reported, longest, turns, units } = costOf(text, checkRoleMarkers)
    expect(reported).toBe(0)
    expect(longest).toBeLessThan(UNITS_BETWEEN_PAUSES)
    expect(turns).toBeGreaterThan(100)
    // Each possible beginning of a marker is counted.
    expect(units).toBeGreaterThan((text.length / mark.length) * 0.2)
  })
})

describe('the search for tags', () => {
  const find = tagFinder(['skill', 'skills_notice'])

  it('returns each place when it is reached, not all of them at the end', () => {
    const search = find(full('<skill>'))
    const first = search.next().value
    expect(first).toEqual({ offset: 0, length: 1 })
    search.return()
  })

  it.each([
    ['text that begins like a tag', '<s'],
    ['brackets', '<'],
    ['attributes that never end', `<skill a${'b'.repeat(1_000)}`],
  ])('pauses after a fixed amount of %s', HANG_GUARD, (_, piece) => {
    expect(longestOf(full(piece))).toBeLessThan(UNITS_BETWEEN_PAUSES)
  })

  it.each([
    ['marks', `<s${full('\u0301')}`],
    ['blanks', `<${full(' ')}`],
    ['letters', `<skill a${full('b')}`],
  ])('pauses after a single bracket, too: %s', HANG_GUARD, (_, text) => {
    expect(longestOf(text)).toBeLessThan(UNITS_BETWEEN_PAUSES)
  })

  function longestOf(text: string): number {
    let longest = 0
    for (const done of find(text)) longest = Math.max(longest, typeof done === 'number' ? done : 0)
    return longest
  }
})

describe('a file of hidden characters', () => {
  it.each([
    ['controls', '\x01'],
    ['controls, one a line', '\x01\n'],
    ['zero-width characters', '\u200B'],
    ['zero-width characters, one a line', '\u200B\n'],
    ['tags', '\u{E0041}\n'],
  ])('has a limited number of findings: %s', HANG_GUARD, (_, piece) => {
    const { reported, longest, units } = costOf(full(piece), checkHiddenText)
    expect(reported).toBeGreaterThan(0)
    expect(reported).toBeLessThanOrEqual(SCAN_COUNTED_MATCHES_MAX)
    expect(longest).toBeLessThan(UNITS_BETWEEN_PAUSES)
    expect(units).toBeLessThan(SKILL_FILE_MAX_BYTES)
  })

  it('is searched with pauses if most of them are legitimate', HANG_GUARD, () => {
    const { turns, reported } = costOf(full('\u00AD'), checkHiddenText)
    expect(reported).toBe(0)
    expect(turns).toBeGreaterThan(100)
  })

  it('is searched to its end for those that refuse it', HANG_GUARD, () => {
    const found = scanned({ 'a.md': `${'\u200B\n'.repeat(5_000)}${'\u200B'.repeat(5_000)}\u{E0041}` })
    expect(found.filter(({ severity }) => severity === 'error')).toMatchObject([
      { rule: 'invisible-tag-characters', line: 5_001 },
    ])
  })
})
