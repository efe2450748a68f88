// Splits files into lines, and finds out which lines count as equal.

import { latin1Of } from '../io/latin1.ts'

/** Lines as Latin-1 text (one character per byte), so that bytes are compared and cut. */
export interface TextLines {
  /** The lines without their line ends. */
  readonly lines: readonly string[]
  /** Whether the last line has no line end. */
  readonly unterminated: boolean
}

export interface Ignoring {
  /** `-w`. */
  readonly allSpace: boolean
  /** `-b`. */
  readonly spaceChange: boolean
  /** `-Z`. */
  readonly trailingSpace: boolean
  /** `-i`. */
  readonly letterCase: boolean
  /** Ignores whether the last line ends with a line feed. */
  readonly lineEnd: boolean
}

export function linesOf(bytes: Uint8Array, stripsReturns: boolean): TextLines {
  const text = latin1Of(bytes)
  if (text === '') return { lines: [], unterminated: false }
  const unterminated = !text.endsWith('\n')
  const lines = (unterminated ? text : text.slice(0, -1)).split('\n')
  return {
    lines: stripsReturns
      ? lines.map((line, at) =>
          line.endsWith('\r') && !(unterminated && at === lines.length - 1) ? line.slice(0, -1) : line,
        )
      : lines,
    unterminated,
  }
}

/** Numbers the lines of both files so that equal lines have the same number. */
export function classesOf(
  files: readonly [TextLines, TextLines],
  ignoring: Ignoring,
): readonly [Int32Array, Int32Array] {
  const known = new Map<string, number>()
  const numbers = ({ lines, unterminated }: TextLines): Int32Array =>
    Int32Array.from(lines, (line, at) => {
      const open = unterminated && at === lines.length - 1
      const key = keyOf(line, open, ignoring)
      const number = known.get(key) ?? known.size + 1
      known.set(key, number)
      return number
    })
  return [numbers(files[0]), numbers(files[1])]
}

function keyOf(line: string, open: boolean, ignoring: Ignoring): string {
  let key = line
  if (ignoring.allSpace) key = key.replaceAll(/[ \t\v\f\r]+/g, '')
  else if (ignoring.spaceChange) key = key.replaceAll(/[ \t\v\f\r]+/g, ' ').replace(/ $/, '')
  else if (ignoring.trailingSpace) key = key.replace(/[ \t\v\f\r]+$/, '')
  if (ignoring.letterCase) key = key.toLowerCase()
  // A missing line end counts as a difference, unless white space is ignored.
  const spaceCounts =
    !ignoring.lineEnd && !ignoring.allSpace && !ignoring.spaceChange && !ignoring.trailingSpace
  return open && spaceCounts ? `${key}\n` : key
}
