// Patterns that the model writes, matched with RE2 in time linear in the length of the text. The cost is counted, because
// some patterns are a thousand times slower than others.

import { RE2JS, RE2JSException } from 're2js'
import { err, ok, type Result } from '../../lib/result.ts'
import { PATTERN_REPEATS_MAX, PATTERN_MAX_CHARS, PATTERN_MAX_STEPS, PATTERN_MEMORY_BYTES } from './limits.ts'
import { globSource } from './glob-pattern.ts'

export interface Pattern {
  /** True if the pattern refers to the ends of the text, so that each line has to be tested separately. */
  readonly needsSingleLines: boolean
  /** Whether any part of the text matches. */
  test(text: string): boolean
  /** Whether the entire text matches. */
  matchesEntirely(text: string): boolean
  /** The index of the first match in a text that matches, or 0 if finding it would be too expensive. */
  firstMatchIndex(text: string): number
  /** The cost so far, in units of about a microsecond. It is computed, not measured, so it is equal on all machines. */
  cost(): number
}

export interface PatternOptions {
  readonly literal?: boolean
  readonly ignoreCase?: boolean
  /** Makes `^` and `$` match only at the ends of the text, not of each line. */
  readonly wholeText?: boolean
}

/** A cheap test that returns false only if the text cannot match. */
type Prefilter = (text: string) => boolean

const REGEX_SYNTAX = /[\\^$.|?*+()[\]{}]/
const ASCII = /^[\t -~]*$/

/**
 * Tests by lower case. RE2 also treats the long s as an s and the Kelvin sign as a k; toLowerCase() converts the Kelvin
 * sign, but not the long s.
 */
function lowerCasePrefilter(lowerCaseText: string): Prefilter {
  return (text) => text.includes('ſ') || text.toLowerCase().includes(lowerCaseText)
}

/** Measured cost of a call, of a character, and of each byte of a new state, in microseconds. */
const US_PER_CALL = 0.5
const US_PER_CHAR = 0.005
const US_PER_STATE_BYTE = 0.06
/** Measured cost of a character after the states exceeded their memory, and the surcharge for each byte of a state. */
const US_PER_UNCACHED_CHAR = 0.6
const US_PER_UNCACHED_BYTE = 0.005
/** Cost of finding the position of a match, per instruction of the pattern and character, and its maximum. */
const US_PER_POSITION_STEP = 0.1
const POSITION_MAX_US = 20_000

/** Compiles a regular expression or a literal text. The error is a message for the model. */
export function compilePattern(
  pattern: string,
  { literal = false, ignoreCase = false, wholeText = false }: PatternOptions,
): Result<Pattern, string> {
  if (pattern.length > PATTERN_MAX_CHARS) return err(tooLongMessage(pattern))
  if (!literal && (pattern.match(/\{\d/g) ?? []).length > PATTERN_REPEATS_MAX)
    return err(
      `The pattern has more than ${PATTERN_REPEATS_MAX} counted repetitions such as a{3}. Simplify it and call again.`,
    )
  const wellFormed = pattern.toWellFormed()
  const isPlainText = literal || !REGEX_SYNTAX.test(wellFormed)
  const compile = (): RE2JS => {
    const source = literal ? RE2JS.quote(wellFormed) : RE2JS.translateRegExp(wellFormed)
    return RE2JS.compile(
      source,
      (wholeText ? 0 : RE2JS.MULTILINE) | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0),
    )
  }
  return compileChecked(
    compile,
    isPlainText && ignoreCase && ASCII.test(wellFormed) ? lowerCasePrefilter(wellFormed.toLowerCase()) : null,
  )
}

/** Compiles a glob that is matched against complete paths. The error is a message for the model. */
export function compileGlob(glob: string, anchored: boolean): Result<Pattern, string> {
  if (glob.length > PATTERN_MAX_CHARS) return err(tooLongMessage(glob))
  return compileChecked(() => RE2JS.compile(globSource(glob.toWellFormed(), anchored)))
}

function tooLongMessage(pattern: string): string {
  return `The pattern has ${pattern.length} characters; the limit is ${PATTERN_MAX_CHARS}. Shorten it.`
}

function compileChecked(compile: () => RE2JS, prefilter: Prefilter | null = null): Result<Pattern, string> {
  try {
    const regex = compile()
    if (regex.programSize() > PATTERN_MAX_STEPS)
      return err(
        'The pattern is too complex, probably because of counted repetitions such as a{500}. Simplify it and call again.',
      )
    return ok(countCost(regex, prefilter))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const why = error.message.replace(/^error parsing regexp: /, '')
    return err(`Invalid pattern: ${why}.`)
  }
}

/** Matches `\A` and `\z`, and flags that turn options off, such as `(?-m)`. */
const TEXT_END_SYNTAX = /\\[AzZ]|\(\?[A-Za-z]*-/

function countCost(regex: RE2JS, prefilter: Prefilter | null): Pattern {
  // These are internal fields of the library, whose default limit is eight times as high. A test checks that they exist.
  const { dfa } = regex.re2()
  dfa.stateBudget = PATTERN_MEMORY_BYTES
  dfa.memBudget = PATTERN_MEMORY_BYTES
  let clearCount = 0
  let stateBytes = 0
  const clearCache = dfa.clearCache.bind(dfa)
  dfa.clearCache = () => {
    clearCount += 1
    stateBytes = Math.max(stateBytes, PATTERN_MEMORY_BYTES / Math.max(1, dfa.stateCount))
    clearCache()
  }
  const instructionCount = regex.programSize()
  let cost = 0
  const charge = (text: string, run: (text: string) => boolean): boolean => {
    const before = { freeBytes: dfa.memBudget, clearCount }
    const isMatch = run(text)
    const clears = clearCount - before.clearCount
    const newStateBytes = clears > 0 ? (clears - 1) * PATTERN_MEMORY_BYTES : before.freeBytes - dfa.memBudget
    const charCost = clears > 0 ? US_PER_UNCACHED_CHAR + US_PER_UNCACHED_BYTE * stateBytes : US_PER_CHAR
    cost += US_PER_CALL + text.length * charCost + newStateBytes * US_PER_STATE_BYTE
    return isMatch
  }
  return {
    needsSingleLines: TEXT_END_SYNTAX.test(regex.pattern()),
    test: (text) => charge(text, (input) => (prefilter?.(input) ?? true) && regex.test(input)),
    matchesEntirely: (text) => charge(text, (input) => regex.testExact(input)),
    firstMatchIndex(text) {
      const positionCost = text.length * instructionCount * US_PER_POSITION_STEP
      if (positionCost > POSITION_MAX_US) return 0
      cost += positionCost
      const matcher = regex.matcher(text)
      return matcher.find() ? matcher.start() : 0
    },
    cost: () => cost,
  }
}
