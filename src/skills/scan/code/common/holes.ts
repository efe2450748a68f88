// Finds code that may hide in parts that could not be parsed.
//
// Parsing may fail without malice, because grammars lag behind their languages and templates are not
// programs. The parser recovers statement by statement, so the rules still see the calls around such a hole.
// A file with holes gets a warning only if a relevant name is in or after a hole, where the rules do not see
// it as a name.

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

/**
 * Adds to a syntax tree what its unparsed parts may hide. `matters` matches names that must not be in them.
 */
export function withHoles(syntax: Syntax | null, matters: RegExp): ParsedCode {
  if (!syntax) {
    const trouble = {
      offset: 0,
      reason: 'The code cannot be parsed: it is nested too deeply or has too many errors',
      hides: false,
    }
    return { syntax, trouble }
  }
  const [first] = syntax.errors
  if (first === undefined) return { syntax, trouble: null }
  const hidden = hiddenName(syntax, first, matters)
  if (hidden) return { syntax, trouble: { ...hidden, hides: true } }
  const reason = 'Only part of the code could be parsed'
  return { syntax, trouble: { offset: syntax.from(first), reason, hides: false } }
}

function hiddenName(
  syntax: Syntax,
  first: SyntaxNode,
  matters: RegExp,
): { readonly reason: string; readonly offset: number } | null {
  // The grammar does not support escapes in identifiers: \u0065val is eval.
  const escaped = syntax.errors.find((error) => syntax.text.startsWith('\\u', syntax.from(error)))
  if (escaped !== undefined) return { reason: 'A name contains escapes', offset: syntax.from(escaped) }
  const names = new RegExp(matters, 'g')
  names.lastIndex = syntax.text.lastIndexOf('\n', syntax.from(first)) + 1
  let node = 0
  for (let match = names.exec(syntax.text); match; match = names.exec(syntax.text)) {
    // Find the innermost node around the match. Nodes are in text order, outer nodes first.
    while (node + 1 < syntax.size && syntax.from(node + 1) <= match.index) node++
    let around = node
    while (syntax.to(around) <= match.index && around > 0) around = syntax.parent(around)
    if (!SEEN.has(syntax.name(around)))
      return { reason: `An unparsed part mentions ${quoted(match[0])}`, offset: match.index }
  }
  return null
}
