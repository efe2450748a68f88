// The output formats without context: normal, ed scripts, RCS, and line formats.

import { Unsupported } from '../command.ts'
import type { Change } from './changes.ts'
import type { TextLines } from './lines.ts'

const NO_END = '\\ No newline at end of file\n'

export type Sides = readonly [TextLines, TextLines]

/** A line with its line end, or with the note that it has none. */
export function lineText(mark: string, { lines, unterminated }: TextLines, index: number): string {
  const line = `${mark}${lines[index] ?? ''}\n`
  return unterminated && index === lines.length - 1 ? line + NO_END : line
}

export function rows(mark: string, side: TextLines, from: number, count: number): string {
  let text = ''
  for (let index = from; index < from + count; index++) text += lineText(mark, side, index)
  return text
}

/** Formats a range as `5` or `5,7`; for an empty range, the line before it. */
export function rangeText(from: number, count: number): string {
  return count > 1 ? `${from + 1},${from + count}` : `${count === 0 ? from : from + 1}`
}

export function normal(changes: readonly Change[], [one, other]: Sides): string {
  let text = ''
  for (const { left, removed, right, added } of changes) {
    const letter = removed === 0 ? 'a' : added === 0 ? 'd' : 'c'
    text += `${rangeText(left, removed)}${letter}${rangeText(right, added)}\n`
    text += rows('< ', one, left, removed)
    if (letter === 'c') text += '---\n'
    text += rows('> ', other, right, added)
  }
  return text
}

/** For `-e`: an ed script, from the last change to the first. */
export function edScript(changes: readonly Change[], [, other]: Sides): string {
  let text = ''
  for (const { left, removed, right, added } of changes.toReversed()) {
    const letter = removed === 0 ? 'a' : added === 0 ? 'd' : 'c'
    text += `${rangeText(left, removed)}${letter}\n`
    if (added === 0) continue
    const lines = other.lines.slice(right, right + added)
    if (lines.includes('.')) throw new Unsupported('diff -e with a line of one dot', 'diff -u')
    text += `${lines.join('\n')}\n.\n`
  }
  return text
}

/** For `-n`: the RCS format. */
export function rcs(changes: readonly Change[], [, other]: Sides): string {
  let text = ''
  for (const { left, removed, right, added } of changes) {
    if (removed > 0) text += `d${left + 1} ${removed}\n`
    if (added === 0) continue
    text += `a${left + removed} ${added}\n${other.lines.slice(right, right + added).join('\n')}`
    if (!(other.unterminated && right + added === other.lines.length)) text += '\n'
  }
  return text
}

export interface LineFormats {
  readonly old: string
  readonly new: string
  readonly same: string
}

/**
 * For `--old-line-format` and similar options: `%L` is a line, `%l` a line without its line end, `%dn` its number,
 * `%c'C'` a character.
 */
export function formatted(changes: readonly Change[], [one, other]: Sides, formats: LineFormats): string {
  let text = ''
  let at = 0
  const add = (format: string, { lines, unterminated }: TextLines, from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      const line = lines[index] ?? ''
      const end = unterminated && index === lines.length - 1 ? '' : '\n'
      text += format.replaceAll(
        /%(?:c'(\\[0-7]{1,3}|[^'\\])'|(dn)|([\s\S]|$))/g,
        (all, char: string | undefined, number: string | undefined, letter: string) => {
          if (char !== undefined)
            return char.length === 1 ? char : String.fromCharCode(Number.parseInt(char.slice(1), 8))
          if (number !== undefined) return String(index + 1)
          if (letter === '%') return '%'
          if (letter === 'l') return line
          if (letter === 'L') return line + end
          throw new Unsupported(`diff with ${all} in a format`, '%l, %L, %dn')
        },
      )
    }
  }
  for (const { left, removed, right, added } of changes) {
    add(formats.same, one, at, left)
    add(formats.old, one, left, left + removed)
    add(formats.new, other, right, right + added)
    at = left + removed
  }
  add(formats.same, one, at, one.lines.length)
  return text
}
