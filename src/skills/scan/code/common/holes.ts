// Finds what may hide where parsing failed.
//
// Grammars lag behind their languages, templates are not programs, and the parser recovers statement by statement, so
// calls around a hole are seen. A file with holes is judged as far as possible. It gets a warning only when a relevant
// name is in or after a hole, where no rule sees it as a name.

import { quoted } from '../../../format/finding.ts'
import type { ParsedCode } from './language.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'

const SEEN = new Set([
  'VariableName',
  'PropertyName',
  'VariableDefinition',
  'PropertyDefinition',
  'String',
  'LineComment',
  'Comment',
  'FormatString',
  'Label',
  'TypeName',
  'Hashbang',
  'function',
  'JSXIdentifier',
  '.',
])

/** `matters`: names that must not be in an unparsed part. */
export function withHoles(syntax: Syntax | null, matters: RegExp): ParsedCode {
  if (!syntax) {
    const trouble = { offset: 0, reason: 'It is nested too deep or too broken to parse', hides: false }
    return { syntax, trouble }
  }
  const [first] = syntax.errors
  if (first === undefined) return { syntax, trouble: null }
  const hidden = hiddenName(syntax, first, matters)
  if (hidden) return { syntax, trouble: { ...hidden, hides: true } }
  const reason = 'Only a part of it could be parsed'
  return { syntax, trouble: { offset: syntax.from(first), reason, hides: false } }
}

function hiddenName(
  syntax: Syntax,
  first: SyntaxNode,
  matters: RegExp,
): { readonly reason: string; readonly offset: number } | null {
  // An escape in an identifier, which the grammar lacks: \u0065val is eval.
  const escaped = syntax.errors.find((error) => syntax.text.startsWith('\\u', syntax.from(error)))
  if (escaped !== undefined) return { reason: 'A name contains escapes', offset: syntax.from(escaped) }
  const names = new RegExp(matters, 'g')
  names.lastIndex = syntax.text.lastIndexOf('\n', syntax.from(first)) + 1
  let node = 0
  for (let match = names.exec(syntax.text); match; match = names.exec(syntax.text)) {
    // The innermost node around it: nodes are in text order, outer ones first.
    while (node + 1 < syntax.size && syntax.from(node + 1) <= match.index) node++
    let around = node
    while (syntax.to(around) <= match.index && around > 0) around = syntax.parent(around)
    if (!SEEN.has(syntax.name(around)))
      return { reason: `An unparsed part mentions ${quoted(match[0])}`, offset: match.index }
  }
  return null
}
