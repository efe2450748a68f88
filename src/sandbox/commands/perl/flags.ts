// The flags of a Perl pattern: `(?i)`, `(?s-m:...)`.

import { UnsupportedPattern } from '../pattern/brackets.ts'

export interface Flags {
  readonly ignoreCase: boolean
  readonly dotAll: boolean
  readonly multiline: boolean
  readonly extended: boolean
  /** Whether each byte is a character, as in the locale C. */
  readonly bytesOnly: boolean
}

export function withFlags(flags: Flags, on: string, off: string): Flags {
  const other = /[^imsx]/.exec(on + off)
  if (other) throw new UnsupportedPattern(`the flag ${other[0]}`)
  const set = (letter: string, before: boolean): boolean =>
    off.includes(letter) ? false : before || on.includes(letter)
  return {
    ignoreCase: set('i', flags.ignoreCase),
    multiline: set('m', flags.multiline),
    dotAll: set('s', flags.dotAll),
    extended: set('x', flags.extended),
    bytesOnly: flags.bytesOnly,
  }
}
