// Compiles the patterns of a script.

import { Unsupported } from '../command.ts'
import { UnsupportedPattern } from '../pattern/brackets.ts'
import { parsePattern } from '../pattern/parse.ts'
import { Pattern } from '../pattern/pattern.ts'
import type { Wanted } from './script.ts'

export interface PatternRules {
  readonly extended: boolean
  /** Whether lines end with NUL. */
  readonly nulls: boolean
  /** Whether each byte is a character, as in the locale C. */
  readonly bytesOnly: boolean
}

/** `flags` are those of `I` and `M`. Returns null for the last used pattern. Throws a `PatternError`. */
export function compileWanted(text: string, flags: string, rules: PatternRules): Wanted {
  const byLine = flags.includes('M')
  const ignoreCase = flags.includes('I')
  if (text === '') {
    if (flags !== '') throw new Unsupported('sed: an empty pattern with a flag', 'the pattern in full')
    return null
  }
  if (byLine && rules.nulls) throw new Unsupported('sed -z with the flag M', 'python3')
  // A single byte of a multi-byte character cannot be matched.
  if (/(?<!\\)(?:\\\\)*\\(?:x[89a-fA-F]|d(?:1[3-9]|12[89]|2)|o[23])/.test(text))
    throw new Unsupported(String.raw`sed: a byte above 127 (\xHH) in a pattern`, 'the character itself')
  try {
    const { tree, groups } = parsePattern(text, {
      extended: rules.extended,
      ignoreCase,
      bytesOnly: rules.bytesOnly,
      escapes: true,
    })
    return new Pattern(tree, { groups, ignoreCase, byLine })
  } catch (error) {
    if (error instanceof UnsupportedPattern) throw new Unsupported(`sed: ${error.message}`, 'python3')
    throw error
  }
}
