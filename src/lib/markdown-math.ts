// Keeps TeX between \( \) or \[ \] in Markdown unchanged. It is not rendered here, and Markdown would
// otherwise treat its backslashes, asterisks and underscores as markup.

import type { MarkdownIt } from 'markdown-it'

const CLOSING_DELIMITERS: Readonly<Record<string, string>> = { '(': '\\)', '[': '\\]' }
/** Escaped brackets are ordinary Markdown, so only text that looks like TeX is kept. */
const LOOKS_LIKE_TEX = /[\\^_=]/
/**
 * Maximum length of a formula. Limits the work if there are thousands of unclosed formulas; real ones are far
 * shorter.
 */
const FORMULA_MAX_CHARS = 1_000

/** Adds the rule to a Markdown parser. */
export function keepTex(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'tex', (state, isCheckOnly) => {
    const closingDelimiter = CLOSING_DELIMITERS[state.src[state.pos + 1] ?? '']
    if (state.src[state.pos] !== '\\' || closingDelimiter === undefined) return false
    const textAhead = state.src.slice(
      state.pos + 2,
      Math.min(state.posMax, state.pos + 2 + FORMULA_MAX_CHARS),
    )
    const length = textAhead.indexOf(closingDelimiter)
    if (length < 0) return false
    const formula = textAhead.slice(0, length)
    if (closingDelimiter === CLOSING_DELIMITERS['['] && !LOOKS_LIKE_TEX.test(formula)) return false
    if (!isCheckOnly)
      state.push('text', '', 0).content =
        `${state.src.slice(state.pos, state.pos + 2)}${formula}${closingDelimiter}`
    state.pos += length + 4
    return true
  })
}
