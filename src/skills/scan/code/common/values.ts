// Reads the arguments of a call and the text of string literals in Python and JavaScript.

import type { SyntaxNode, Syntax } from './syntax.ts'

export interface Arguments {
  readonly positional: readonly SyntaxNode[]
  readonly named: ReadonlyMap<string, SyntaxNode>
}

/** The positional and named arguments of a call, without spread arguments (`*args`, `...rest`). */
export function argumentsOf(syntax: Syntax, call: SyntaxNode): Arguments {
  const list = syntax.children(call).find((child) => syntax.name(child) === 'ArgList')
  const parts =
    list === undefined ? [] : syntax.children(list).filter((child) => !syntax.name(child).endsWith('Comment'))
  const positional: SyntaxNode[] = []
  const named = new Map<string, SyntaxNode>()
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? -1
    if (/^(?:[(),]|⚠)$/.test(syntax.name(part))) continue
    if (/^(?:\*\*?|Spread)$/.test(syntax.name(part))) index++
    else if (syntax.name(parts[index + 1] ?? -1) !== 'AssignOp') positional.push(part)
    else {
      named.set(syntax.textOf(part).normalize('NFKC'), parts[index + 2] ?? -1)
      index += 2
    }
  }
  return { positional, named }
}

const CONCATENATION_DEPTH_MAX = 32

/**
 * The text of a string literal, or of several that are adjacent or concatenated; null if any part is
 * computed.
 */
export function stringOf(syntax: Syntax, node: SyntaxNode, depth = 0): string | null {
  const children = (): readonly SyntaxNode[] => syntax.children(node)
  if (depth > CONCATENATION_DEPTH_MAX) return null
  switch (syntax.name(node)) {
    case 'String':
      return unquoted(syntax.textOf(node))
    case 'FormatString':
    case 'TemplateString':
      return children().some((child) => /^(?:FormatReplacement|Interpolation)$/.test(syntax.name(child)))
        ? null
        : unquoted(syntax.textOf(node))
    case 'ContinuedString':
      return concatenated(syntax, children(), depth)
    case 'ParenthesizedExpression':
      return stringOf(syntax, children()[1] ?? -1, depth + 1)
    case 'BinaryExpression': {
      const [left = -1, operator = -1, right = -1] = children()
      return syntax.textOf(operator) === '+' ? concatenated(syntax, [left, right], depth) : null
    }
    default:
      return null
  }
}

function concatenated(syntax: Syntax, parts: readonly SyntaxNode[], depth: number): string | null {
  const texts = parts.map((part) => stringOf(syntax, part, depth + 1))
  return texts.includes(null) ? null : texts.join('')
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

function unquoted(literal: string): string {
  const [open = '', prefix = '', quote = ''] = /^([a-zA-Z]{0,3})("""|'''|["'`])/.exec(literal) ?? []
  const body = literal.slice(open.length, literal.endsWith(quote) ? -quote.length || undefined : undefined)
  if (/r/i.test(prefix)) return body
  return body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (escape: string, hex2?: string, hex4?: string, hex8?: string, octal?: string, char = '') => {
      const hex = hex2 ?? hex4 ?? hex8
      if (hex === undefined && octal === undefined) return ESCAPES[char] ?? char
      const codePoint = hex === undefined ? parseInt(octal ?? '', 8) : parseInt(hex, 16)
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : escape
    },
  )
}
