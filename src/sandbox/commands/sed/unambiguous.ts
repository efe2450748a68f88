// The command `l`: prints a text with invisible characters escaped and lines wrapped.

import { encode } from '../io/text.ts'

const NAMES: Readonly<Record<number, string>> = {
  7: String.raw`\a`,
  8: String.raw`\b`,
  9: String.raw`\t`,
  10: String.raw`\n`,
  11: String.raw`\v`,
  12: String.raw`\f`,
  13: String.raw`\r`,
  92: String.raw`\\`,
}

/** Returns the text with a line end. A `width` of 0 means that lines are not wrapped. */
export function unambiguous(text: string, width: number): string {
  let result = ''
  let column = 0
  for (const byte of encode(text)) {
    const shown =
      NAMES[byte] ??
      (byte < 32 || byte > 126 ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte))
    if (width > 1 && column + shown.length > width - 1) {
      result += '\\\n'
      column = 0
    }
    result += shown
    column += shown.length
  }
  return `${result}$\n`
}
