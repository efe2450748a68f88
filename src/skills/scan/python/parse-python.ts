// Text to tree, or the reason why not. The grammar has gaps of its own: what it cannot read is not always wrong.

import { parser } from '@lezer/python'

import { atOnce } from '../../../lib/steps.ts'
import type { Steps } from '../../../lib/steps.ts'
import { SCAN_BRACKETS_MAX } from '../../../limits.ts'
import { findNormal } from '../normal.ts'
import { parseWith } from '../parse.ts'
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

export function* parsePython(source: string): Steps<Parsed> {
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
  const syntax = yield* parseWith(parser, text)
  if (!syntax) return no(0, 'It is nested or broken beyond measure', null)
  const deep = tooDeep(syntax)
  if (deep >= 0) return no(syntax.from(deep), 'Its brackets are nested deeper than Python allows', null)
  // Errors of one statement stand side by side: its text is looked at once.
  let known: Gap = { from: 0, to: 0 }
  for (const error of syntax.errors) {
    const at = syntax.from(error)
    const isKnown = known.from <= at && at < known.to
    const gap = isKnown ? known : gapAt(syntax, error)
    if (!gap) return no(at, 'This is not Python 3 as far as it can be parsed', syntax)
    if (gap.to > at) known = gap
  }
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

/** A stretch of text that the grammar has gaps in. */
interface Gap {
  readonly from: number
  readonly to: number
}

/**
 * Good Python that the grammar does not know: a bare `yield`, `with (a as b, c as d):`, dotted
 * class patterns, `as (a, b)`, `for a, *b in` inside brackets. The tree around such a place is whole but for a few tokens; it is let be when no name
 * that matters stands in its lines, so nothing can hide there.
 */
function gapAt(syntax: Syntax, error: Node): Gap | null {
  const parent = syntax.parent(error)
  const empty = syntax.to(error) === syntax.from(error)
  const at = syntax.from(error)
  if (empty && YIELDS.has(syntax.name(parent))) return { from: at, to: at }
  const text = syntax.text
  const statement = syntax.above(error, WITH)
  const inWith = syntax.name(statement) === 'WithStatement'
  const lineFrom = text.lastIndexOf('\n', at - 1) + 1
  const lineTo = text.indexOf('\n', at)
  const line = text.slice(lineFrom, lineTo < 0 ? text.length : lineTo)
  const inLine = /^[ \t]*case\b/.test(line) || /\bfor\b[^\n]{0,400}\*[ \t]*\w/.test(line)
  if (!inWith && !inLine) return null
  const from = inWith ? syntax.from(statement) : lineFrom
  const body = inWith ? syntax.kids(statement).find((kid) => syntax.name(kid) === 'Body') : undefined
  const to = body === undefined ? lineFrom + line.length : syntax.from(body)
  return atOnce(findNormal(text.slice(from, to), NAMES_THAT_MATTER)) === null ? { from, to } : null
}
