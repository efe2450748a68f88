// Finds code that may hide in parts that could not be parsed.
//
// Parsing may fail without malice, because grammars lag behind their languages and templates are not
// programs. The parser recovers statement by statement, so the rules still see the calls around such a hole.
// A file with holes gets a warning only if a relevant name is in or after a hole, where the rules do not see
// it as a name.

import { quoted } from '../../../format/finding.ts'
import type { ParsedCode } from './language.ts'
import type { SyntaxNode, Syntax } from './syntax.ts'

const VISIBLE_KINDS = new Set([
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
 * Adds to a syntax tree the problem that its unparsed parts cause, if any. `suspiciousNames` matches names that
 * must not be in them.
 */
export function withParseProblem(syntax: Syntax | null, suspiciousNames: RegExp): ParsedCode {
  if (!syntax) {
    const problem = {
      offset: 0,
      reason: 'The code cannot be parsed: it is nested too deeply or has too many errors',
      hidesNames: false,
    }
    return { syntax, problem }
  }
  const [first] = syntax.errors
  if (first === undefined) return { syntax, problem: null }
  const hidden = hiddenName(syntax, first, suspiciousNames)
  if (hidden) return { syntax, problem: { ...hidden, hidesNames: true } }
  const reason = 'Only part of the code could be parsed'
  return { syntax, problem: { offset: syntax.from(first), reason, hidesNames: false } }
}

function hiddenName(
  syntax: Syntax,
  first: SyntaxNode,
  suspiciousNames: RegExp,
): { readonly reason: string; readonly offset: number } | null {
  // The grammar does not support escapes in identifiers: \u0065val is eval.
  const escaped = syntax.errors.find((error) => syntax.text.startsWith('\\u', syntax.from(error)))
  if (escaped !== undefined) return { reason: 'A name contains escapes', offset: syntax.from(escaped) }
  const pattern = new RegExp(suspiciousNames, 'g')
  pattern.lastIndex = syntax.text.lastIndexOf('\n', syntax.from(first)) + 1
  let node = 0
  for (let match = pattern.exec(syntax.text); match; match = pattern.exec(syntax.text)) {
    // Find the innermost node around the match. Nodes are in text order, outer nodes first.
    while (node + 1 < syntax.size && syntax.from(node + 1) <= match.index) node++
    let enclosing = node
    while (syntax.to(enclosing) <= match.index && enclosing > 0) enclosing = syntax.parent(enclosing)
    if (!VISIBLE_KINDS.has(syntax.name(enclosing)))
      return { reason: `An unparsed part mentions ${quoted(match[0])}`, offset: match.index }
  }
  return null
}
