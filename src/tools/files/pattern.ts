// Patterns from the model, matched in time linear in the text, whatever the pattern (RE2). The cost is counted, because
// the worst texts are a thousand times slower than others.

import { RE2JS, RE2JSException } from 're2js'
import { err, ok, type Result } from '../../lib/result.ts'
import { PATTERN_COUNTS_MAX, PATTERN_MAX_CHARS, PATTERN_MAX_STEPS, PATTERN_MEMORY_BYTES } from './limits.ts'
import { globSource } from './glob-pattern.ts'

export interface Pattern {
  /** It refers to the ends of the text, so each line has to be tested separately. */
  readonly byLine: boolean
  /** Whether a part of the text matches. */
  test(text: string): boolean
  /** Whether the whole text matches. */
  fits(text: string): boolean
  /** Where the first match begins, or 0 if that would take too long to find. Only for a text that matches. */
  start(text: string): number
  /** The work so far, in units of about a microsecond. Counted, so it is the same on every machine. */
  cost(): number
}

export interface PatternOptions {
  readonly literal?: boolean
  readonly ignoreCase?: boolean
  /** `^` and `$` match the ends of the whole text, not of each line. */
  readonly wholeText?: boolean
}

/** A cheap test: false if a text certainly has no match. */
type Quick = (text: string) => boolean

const SIGNS = /[\\^$.|?*+()[\]{}]/
const ASCII = /^[\t -~]*$/

/** The long s is the only non-ASCII letter that lower case does not cover: the Kelvin sign becomes k. */
function lowered(wanted: string): Quick {
  return (text) => text.includes('ſ') || text.toLowerCase().includes(wanted)
}

/** Measured, in microseconds: a call, a character, and a byte of new states. */
const CALL = 0.5
const CHAR = 0.005
const STATE_BYTE = 0.06
/** A character of a text without space for new states; larger states cost more. */
const SLOW_CHAR = 0.6
const SLOW_BYTE = 0.005
/** Finding a match's position costs a step of the pattern for each character; above this total it is skipped. */
const POSITION_STEP = 0.1
const POSITION_MAX = 20_000

/** A pattern as the model writes it. Failure: a text for the model. */
export function compilePattern(
  pattern: string,
  { literal = false, ignoreCase = false, wholeText = false }: PatternOptions,
): Result<Pattern, string> {
  if (pattern.length > PATTERN_MAX_CHARS) return err(tooLong(pattern))
  if (!literal && (pattern.match(/\{\d/g) ?? []).length > PATTERN_COUNTS_MAX)
    return err(`The pattern has more than ${PATTERN_COUNTS_MAX} counts such as a{3}. Make it simpler.`)
  const written = pattern.toWellFormed()
  const plain = literal || !SIGNS.test(written)
  const make = (): RE2JS => {
    const source = literal ? RE2JS.quote(written) : RE2JS.translateRegExp(written)
    return RE2JS.compile(
      source,
      (wholeText ? 0 : RE2JS.MULTILINE) | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0),
    )
  }
  return compiled(make, plain && ignoreCase && ASCII.test(written) ? lowered(written.toLowerCase()) : null)
}

/** A glob, for whole paths. */
export function compileGlob(glob: string, anchored: boolean): Result<Pattern, string> {
  if (glob.length > PATTERN_MAX_CHARS) return err(tooLong(glob))
  return compiled(() => RE2JS.compile(globSource(glob.toWellFormed(), anchored)))
}

function tooLong(pattern: string): string {
  return `The pattern has ${pattern.length} characters; the limit is ${PATTERN_MAX_CHARS}.`
}

function compiled(make: () => RE2JS, quickly: Quick | null = null): Result<Pattern, string> {
  try {
    const made = make()
    if (made.programSize() > PATTERN_MAX_STEPS)
      return err('The pattern is too large, probably because of counts such as a{500}. Make it simpler.')
    return ok(counted(made, quickly))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const why = error.message.replace(/^error parsing regexp: /, '')
    return err(`Invalid pattern: ${why}.`)
  }
}

/** `\\A`, `\\z`, and flags that are switched off, such as `(?-m)`. */
const ENDS = /\\[AzZ]|\(\?[A-Za-z]*-/

function counted(made: RE2JS, quickly: Quick | null): Pattern {
  // Fields of the library, whose own limit is eight times as high. Tests check that these fields still exist.
  const { dfa } = made.re2()
  dfa.stateBudget = PATTERN_MEMORY_BYTES
  dfa.memBudget = PATTERN_MEMORY_BYTES
  let cleared = 0
  let stateBytes = 0
  const clear = dfa.clearCache.bind(dfa)
  dfa.clearCache = () => {
    cleared += 1
    stateBytes = Math.max(stateBytes, PATTERN_MEMORY_BYTES / Math.max(1, dfa.stateCount))
    clear()
  }
  const steps = made.programSize()
  let cost = 0
  const charged = (text: string, run: (text: string) => boolean): boolean => {
    const before = { room: dfa.memBudget, cleared }
    const found = run(text)
    const full = cleared - before.cleared
    const built = full > 0 ? (full - 1) * PATTERN_MEMORY_BYTES : before.room - dfa.memBudget
    const char = full > 0 ? SLOW_CHAR + SLOW_BYTE * stateBytes : CHAR
    cost += CALL + text.length * char + built * STATE_BYTE
    return found
  }
  return {
    byLine: ENDS.test(made.pattern()),
    test: (text) => charged(text, (given) => (quickly?.(given) ?? true) && made.test(given)),
    fits: (text) => charged(text, (given) => made.testExact(given)),
    start(text) {
      const price = text.length * steps * POSITION_STEP
      if (price > POSITION_MAX) return 0
      cost += price
      const matcher = made.matcher(text)
      return matcher.find() ? matcher.start() : 0
    },
    cost: () => cost,
  }
}
