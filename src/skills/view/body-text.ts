// Fills in variables in a skill's text that other hosts define: paths, and the person's request. Variables
// that cannot be filled in are left as they are and reported.

import { cutText } from '../../lib/text.ts'
import { CALLED_REQUEST_MAX_CHARS } from '../../limits/skills.ts'
import { ARGUMENTS_FILLED_MAX_CHARS } from './limits.ts'
import { rootOf, type IndexEntry } from '../skill.ts'

const ROOTS = /\$\{CLAUDE_SKILL_DIR\}|\$\{CLAUDE_PLUGIN_ROOT\}|(?<!\$)\{baseDir\}/g

/** Replaces the variables that mean the skill's folder. Line numbers do not change. */
export function withRoot(text: string, entry: Pick<IndexEntry, 'category' | 'name'>): string {
  // A function, because replace() would expand `$&` and similar sequences in a string.
  return text.replace(ROOTS, () => rootOf(entry))
}

const ARGUMENTS = /\$ARGUMENTS\b/
const ARGUMENT_VARIABLES = /\$ARGUMENTS\b(?:\[(\d+)\])?/g

/** Whether the text uses the person's request, which makes it different for each call. */
export function takesArguments(text: string): boolean {
  return ARGUMENTS.test(text)
}

/**
 * Replaces `$ARGUMENTS` with the person's request, cut at CALLED_REQUEST_MAX_CHARS, and `$ARGUMENTS[N]` with
 * its N-th word (from 0), or nothing if there is none. After ARGUMENTS_FILLED_MAX_CHARS in total, the
 * remaining variables are left as they are, and `hasUnfilled` is true. Does not escape the text.
 */
export function withArguments(
  text: string,
  request: string,
): { readonly text: string; readonly hasUnfilled: boolean } {
  const requestText = cutText(request.trim(), CALLED_REQUEST_MAX_CHARS)
  const words = shellWords(requestText)
  let remainingChars = ARGUMENTS_FILLED_MAX_CHARS
  let hasUnfilled = false
  // One pass, so that inserted text is not expanded.
  const filled = text.replace(ARGUMENT_VARIABLES, (variable, index?: string) => {
    const value = index === undefined ? requestText : (words[Number(index)] ?? '')
    remainingChars -= value.length
    if (remainingChars >= 0) return value
    hasUnfilled = true
    return variable
  })
  return { text: filled, hasUnfilled }
}

/**
 * Splits a text into words as a shell does: at white space, except in quotes and after backslashes. A single quote
 * inside a word is an ordinary character, because people write "don't". An unclosed quote extends to the end.
 */
function shellWords(text: string): readonly string[] {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    const next = text.charAt(index + 1)
    if (char === '\\' && quote !== "'" && /[\s"'\\]/.test(next)) {
      word = (word ?? '') + next
      index++
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

// Matches $1 to $9, but not prices such as $5.00 or $5 million.
const NUMBERED = /(?<![\w$\\])\$[1-9](?![\w%]|[.,]\d| (?:per|a|million|billion)\b)/

const LITERAL: readonly { readonly pattern: RegExp; readonly description: string }[] = [
  {
    pattern: /\$\{CLAUDE_(?:SESSION_ID|EFFORT|PROJECT_DIR|PLUGIN_DATA)\}/,
    description: '${CLAUDE_…} has no value here',
  },
  { pattern: /!`[^`\n]+`|^```!/m, description: 'a command after ! was not run' },
]

/**
 * A line about the variables that remain in a text, or null if there are none. `text` is as its author wrote it;
 * `filled` is true if $ARGUMENTS was replaced with the person's request.
 */
export function leftLiteral(text: string, filled = false): string | null {
  const remaining = LITERAL.filter(({ pattern }) => pattern.test(text)).map(({ description }) => description)
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
