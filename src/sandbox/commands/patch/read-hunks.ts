// Reads the hunks of a patch in the unified, context and normal formats.

import { Failed, Unsupported } from '../command.ts'
import { contextOf, type Hunk, type HunkLine } from './hunk.ts'
import type { PatchFormat } from './options.ts'

/** The lines of a patch, with their line ends. `at` advances while it is read. */
export interface PatchText {
  readonly lines: readonly string[]
  at: number
  /** Number of notes about missing line ends so far, which GNU patch does not count as lines. */
  uncounted: number
}

const NO_END = /^\\/
const TROUBLE = 2

function malformed(text: PatchText, at = text.at): Failed {
  return new Failed(`**** malformed patch at line ${at + 1}: ${text.lines[at] ?? ''}`, TROUBLE)
}

/** The next hunk; null if there is none. Throws a `Failed` if it is malformed. */
export function nextHunk(text: PatchText, format: PatchFormat): Hunk | null {
  if (format === 'unified') return unified(text)
  return format === 'context' ? context(text) : normal(text)
}

function skipNote(text: PatchText): void {
  text.at++
  text.uncounted++
}

function withoutEnd(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line
}

function unified(text: PatchText): Hunk | null {
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: ?([^\r\n]*))?\r?\n?$/.exec(
    text.lines[text.at] ?? '',
  )
  if (!found) {
    if ((text.lines[text.at] ?? '').startsWith('@@ -')) throw malformed(text)
    return null
  }
  const [, first = '', removed = '1', newFirst = '', added = '1', title = ''] = found
  let [left, right] = [Number(removed), Number(added)]
  const old: HunkLine[] = []
  const fresh: HunkLine[] = []
  const both: HunkLine[] = []
  text.at++
  while (left > 0 || right > 0) {
    // Trailing blank context lines may be missing.
    const line = text.lines[text.at] ?? (right < 3 ? ' \n' : null)
    if (line === null) throw new Failed('**** unexpected end of file in patch', TROUBLE)
    const mark = line[0] ?? ''
    const rest = mark === '\n' || mark === '\t' ? line : line.slice(1)
    if (mark === '-') left--
    else if (mark === '+') right--
    else if (mark === ' ' || mark === '\n' || mark === '\t') {
      left--
      right--
    } else throw malformed(text)
    if (left < 0 || right < 0) throw malformed(text)
    text.at++
    const open = NO_END.test(text.lines[text.at] ?? '')
    if (open) skipNote(text)
    const kind = mark === '-' || mark === '+' ? mark : ' '
    const entry = { mark: kind, text: open ? withoutEnd(rest) : ended(rest) } as const
    if (kind !== '+') old.push(entry)
    if (kind !== '-') fresh.push(entry)
    both.push(entry)
  }
  return {
    first: Number(first) + (old.length === 0 ? 1 : 0),
    newFirst: Number(newFirst) + (fresh.length === 0 ? 1 : 0),
    old,
    new: fresh,
    ...contextOf([both]),
    title,
  }
}

function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n`
}

function context(text: PatchText): Hunk | null {
  const stars = /^\*{8,}(?: ([^\r\n]*))?/.exec(text.lines[text.at] ?? '')
  const head = /^\*\*\* (\d+)(?:,(\d+))?/.exec(text.lines[text.at + 1] ?? '')
  if (!stars || !head) return null
  text.at += 2
  const old = contextLines(text, '-')
  const second = /^--- (\d+)(?:,(\d+))?/.exec(text.lines[text.at] ?? '')
  if (!second) throw malformed(text)
  text.at++
  const fresh = contextLines(text, '+')
  const count = ([, from = '0', to]: RegExpExecArray): number =>
    Number(to ?? from) - Number(from) + (from === '0' && to === undefined ? 0 : 1)
  const [size, newSize] = [count(head), count(second)]
  // A side without changes may be omitted.
  const left = old.length === 0 && size > 0 ? fresh.filter(({ mark }) => mark === ' ') : old
  const right = fresh.length === 0 && newSize > 0 ? old.filter(({ mark }) => mark === ' ') : fresh
  if (left.length !== size || right.length !== newSize)
    throw malformed(text, Math.min(text.at, text.lines.length - 1))
  return {
    first: Number(head[1]) + (left.length === 0 ? 1 : 0),
    newFirst: Number(second[1]) + (right.length === 0 ? 1 : 0),
    old: left,
    new: right,
    ...contextOf([left, right]),
    title: stars[1] ?? '',
  }
}

function contextLines(text: PatchText, change: '-' | '+'): readonly HunkLine[] {
  const lines: HunkLine[] = []
  for (; text.at < text.lines.length; text.at++) {
    const line = text.lines[text.at] ?? ''
    const [, mark, rest = ''] = /^([ !+-]) (.*)$/s.exec(line) ?? []
    if (mark !== ' ' && mark !== '!' && mark !== change) {
      if (/^ ?\n$/.test(line)) throw new Unsupported('patch with a shortened line of context', 'diff -u')
      break
    }
    const open = NO_END.test(text.lines[text.at + 1] ?? '')
    lines.push({ mark, text: open ? withoutEnd(rest) : ended(rest) })
    if (open) skipNote(text)
  }
  return lines
}

function normal(text: PatchText): Hunk | null {
  const found = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?\s*$/.exec(text.lines[text.at] ?? '')
  if (!found) return null
  const [, first = '', last = first, letter, newFirst = '', newLast = newFirst] = found
  text.at++
  const take = (count: number, sign: '<' | '>', mark: '-' | '+'): readonly HunkLine[] => {
    const lines: HunkLine[] = []
    for (let index = 0; index < count; index++) {
      const line = text.lines[text.at]
      if (line === undefined) throw new Failed('**** unexpected end of file in patch', TROUBLE)
      if (line[0] !== sign || (line[1] !== ' ' && line[1] !== '\t'))
        throw new Failed(
          `**** '${sign}' followed by space or tab expected at line ${text.at + 1} of patch`,
          TROUBLE,
        )
      text.at++
      const open = NO_END.test(text.lines[text.at] ?? '')
      if (open) skipNote(text)
      lines.push({ mark, text: open ? withoutEnd(line.slice(2)) : ended(line.slice(2)) })
    }
    return lines
  }
  const old = letter === 'a' ? [] : take(Number(last) - Number(first) + 1, '<', '-')
  if (letter === 'c') {
    if (!/^---\s*$/.test(text.lines[text.at] ?? ''))
      throw new Failed(`**** '---' expected at line ${text.at + 1} of patch`, TROUBLE)
    text.at++
  }
  const fresh = letter === 'd' ? [] : take(Number(newLast) - Number(newFirst) + 1, '>', '+')
  return {
    first: Number(first) + (letter === 'a' ? 1 : 0),
    newFirst: Number(newFirst) + (letter === 'd' ? 1 : 0),
    old,
    new: fresh,
    prefix: 0,
    suffix: 0,
    title: '',
  }
}
