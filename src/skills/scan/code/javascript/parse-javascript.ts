// Parses JavaScript and TypeScript, in the dialect that the file suffix names.

import { parser } from '@lezer/javascript'

import type { Steps } from '../../../../lib/steps.ts'
import { withParseProblem } from '../common/holes.ts'
import type { ParsedCode } from '../common/language.ts'
import { parseWith } from '../common/parse.ts'
import type { Syntax } from '../common/syntax.ts'

const DIALECTS: readonly (readonly [RegExp, string])[] = [
  [/\.[cm]?ts$/i, 'ts'],
  [/\.tsx$/i, 'ts jsx'],
]

// The grammar does not support the type of a catch variable, which much TypeScript has. Spaces replace it to
// keep offsets.
const CATCH_TYPE = /\b(catch\s{0,10}\(\s{0,10}[\w$]{1,60})(\s{0,10}:\s{0,10}(?:any|unknown))(?=\s{0,10}\))/g

/** Names that must not be in an unparsed part of a file. */
export const SUSPICIOUS_JAVASCRIPT_NAMES =
  /\b(?:eval|Function)\s{0,20}\(|\bchild_process\b|\bexecSync\b|\brunIn(?:New|This)?Context\b|\.constructor\s{0,20}(?:\.\s{0,20}constructor\b|\(\s{0,20}["'`])|\bprocess\s{0,20}\.\s{0,20}env\b(?!\s{0,20}[.[?!])/

export function* parseJavascript(path: string, source: string): Steps<ParsedCode> {
  const text = source.replace(CATCH_TYPE, (_, head: string, type: string) => head + ' '.repeat(type.length))
  return withParseProblem(yield* treeOf(path, text), SUSPICIOUS_JAVASCRIPT_NAMES)
}

function* treeOf(path: string, text: string): Steps<Syntax | null> {
  const dialect = DIALECTS.find(([suffix]) => suffix.test(path))?.[1] ?? 'jsx'
  const syntax = yield* parseWith(parser.configure({ dialect }), text)
  if (syntax?.errors.length === 0 || dialect !== 'jsx') return syntax
  // A .js file may contain types, which look like JSX. The dialect that gives fewer errors is used.
  const typed = yield* parseWith(parser.configure({ dialect: 'ts' }), text)
  return typed && (!syntax || typed.errors.length < syntax.errors.length) ? typed : syntax
}
