// Fills in the variables of other hosts in a skill's text: paths, and the person's request. Reports those that cannot
// be filled in and leaves them.

import { cutText } from '../../lib/text.ts'
import { CALLED_REQUEST_CHARS } from '../../limits/skills.ts'
import { ARGUMENTS_FILLED_CHARS } from './limits.ts'
import { rootOf, type IndexEntry } from '../skill.ts'

const ROOTS = /\$\{CLAUDE_SKILL_DIR\}|\$\{CLAUDE_PLUGIN_ROOT\}|(?<!\$)\{baseDir\}/g

/** Replaces the variables for the skill's folder. Line numbers do not change. */
export function withRoot(text: string, entry: Pick<IndexEntry, 'category' | 'name'>): string {
  // A function, because replace() would expand `$&` and similar in a name.
  return text.replace(ROOTS, () => rootOf(entry))
}

const ARGUMENTS = /\$ARGUMENTS\b/
const ARGUMENT_VARIABLES = /\$ARGUMENTS\b(?:\[(\d+)\])?/g

/** Whether the text uses the person's request, so that it differs with each call. */
export function takesArguments(text: string): boolean {
  return ARGUMENTS.test(text)
}

/**
 * Replaces `$ARGUMENTS` with the person's request, and `$ARGUMENTS[N]` with its words (from 0; a missing one is empty).
 * Each value is cut at CALLED_REQUEST_CHARS. Beyond ARGUMENTS_FILLED_CHARS in total the variables remain: `left`. Does
 * not escape the text.
 */
export function withArguments(
  text: string,
  request: string,
): { readonly text: string; readonly left: boolean } {
  const whole = cutText(request.trim(), CALLED_REQUEST_CHARS)
  const words = shellWords(whole)
  let room = ARGUMENTS_FILLED_CHARS
  let left = false
  // One pass, so that inserted text is not expanded.
  const filled = text.replace(ARGUMENT_VARIABLES, (variable, at?: string) => {
    const value = at === undefined ? whole : (words[Number(at)] ?? '')
    room -= value.length
    if (room >= 0) return value
    left = true
    return variable
  })
  return { text: filled, left }
}

/**
 * Splits words as a shell does: at white space, except in quotes and after backslashes. A single quote counts only at
 * the start of a word, because people write "don't"; an unclosed quote extends to the end.
 */
function shellWords(text: string): readonly string[] {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const next = text.charAt(at + 1)
    if (char === '\\' && quote !== "'" && /[\s"'\\]/.test(next)) {
      word = (word ?? '') + next
      at++
    } else if (char === quote) quote = ''
    else if (quote === '' && (char === '"' || (char === "'" && word === null))) {
      quote = char
      word ??= ''
    } else if (quote === '' && /\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + char
  }
  return word === null ? words : [...words, word]
}

// A price ($5.00, $5 million) is rarely a single digit without a following word.
const NUMBERED = /(?<![\w$\\])\$[1-9](?![\w%]|[.,]\d| (?:per|a|million|billion)\b)/

const LITERAL: readonly { readonly found: RegExp; readonly says: string }[] = [
  {
    found: /\$\{CLAUDE_(?:SESSION_ID|EFFORT|PROJECT_DIR|PLUGIN_DATA)\}/,
    says: '${CLAUDE_…} has no value here',
  },
  { found: /!`[^`\n]+`|^```!/m, says: 'a command after ! was not run' },
]

/**
 * One line about variables that remain in a text as its author wrote it; null: none. `filled`: $ARGUMENTS was replaced
 * with the person's request.
 */
export function leftLiteral(text: string, filled = false): string | null {
  const remaining = LITERAL.filter(({ found }) => found.test(text)).map(({ says }) => says)
  // Without $ARGUMENTS in the text, $1 is a price or part of a script.
  const args = takesArguments(text)
    ? [...(filled ? [] : ['$ARGUMENTS']), ...(NUMBERED.test(text) ? ['$1, $2 …'] : [])]
    : []
  if (args.length > 0)
    remaining.unshift(
      `${args.join(' and ')} stand${args[0] === '$ARGUMENTS' && args.length === 1 ? 's' : ''} for what the user asked for`,
    )
  return remaining.length === 0 ? null : `[Left as written in these instructions: ${remaining.join('; ')}.]`
}
