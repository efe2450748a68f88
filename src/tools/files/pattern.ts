// Patterns of the model, matched in time that grows with the text alone, whatever the pattern (RE2). What it costs is
// counted, because a text of the worst kind is a thousand times slower than others.

import { RE2JS, RE2JSException } from 're2js'
import { err, ok, type Result } from '../../lib/result.ts'
import {
  PATTERN_COUNTS_MAX,
  PATTERN_MAX_CHARS,
  PATTERN_MAX_STEPS,
  PATTERN_MEMORY_BYTES,
} from '../../limits.ts'
import { globSource } from './glob-pattern.ts'

export interface Pattern {
  /** It asks for the ends of the text: a line is not found by looking at many together. */
  readonly byLine: boolean
  /** Whether a part of the text fits. */
  test(text: string): boolean
  /** Whether all of it fits. */
  fits(text: string): boolean
  /** Where the first match begins, or 0 where to find that would take too long. Only for a text that fits in part. */
  start(text: string): number
  /** What it took so far, in units of about a microsecond, as counted: the same on every machine. */
  cost(): number
}

export interface PatternOptions {
  readonly literal?: boolean
  readonly ignoreCase?: boolean
}

/** Measured in microseconds: a call, a character, one in a text that needs ever new states, and those in bytes. */
const CALL = 0.5
const CHAR = 0.005
const SLOW_CHAR = 1.5
const SLOW_STEP = 0.007
const STATE_BYTE = 0.06
/** Beyond this the place of a match in a line is not looked for. */
const START_MAX = 5_000

/** A pattern as the model writes it. Fails in words for it. */
export function compilePattern(
  pattern: string,
  { literal = false, ignoreCase = false }: PatternOptions,
): Result<Pattern, string> {
  if (pattern.length > PATTERN_MAX_CHARS) return err(tooLong(pattern))
  if (!literal && (pattern.match(/\{\d/g) ?? []).length > PATTERN_COUNTS_MAX)
    return err(`The pattern counts more than ${PATTERN_COUNTS_MAX} times, as in a{3}. Make it simpler.`)
  return compiled(() => {
    const written = pattern.toWellFormed()
    const source = literal ? RE2JS.quote(written) : RE2JS.translateRegExp(written)
    return RE2JS.compile(source, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  })
}

/** A glob, for whole paths. */
export function compileGlob(glob: string, anchored: boolean): Result<Pattern, string> {
  if (glob.length > PATTERN_MAX_CHARS) return err(tooLong(glob))
  return compiled(() => RE2JS.compile(globSource(glob.toWellFormed(), anchored)))
}

function tooLong(pattern: string): string {
  return `The pattern has ${pattern.length} characters; ${PATTERN_MAX_CHARS} are the most.`
}

function compiled(make: () => RE2JS): Result<Pattern, string> {
  try {
    const made = make()
    if (made.programSize() > PATTERN_MAX_STEPS)
      return err('The pattern is too large, most of all by what it counts, as in a{500}. Make it simpler.')
    return ok(counted(made, ENDS.test(made.pattern())))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const why = error.message.replace(/^error parsing regexp: /, '')
    return err(`Invalid pattern: ${why}.`)
  }
}

/** `\\A`, `\\z`, and flags that are taken back, such as `(?-m)`. */
const ENDS = /\\[AzZ]|\(\?[A-Za-z]*-/

function counted(made: RE2JS, byLine: boolean): Pattern {
  // The library's own bound on states, eight times as high, is a field of it; a test says that it still counts.
  const { dfa } = made.re2()
  dfa.stateBudget = PATTERN_MEMORY_BYTES
  dfa.memBudget = PATTERN_MEMORY_BYTES
  const steps = made.programSize()
  let cost = 0
  const charged = (text: string, run: (text: string) => boolean): boolean => {
    const before = dfa.memBudget
    const found = run(text)
    const after = dfa.memBudget
    const states = before >= after ? before - after : before + PATTERN_MEMORY_BYTES - after
    // With no room left it goes through all of its steps at each character.
    const slow = after < PATTERN_MEMORY_BYTES / 16
    cost += CALL + text.length * (slow ? SLOW_CHAR + SLOW_STEP * steps : CHAR) + states * STATE_BYTE
    return found
  }
  return {
    byLine,
    test: (text) => charged(text, (given) => made.test(given)),
    fits: (text) => charged(text, (given) => made.testExact(given)),
    start(text) {
      const price = text.length * (SLOW_CHAR + SLOW_STEP * steps)
      if (price > START_MAX) return 0
      cost += price
      const matcher = made.matcher(text)
      return matcher.find() ? matcher.start() : 0
    },
    cost: () => cost,
  }
}
