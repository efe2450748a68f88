// Text to tree in the dialect of the suffix, and what may hide where the tree has holes.
//
// Unlike Python, a file with errors is not refused as such: JavaScript has dialects and proposals beyond any grammar,
// and its parser recovers statement by statement, so the calls around a hole are seen. What counts is what the holes
// and whatever follows them name. The one rule: a name that runs code must be seen as a name, or the file is refused.

import { parser } from '@lezer/javascript'

import type { Steps } from '../../../lib/steps.ts'
import { parseWith } from '../parse.ts'
import type { Node, Syntax } from '../syntax.ts'

const DIALECTS: readonly (readonly [RegExp, string])[] = [
  [/\.[cm]?ts$/i, 'ts'],
  [/\.tsx$/i, 'ts jsx'],
]

// The one gap of the grammar that most TypeScript has: the type of what is caught. Blanks keep every offset.
const CAUGHT = /\b(catch\s{0,10}\(\s{0,10}[\w$]{1,60})(\s{0,10}:\s{0,10}(?:any|unknown))(?=\s{0,10}\))/g

/** Null: more work than honest code needs. */
export function* parseJavascript(path: string, source: string): Steps<Syntax | null> {
  const text = source.replace(CAUGHT, (_, head: string, type: string) => head + ' '.repeat(type.length))
  const dialect = DIALECTS.find(([suffix]) => suffix.test(path))?.[1] ?? 'jsx'
  const syntax = yield* parseWith(parser.configure({ dialect }), text)
  if (syntax?.errors.length === 0 || dialect !== 'jsx') return syntax
  // Types in a .js file, or none of JSX: whichever reading has fewer holes.
  const typed = yield* parseWith(parser.configure({ dialect: 'ts' }), text)
  return typed && (!syntax || typed.errors.length < syntax.errors.length) ? typed : syntax
}

const NAMES =
  /\b(?:eval|Function)\s{0,20}\(|\bchild_process\b|\bexecSync\b|\brunIn(?:New|This)?Context\b|\bprocess\s{0,20}\.\s{0,20}env\b(?!\s{0,20}[.[?!])/g
const SEEN = new Set([
  'VariableName',
  'PropertyName',
  'VariableDefinition',
  'PropertyDefinition',
  'String',
  'LineComment',
  'Label',
  'TypeName',
  'Hashbang',
  'function',
  'JSXIdentifier',
])

/** A name that runs code, in or behind a hole of the tree, that no rule could see. */
export function hiddenName(syntax: Syntax): { readonly name: string; readonly offset: number } | null {
  const [first] = syntax.errors
  if (first === undefined) return null
  // An escape in an identifier, which the grammar lacks: \u0065val is eval.
  const escaped = syntax.errors.find((error) => syntax.text.startsWith('\\u', syntax.from(error)))
  if (escaped !== undefined) return { name: '\\u', offset: syntax.from(escaped) }
  const from = syntax.text.lastIndexOf('\n', syntax.from(first)) + 1
  const leaves = leavesOf(syntax)
  let leaf = 0
  NAMES.lastIndex = from
  for (let match = NAMES.exec(syntax.text); match; match = NAMES.exec(syntax.text)) {
    while (leaf + 1 < leaves.length && syntax.from(leaves[leaf + 1] ?? 0) <= match.index) leaf++
    const at = leaves[leaf] ?? 0
    const covered = syntax.from(at) <= match.index && match.index < syntax.to(at)
    if (!covered || !SEEN.has(syntax.name(at))) return { name: match[0], offset: match.index }
  }
  return null
}

function leavesOf(syntax: Syntax): readonly Node[] {
  const leaves: Node[] = []
  for (let node = 0; node < syntax.size; node++)
    if (syntax.parent(node + 1) !== node || syntax.name(node) === 'String') leaves.push(node)
  return leaves
}
