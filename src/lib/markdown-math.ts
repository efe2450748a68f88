// Recognizes TeX in Markdown between \( \), \[ \] or $$ $$. A single $ is treated as a currency sign.
// Markdown would otherwise treat the backslashes, asterisks and underscores of a formula as markup. Renders
// nothing.

import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

const CLOSING_DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$$', '$$'],
])
/** Escaped brackets are ordinary Markdown, and two dollar signs may be text, so only what looks like TeX is kept. */
const LOOKS_LIKE_TEX: ReadonlyMap<string, RegExp> = new Map([
  ['\\[', /[\\^_=]/],
  ['$$', /[\\^_=+*/<>|]|^\s?[^\s$]+\s?$/],
])
/** Maximum length of a formula. Real ones are far shorter. */
const FORMULA_MAX_CHARS = 2_000

/**
 * Adds the rules to a Markdown parser. A formula becomes a `math` token: `content` is its TeX, `info` its
 * source, and `markup` its opening delimiter, or '' if it cannot be rendered (unclosed, empty or too long).
 * With `asText`, it becomes text, unchanged.
 */
export function keepTex(markdown: MarkdownIt, { asText }: { readonly asText: boolean }): void {
  markdown.inline.ruler.before('escape', 'tex', (state, isCheckOnly) => {
    const opening = state.src.slice(state.pos, state.pos + 2)
    const closing = CLOSING_DELIMITERS.get(opening)
    if (closing === undefined) return false
    const start = state.pos + 2
    const end = findClosing(state, closing, start)
    if (end <= start || end + 2 > state.posMax || end - start > FORMULA_MAX_CHARS) return false
    const formula = state.src.slice(start, end)
    if (LOOKS_LIKE_TEX.get(opening)?.test(formula) === false) return false
    if (!isCheckOnly) {
      const token = state.push(asText ? 'text' : 'math', '', 0)
      const source = `${opening}${formula}${closing}`
      token.content = asText ? source : formula
      token.markup = opening
      token.info = source
    }
    state.pos = end + 2
    return true
  })
  if (asText) return
  markdown.block.ruler.before('fence', 'displayed tex', displayedTex, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
}

/** The next position of each delimiter, so that a text with thousands of unclosed formulas is searched once. */
const nextClosings = new WeakMap<StateInline, Map<string, number>>()

function findClosing(state: StateInline, closing: string, from: number): number {
  const known = nextClosings.get(state) ?? new Map<string, number>()
  nextClosings.set(state, known)
  let position = known.get(closing)
  if (position === undefined || position < from) {
    const found = state.src.indexOf(closing, from)
    position = found < 0 ? Infinity : found
    known.set(closing, position)
  }
  return position
}

/**
 * A formula on one line, or between lines that contain only delimiters. It ends at a blank line at the
 * latest, so that a growing text is split into the same blocks as a complete one.
 */
function displayedTex(state: StateBlock, startLine: number, endLine: number, isCheckOnly: boolean): boolean {
  if (indentOf(state, startLine) >= 4) return false
  const firstLine = lineOf(state, startLine)
  const opening = firstLine.slice(0, 2)
  const closing = opening === '\\(' ? undefined : CLOSING_DELIMITERS.get(opening)
  if (closing === undefined) return false
  const rest = firstLine.slice(2).trim()
  const isOneLine = rest !== ''
  if (isOneLine && (rest.length < 3 || rest.indexOf(closing) !== rest.length - 2)) return false
  if (isCheckOnly) return true
  const lines = isOneLine ? [rest.slice(0, -2)] : []
  let isComplete = isOneLine
  let line = startLine + 1
  for (; !isComplete && line < endLine; line++) {
    const text = lineOf(state, line)
    if (text.trim() === '' || indentOf(state, line) < 0) break
    isComplete = text.trim().endsWith(closing)
    lines.push(isComplete ? text.trim().slice(0, -2) : text)
  }
  state.line = line
  const token = state.push('math', '', 0)
  token.block = true
  token.content = lines.join('\n').trim()
  const isFormula = isComplete && token.content !== '' && token.content.length <= FORMULA_MAX_CHARS
  token.markup = isFormula ? opening : ''
  token.info = `${opening}\n${lines.join('\n')}${isComplete ? `\n${closing}` : ''}`
  token.map = [startLine, line]
  return true
}

function indentOf(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
}
