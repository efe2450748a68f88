// Text as characters, or as bytes in the locale C.

import { latin1OfText } from '../../commands/io/latin1.ts'
import { bytesOfLatin1 } from '../../commands/io/latin1.ts'
import { decode } from '../../commands/io/text.ts'
import { variableText } from '../state/assign.ts'
import type { Shell } from '../state/shell.ts'

const ASCII = /^[\0-\x7f]*$/
/** Characters beyond the basic plane take two code units. */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/

/** Whether the script has set a locale in which each byte is a character. */
export function countsBytes(shell: Shell): boolean {
  const locale =
    variableText(shell, 'LC_ALL') || variableText(shell, 'LC_CTYPE') || variableText(shell, 'LANG') || ''
  return /^(?:C|POSIX)$/.test(locale)
}

export function lengthOf(shell: Shell, text: string): number {
  if (ASCII.test(text)) return text.length
  if (countsBytes(shell)) return latin1OfText(text).length
  return PAIR.test(text) ? Array.from(text).length : text.length
}

/** Characters `from` to `to` (exclusive). */
export function slice(shell: Shell, text: string, from: number, to: number): string {
  if (ASCII.test(text)) return text.slice(from, to)
  if (countsBytes(shell)) return decode(bytesOfLatin1(latin1OfText(text).slice(from, to)))
  return PAIR.test(text) ? Array.from(text).slice(from, to).join('') : text.slice(from, to)
}
