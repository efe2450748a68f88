// What other hosts fill into a skill's text: paths are filled in here, too; what cannot be is left as it is and said.

import { rootOf } from '../skill.ts'
import type { IndexEntry } from '../skill.ts'

const ROOTS = /\$\{CLAUDE_SKILL_DIR\}|\$\{CLAUDE_PLUGIN_ROOT\}|(?<!\$)\{baseDir\}/g

/** The folder of the skill in place of the variables that stand for it. Lines stay lines. */
export function withRoot(text: string, entry: Pick<IndexEntry, 'category' | 'name'>): string {
  // A function: `$&` and its like in a name would be filled in by replace() itself.
  return text.replace(ROOTS, () => rootOf(entry))
}

const LITERAL: readonly { readonly found: RegExp; readonly says: string }[] = [
  {
    // A price ($5.00, $5 million) is seldom written with one digit alone and no word behind it.
    found: /\$ARGUMENTS\b|(?<![\w$\\])\$[0-9](?![\w.,%]| (?:per|a|million|billion)\b)/,
    says: '$ARGUMENTS and $1, $2 … stand for what the user asked for',
  },
  {
    found: /\$\{CLAUDE_(?:SESSION_ID|EFFORT|PROJECT_DIR|PLUGIN_DATA)\}/,
    says: '${CLAUDE_…} has no value here',
  },
  { found: /!`[^`\n]+`|^```!/m, says: 'a command behind ! was not run' },
]

/** One line on what was left as it is, or null where nothing was. */
export function leftLiteral(text: string): string | null {
  const said = LITERAL.filter(({ found }) => found.test(text)).map(({ says }) => says)
  return said.length === 0 ? null : `[Left as written in these instructions: ${said.join('; ')}.]`
}
