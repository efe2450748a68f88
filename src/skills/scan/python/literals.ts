// The values of Python literals as far as they stand in the text: strings, joined strings, nothing computed.

import type { Node, Syntax } from '../syntax.ts'

const JOIN_MAX_DEPTH = 32
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
}

/** The text of a string expression, also of several in a row or added up; null when it is not all literal. */
export function stringValue(syntax: Syntax, node: Node, depth = 0): string | null {
  if (depth > JOIN_MAX_DEPTH) return null
  const kids = syntax.kids(node)
  switch (syntax.name(node)) {
    case 'String':
      return unquoted(syntax.textOf(node))
    case 'FormatString':
      return kids.some((kid) => syntax.name(kid) === 'FormatReplacement')
        ? null
        : unquoted(syntax.textOf(node))
    case 'ContinuedString':
      return joined(syntax, kids, depth)
    case 'ParenthesizedExpression':
      return kids[1] === undefined ? null : stringValue(syntax, kids[1], depth + 1)
    case 'BinaryExpression': {
      const [left, operator, right] = kids
      if (left === undefined || operator === undefined || right === undefined) return null
      return syntax.textOf(operator) === '+' ? joined(syntax, [left, right], depth) : null
    }
    default:
      return null
  }
}

function joined(syntax: Syntax, parts: readonly Node[], depth: number): string | null {
  let text = ''
  for (const part of parts) {
    const value = stringValue(syntax, part, depth + 1)
    if (value === null) return null
    text += value
  }
  return text
}

function unquoted(literal: string): string {
  const [, prefix = '', quote = ''] = /^([a-zA-Z]{0,3})("""|'''|"|')/.exec(literal) ?? []
  const open = prefix.length + quote.length
  const body = literal.slice(open, literal.endsWith(quote) ? literal.length - quote.length : literal.length)
  if (/r/i.test(prefix) || !body.includes('\\')) return body
  return body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\n)|([\s\S]))/g,
    (whole: string, x?: string, u?: string, long?: string, octal?: string, line?: string, char?: string) => {
      const hex = x ?? u ?? long
      const point = hex === undefined ? (octal === undefined ? null : parseInt(octal, 8)) : parseInt(hex, 16)
      if (point !== null) return point <= 0x10ffff ? String.fromCodePoint(point) : whole
      if (line !== undefined) return ''
      return ESCAPES[char ?? ''] ?? whole
    },
  )
}

/** True for a string that stands as a statement of its own: documentation, not a value. */
export function isDocstring(syntax: Syntax, node: Node): boolean {
  return syntax.name(syntax.parent(node)) === 'ExpressionStatement'
}
