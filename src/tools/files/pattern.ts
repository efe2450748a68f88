// Patterns of the model, matched in time that grows with the text alone, whatever the pattern (RE2). What it costs is
// counted, because a text of the worst kind is a thousand times slower than others.

import { RE2JS, RE2JSException } from 're2js'
import { err, ok, type Result } from '../../lib/result.ts'
import { PATTERN_COUNTS_MAX, PATTERN_MAX_CHARS, PATTERN_MAX_STEPS, PATTERN_MEMORY_BYTES } from './limits.ts'
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
  /** `^` and `$` stand for the ends of the whole text, and not of each line. */
  readonly wholeText?: boolean
}

/** False where a text holds no match for sure, found out sooner than by the pattern itself. */
type Quick = (text: string) => boolean

const SIGNS = /[\\^$.|?*+()[\]{}]/
const ASCII = /^[\t -~]*$/

/** Of all that is no ASCII only these two fold into it; `K` becomes k in lower case, too. */
function lowered(wanted: string): Quick {
  return (text) => text.includes('ſ') || text.toLowerCase().includes(wanted)
}

/** Measured, in microseconds: a call, a character, and a byte of new states. */
const CALL = 0.5
const CHAR = 0.005
const STATE_BYTE = 0.06
/** A character of a text for which there was no room for states, and more of it the larger these are. */
const SLOW_CHAR = 0.6
const SLOW_BYTE = 0.005
/** The place of a match costs a step of the pattern at each character; beyond this in all it is not looked for. */
const PLACE_STEP = 0.1
const PLACE_MAX = 20_000

/** A pattern as the model writes it. Fails in words for it. */
export function compilePattern(
  pattern: string,
  { literal = false, ignoreCase = false, wholeText = false }: PatternOptions,
): Result<Pattern, string> {
  if (pattern.length > PATTERN_MAX_CHARS) return err(tooLong(pattern))
  if (!literal && (pattern.match(/\{\d/g) ?? []).length > PATTERN_COUNTS_MAX)
    return err(`The pattern counts more than ${PATTERN_COUNTS_MAX} times, as in a{3}. Make it simpler.`)
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
  return `The pattern has ${pattern.length} characters; ${PATTERN_MAX_CHARS} are the most.`
}

function compiled(make: () => RE2JS, quickly: Quick | null = null): Result<Pattern, string> {
  try {
    const made = make()
    if (made.programSize() > PATTERN_MAX_STEPS)
      return err('The pattern is too large, most of all by what it counts, as in a{500}. Make it simpler.')
    return ok(counted(made, quickly))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const why = error.message.replace(/^error parsing regexp: /, '')
    return err(`Invalid pattern: ${why}.`)
  }
}

/** `\\A`, `\\z`, and flags that are taken back, such as `(?-m)`. */
const ENDS = /\\[AzZ]|\(\?[A-Za-z]*-/

function counted(made: RE2JS, quickly: Quick | null): Pattern {
  // Fields of the library, whose own bound is eight times as high. Tests say that they still are what they are here.
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
      const price = text.length * steps * PLACE_STEP
      if (price > PLACE_MAX) return 0
      cost += price
      const matcher = made.matcher(text)
      return matcher.find() ? matcher.start() : 0
    },
    cost: () => cost,
  }
}
