// Text to tree. What Python knows and the grammar does not is made plain first.

import { parser } from '@lezer/python'

import type { Steps } from '../../../../lib/steps.ts'
import { withHoles } from '../common/holes.ts'
import type { ParsedCode } from '../common/language.ts'
import { parseWith } from '../common/parse.ts'

// With these a file can say one thing to a reader and another to Python (PEP 263).
const CODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/
const PLAIN = /^(?:utf-?8(?:-sig)?|utf_8|u8|us-ascii|ascii|latin-?1|latin_1|iso-?8859-?1|iso_8859_1|cp1252)$/i
/** Names that no unparsed part of a file may contain. */
export const MATTERS =
  /\b(?:eval|exec|compile|system|popen|subprocess|environ|dup2|getattr|vars|globals|locals|commands|create_subprocess_shell|getoutput)\b|__(?:import|builtins|dict|getattribute)__|coding[:=]|passwd|shadow|\.ssh|\.aws/

export function* parsePython(source: string): Steps<ParsedCode> {
  // A form feed is white space to Python and unknown to the grammar; same length, so offsets stay.
  // A backslash before a brace hides the brace from the grammar, not from Python: f"\{call()}" calls.
  // A number may end in its point; a nought there is the same length and known to the grammar.
  const text = source
    .replace(/\f|\\(?=[{}])/g, ' ')
    .replace(/(?<![\w.])(\d[\d_]*)\.(?=[eEjJ]|[^\w.]|$)/g, (_, digits: string) => `${digits}0`)
  for (const line of text.split('\n', 2)) {
    const coding = CODING.exec(line)?.[1]
    if (coding !== undefined && !PLAIN.test(coding)) return declared(coding)
  }
  return withHoles(yield* parseWith(parser, text), MATTERS)
}

function declared(coding: string): ParsedCode {
  const reason = `It declares the encoding ${coding.slice(0, 40)}`
  return { syntax: null, trouble: { offset: 0, reason, hides: true } }
}
