// What other hosts fill into a skill's text: paths and what a person asked for are filled in here, too; what cannot be
// is left as it is and said.

import { cutText } from '../../lib/text.ts'
import { CALLED_REQUEST_CHARS } from '../../limits/skills.ts'
import { ARGUMENTS_FILLED_CHARS } from './limits.ts'
import { rootOf, type IndexEntry } from '../skill.ts'

const ROOTS = /\$\{CLAUDE_SKILL_DIR\}|\$\{CLAUDE_PLUGIN_ROOT\}|(?<!\$)\{baseDir\}/g

/** The folder of the skill in place of the variables that stand for it. Lines stay lines. */
export function withRoot(text: string, entry: Pick<IndexEntry, 'category' | 'name'>): string {
  // A function: `$&` and its like in a name would be filled in by replace() itself.
  return text.replace(ROOTS, () => rootOf(entry))
}

const ARGUMENTS = /\$ARGUMENTS\b/
const ARGUMENTS_AND_WORDS = /\$ARGUMENTS\b(?:\[(\d+)\])?/g

/** Whether a person's words belong into this text: it reads otherwise with each call. */
export function takesArguments(text: string): boolean {
  return ARGUMENTS.test(text)
}

/**
 * What a person wrote in place of `$ARGUMENTS`, and its words (from 0, one that is missing is empty) in place of
 * `$ARGUMENTS[N]`. Each is cut at CALLED_REQUEST_CHARS; past ARGUMENTS_FILLED_CHARS in all the variables stay: `left`.
 * The text is not made harmless here.
 */
export function withArguments(
  text: string,
  request: string,
): { readonly text: string; readonly left: boolean } {
  const whole = cutText(request.trim(), CALLED_REQUEST_CHARS)
  const words = shellWords(whole)
  let room = ARGUMENTS_FILLED_CHARS
  let left = false
  // One pass: what was put in is not looked at again.
  const filled = text.replace(ARGUMENTS_AND_WORDS, (variable, at?: string) => {
    const value = at === undefined ? whole : (words[Number(at)] ?? '')
    room -= value.length
    if (room >= 0) return value
    left = true
    return variable
  })
  return { text: filled, left }
}

/**
 * Words as a shell has them: blanks part them, quotes and backslashes keep blanks. A single quote counts at the
 * beginning of a word alone, because people write "don't"; a quote that is not closed goes to the end.
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

// A price ($5.00, $5 million) is seldom written with one digit alone and no word behind it.
const NUMBERED = /(?<![\w$\\])\$[1-9](?![\w%]|[.,]\d| (?:per|a|million|billion)\b)/

const LITERAL: readonly { readonly found: RegExp; readonly says: string }[] = [
  {
    found: /\$\{CLAUDE_(?:SESSION_ID|EFFORT|PROJECT_DIR|PLUGIN_DATA)\}/,
    says: '${CLAUDE_…} has no value here',
  },
  { found: /!`[^`\n]+`|^```!/m, says: 'a command behind ! was not run' },
]

/**
 * One line on what was left as it is in a text as its author wrote it, or null where nothing was. `filled`: what the
 * person wrote stands in place of $ARGUMENTS.
 */
export function leftLiteral(text: string, filled = false): string | null {
  const said = LITERAL.filter(({ found }) => found.test(text)).map(({ says }) => says)
  // Without $ARGUMENTS beside it, $1 is a price or a line of a script.
  const args = takesArguments(text)
    ? [...(filled ? [] : ['$ARGUMENTS']), ...(NUMBERED.test(text) ? ['$1, $2 …'] : [])]
    : []
  if (args.length > 0)
    said.unshift(
      `${args.join(' and ')} ${args[0] === '$ARGUMENTS' && args.length === 1 ? 'stands' : 'stand'} for what the user asked for`,
    )
  return said.length === 0 ? null : `[Left as written in these instructions: ${said.join('; ')}.]`
}
