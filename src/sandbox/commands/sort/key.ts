// Parses `-k`, and finds the key in a line.

import { Failed } from '../command.ts'

/** How a key is compared: the letters of `-k`, or of the command. */
export interface Ordering {
  readonly numeric: '' | 'n' | 'g' | 'h' | 'M' | 'V'
  readonly reverse: boolean
  readonly foldCase: boolean
  readonly dictionary: boolean
  readonly printable: boolean
}

export interface KeySpec {
  /** Index of the field, starting at 0. */
  readonly startField: number
  readonly startChar: number
  readonly skipStartBlanks: boolean
  /** Index of the last field, starting at 0; Infinity for the end of the line. */
  readonly endField: number
  /** Number of characters of the last field that belong to the key; 0 for all of them. */
  readonly endChars: number
  readonly skipEndBlanks: boolean
  /** The letters of this key; empty to use the command's. */
  readonly letters: string
}

const POSITION = /^(\d+)(?:\.(\d+))?([bdfghiMnRrV]*)$/

export function parseKey(text: string): KeySpec {
  const [start = '', end, ...more] = text.split(',')
  const first = POSITION.exec(start)
  const last = end === undefined ? null : POSITION.exec(end)
  if (!first || more.length > 0 || (end !== undefined && !last))
    throw new Failed(`invalid number at field start: invalid count at start of ‘${text}’`, 2)
  const startField = Number(first[1])
  const startChar = first[2] === undefined ? 1 : Number(first[2])
  if (startField === 0) throw new Failed(`field number is zero: invalid field specification ‘${text}’`, 2)
  if (startChar === 0) throw new Failed(`character offset is zero: invalid field specification ‘${text}’`, 2)
  const endField = last ? Number(last[1]) : Infinity
  if (endField === 0) throw new Failed(`field number is zero: invalid field specification ‘${text}’`, 2)
  return {
    startField: startField - 1,
    startChar: startChar - 1,
    skipStartBlanks: (first[3] ?? '').includes('b'),
    endField: endField - 1,
    endChars: Number(last?.[2] ?? 0),
    skipEndBlanks: (last?.[3] ?? '').includes('b'),
    letters: (first[3] ?? '') + (last?.[3] ?? ''),
  }
}

/** The text of `key` in `line`. `separator` is the field separator; null if fields begin with blanks. */
export function sortKeyOf(line: string, key: KeySpec, separator: string | null): string {
  let from = fieldStart(line, key.startField, separator)
  if (key.skipStartBlanks) from = afterBlanks(line, from)
  from = Math.min(line.length, from + key.startChar)
  if (key.endField === Infinity) return line.slice(from)
  let to: number
  if (key.endChars === 0) to = fieldEnd(line, key.endField, separator)
  else {
    to = fieldStart(line, key.endField, separator)
    if (key.skipEndBlanks) to = afterBlanks(line, to)
    to = Math.min(line.length, to + key.endChars)
  }
  return to > from ? line.slice(from, to) : ''
}

function fieldStart(line: string, field: number, separator: string | null): number {
  let at = 0
  for (let index = 0; index < field; index++) {
    if (separator === null) at = afterWord(line, afterBlanks(line, at))
    else {
      const mark = line.indexOf(separator, at)
      if (mark === -1) return line.length
      at = mark + 1
    }
  }
  return at
}

/** The end of a field, without the separator. */
function fieldEnd(line: string, field: number, separator: string | null): number {
  const start = fieldStart(line, field, separator)
  if (separator === null) return afterWord(line, afterBlanks(line, start))
  const mark = line.indexOf(separator, start)
  return mark === -1 ? line.length : mark
}

export function afterBlanks(line: string, from: number): number {
  let at = from
  while (at < line.length && isBlank(line.charCodeAt(at))) at++
  return at
}

function afterWord(line: string, from: number): number {
  let at = from
  while (at < line.length && !isBlank(line.charCodeAt(at))) at++
  return at
}

/** Whether the character is a space or a tab. If lines end with NUL, line feeds count too, as in the C locale. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10
}
