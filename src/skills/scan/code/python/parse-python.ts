// Parses Python, after replacing syntax that the grammar does not support.

import { parser } from '@lezer/python'

import type { Steps } from '../../../../lib/steps.ts'
import { withParseProblem } from '../common/holes.ts'
import type { ParsedCode } from '../common/language.ts'
import { parseWith } from '../common/parse.ts'

// An encoding declaration (PEP 263) can make Python read other code than a person sees.
const ENCODING_DECLARATION = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/
const ASCII_COMPATIBLE =
  /^(?:utf-?8(?:-sig)?|utf_8|u8|us-ascii|ascii|latin-?1|latin_1|iso-?8859-?1|iso_8859_1|cp1252)$/i
/** Names that must not be in an unparsed part of a file. */
export const SUSPICIOUS_PYTHON_NAMES =
  /\b(?:eval|exec|compile|system|popen|subprocess|environ|dup2|getattr|vars|globals|locals|commands|create_subprocess_shell|getoutput)\b|__(?:import|builtins|dict|getattribute)__|coding[:=]|passwd|shadow|\.ssh|\.aws/

export function* parsePython(source: string): Steps<ParsedCode> {
  // Each replacement keeps the length of the text, and so all offsets. Python treats a form feed as white
  // space. It also evaluates f"\{call()}", although the grammar treats the brace as escaped. A number may end
  // in its decimal point; the second replacement turns `1.` into `10`.
  const text = source
    .replace(/\f|\\(?=[{}])/g, ' ')
    .replace(/(?<![\w.])(\d[\d_]*)\.(?=[eEjJ]|[^\w.]|$)/g, (_, digits: string) => `${digits}0`)
  for (const line of text.split('\n', 2)) {
    const encoding = ENCODING_DECLARATION.exec(line)?.[1]
    if (encoding !== undefined && !ASCII_COMPATIBLE.test(encoding)) return unsupportedEncoding(encoding)
  }
  return withParseProblem(yield* parseWith(parser, text), SUSPICIOUS_PYTHON_NAMES)
}

function unsupportedEncoding(encoding: string): ParsedCode {
  const reason = `The file declares the encoding ${encoding.slice(0, 40)}`
  return { syntax: null, problem: { offset: 0, reason, hidesNames: true } }
}
