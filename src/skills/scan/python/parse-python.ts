// Text to tree, or the reason why not. The grammar has gaps of its own: what it cannot read is not always wrong.

import { parser } from '@lezer/python'

import { SCAN_BRACKETS_MAX } from '../../../limits.ts'
import { parseWith } from '../syntax.ts'
import type { Node, Syntax } from '../syntax.ts'

export type Parsed =
  | { readonly ok: true; readonly syntax: Syntax }
  | {
      readonly ok: false
      readonly offset: number
      readonly reason: string
      /** The tree with its holes; null where there is none that can be walked. */
      readonly syntax: Syntax | null
    }

// With these a file can say one thing to a reader and another to Python (PEP 263).
const CODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/
const PLAIN = /^(?:utf-?8(?:-sig)?|utf_8|u8|us-ascii|ascii|latin-?1|latin_1|iso-?8859-?1|iso_8859_1|cp1252)$/i
const YIELDS = new Set(['YieldStatement', 'YieldExpression'])
const WITH = new Set(['WithStatement', 'Body', 'Script'])
const NAMES_THAT_MATTER =
  /\b(?:eval|exec|compile|system|popen|subprocess|getattr|vars|globals|locals|environ|dup2|importlib|getoutput|shell)\b|__/

export function parsePython(source: string): Parsed {
  // A form feed is white space to Python and unknown to the grammar; same length, so offsets stay.
  // A backslash before a brace hides the brace from the grammar, not from Python: f"\{call()}" calls.
  // A number may end in its point; a nought there is the same length and known to the grammar.
  const text = source
    .replace(/\f|\\(?=[{}])/g, ' ')
    .replace(/(?<![\w.])(\d[\d_]*)\.(?=[eEjJ]|[^\w.]|$)/g, (_, digits: string) => `${digits}0`)
  for (const line of text.split('\n', 2)) {
    const coding = CODING.exec(line)?.[1]
    if (coding !== undefined && !PLAIN.test(coding))
      return no(0, `It declares the encoding ${coding.slice(0, 40)}`, null)
  }
  const syntax = parseWith(parser, text)
  if (!syntax) return no(0, 'It is nested or broken beyond measure', null)
  const deep = tooDeep(syntax)
  if (deep >= 0) return no(syntax.from(deep), 'Its brackets are nested deeper than Python allows', null)
  for (const error of syntax.errors)
    if (!isGap(syntax, error))
      return no(syntax.from(error), 'This is not Python 3 as far as it can be parsed', syntax)
  for (let node = 0; node < syntax.size; node++)
    if (syntax.name(node) === 'PrintStatement')
      return no(syntax.from(node), 'This is Python 2 (print as a statement)', syntax)
  return { ok: true, syntax }
}

function no(offset: number, reason: string, syntax: Syntax | null): Parsed {
  return { ok: false, offset, reason, syntax }
}

function tooDeep(syntax: Syntax): Node {
  let depth = 0
  for (let node = 0; node < syntax.size; node++) {
    const name = syntax.name(node)
    if (name === '(' || name === '[' || name === '{') depth++
    else if (name === ')' || name === ']' || name === '}') depth--
    if (depth > SCAN_BRACKETS_MAX) return node
  }
  return -1
}

/**
 * Good Python that the grammar does not know: a bare `yield`, `with (a as b, c as d):`, dotted
 * class patterns, `as (a, b)`, `for a, *b in` inside brackets. The tree around such a place is whole but for a few tokens; it is let be when no name
 * that matters stands in its lines, so nothing can hide there.
 */
function isGap(syntax: Syntax, error: Node): boolean {
  const parent = syntax.parent(error)
  const empty = syntax.to(error) === syntax.from(error)
  if (empty && YIELDS.has(syntax.name(parent))) return true
  const text = syntax.text
  const at = syntax.from(error)
  const statement = syntax.above(error, WITH)
  const inWith = syntax.name(statement) === 'WithStatement'
  const lineFrom = text.lastIndexOf('\n', at - 1) + 1
  const lineTo = text.indexOf('\n', at)
  const line = text.slice(lineFrom, lineTo < 0 ? text.length : lineTo)
  const inLine = /^[ \t]*case\b/.test(line) || /\bfor\b[^\n]{0,400}\*[ \t]*\w/.test(line)
  if (!inWith && !inLine) return false
  const from = inWith ? syntax.from(statement) : lineFrom
  const body = inWith ? syntax.kids(statement).find((kid) => syntax.name(kid) === 'Body') : undefined
  const to = body === undefined ? lineFrom + line.length : syntax.from(body)
  return !NAMES_THAT_MATTER.test(text.slice(from, to).normalize('NFKC'))
}
