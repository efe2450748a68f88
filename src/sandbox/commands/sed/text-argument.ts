// Parses the text of the commands `a`, `i` and `c`.

import { escapeAt } from '../pattern/escapes.ts'

/**
 * Returns null if there is none. A text that is not empty ends with a line end. `at` is the position after the
 * command's letter.
 */
export function textArgument(script: string, at: number): { text: string; end: number } | null {
  while (script[at] === ' ' || script[at] === '\t') at++
  if (at >= script.length || script[at] === '\n') return null
  if (script[at] === '\\') {
    at++
    let after = at
    while (script[after] === ' ' || script[after] === '\t') after++
    // The text is on the next line, or on the same line, where a backslash protects leading blanks.
    if (script[after] === '\n') {
      at = after + 1
    } else if (after >= script.length) return { text: '', end: script.length }
  }
  let text = ''
  for (; at < script.length; at++) {
    const unit = script[at] ?? ''
    if (unit === '\n') break
    if (unit !== '\\') {
      text += unit
      continue
    }
    const escaped = escapeAt(script, at)
    if (escaped) {
      text += escaped.char
      at += escaped.length - 1
    } else text += script[++at] ?? ''
  }
  return { text: `${text}\n`, end: at }
}
