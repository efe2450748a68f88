// Parses the lines before the hunks of a file: which files are meant, and the format of the hunks.

import { Unsupported } from '../command.ts'
import type { PatchFormat } from './options.ts'
import type { PatchText } from './read-hunks.ts'

interface HeaderName {
  /** The name in the patch; null if there is none, or for /dev/null. */
  readonly name: string | null
  readonly stamp: string
  /** Whether the header says that the file does not exist: its name is /dev/null, or its time is the epoch. */
  readonly isNothing: boolean
}

export interface FileHeader {
  readonly format: PatchFormat
  readonly old: HeaderName
  readonly new: HeaderName
  readonly index: string | null
  /** Whether the first hunk says that the file does not exist before or after: 2 if its time says so, too. */
  readonly oldMissing: 0 | 1 | 2
  readonly newMissing: 0 | 1 | 2
  /** Whether this is a context diff with asterisks after the line numbers. */
  readonly isNewStyle: boolean
  /** The text before the hunks. */
  readonly lead: readonly string[]
  /** The line of the first hunk, starting at 1. */
  readonly line: number
}

const NOBODY: HeaderName = { name: null, stamp: '', isNothing: false }

/** The header of an empty patch. */
export const NO_CHANGES: FileHeader = {
  format: 'unified',
  old: NOBODY,
  new: NOBODY,
  index: null,
  oldMissing: 0,
  newMissing: 0,
  isNewStyle: false,
  lead: [],
  line: 1,
}

/** Splits a name from its time: it ends at a tab, or else at the first space. */
function headerName(text: string): HeaderName {
  const line = text.replace(/\r?\n$/, '')
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(line)
  if (quoted?.[1]?.includes('\\')) throw new Unsupported('patch of a name with backslashes', 'another name')
  const bare = quoted ? quoted[1] : (/^[^\t]*(?=\t)/.exec(line)?.[0] ?? /^\S*/.exec(line)?.[0])
  const name = bare ?? ''
  const stamp = line.slice(quoted ? quoted[0].length : name.length).replace(/^[ \t]+/, '')
  if (name === '/dev/null') return { name: null, stamp, isNothing: true }
  const isNothing = isFirstTime(stamp)
  return { name: name === '' ? null : name, stamp, isNothing }
}

function isFirstTime(stamp: string): boolean {
  if (!/^19(?:69|70)-/.test(stamp) && !/ 19(?:69|70)$/.test(stamp)) return false
  const [, date = '', zone = ''] = /^(\d+-\d+-\d+ \d+:\d+:\d+)(?:\.\d+)? ?([+-]\d{4})?$/.exec(stamp) ?? []
  const time = Date.parse(
    `${date.replace(' ', 'T')}${zone === '' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`}`,
  )
  return time === 0
}

function missing(isMissing: boolean, { isNothing }: HeaderName): 0 | 1 | 2 {
  return isMissing ? (isNothing ? 2 : 1) : 0
}

/** Reads up to the first hunk of the next file; null at the end of the patch. */
export function nextHeader(text: PatchText, wanted: PatchFormat | null): FileHeader | null {
  const start = text.at
  let [minus, plus, star] = [NOBODY, NOBODY, NOBODY]
  let index: string | null = null
  let isIndented = false
  const accepts = (format: PatchFormat): boolean => wanted === null || wanted === format
  const done = (
    header: Pick<FileHeader, 'format' | 'old' | 'new' | 'oldMissing' | 'newMissing'>,
  ): FileHeader => ({
    ...header,
    index,
    isNewStyle: text.lines[text.at + 1]?.endsWith('*\n') ?? false,
    lead: text.lines.slice(start, text.at),
    line: text.at + 1 - text.uncounted,
  })
  for (; text.at < text.lines.length; text.at++) {
    const line = text.lines[text.at] ?? ''
    const next = text.lines[text.at + 1] ?? ''
    if (/^(?:rename|copy) (?:from|to) |^GIT binary patch/.test(line))
      throw new Unsupported(
        'patch of a file that git renames, copies or holds as binary',
        'mv or cp, and patch without it',
      )
    if (accepts('unified') && line.startsWith('@@ -')) {
      const [, from = '', to = ''] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? []
      return done({
        format: 'unified',
        old: minus,
        new: plus,
        oldMissing: missing(/^0+$/.test(from), minus),
        newMissing: missing(/^0+$/.test(to), plus),
      })
    }
    if (accepts('context') && /^\*{8}/.test(line) && /^\*\*\* \d/.test(next)) {
      const second = text.lines.slice(text.at).find((one) => /^--- \d/.test(one)) ?? ''
      return done({
        format: 'context',
        old: star,
        new: minus,
        oldMissing: missing(/^\*\*\* 0\b(?!,)/.test(next), star),
        newMissing: missing(/^--- 0\b(?!,)/.test(second), minus),
      })
    }
    if (accepts('normal') && /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?\s*$/.test(line) && /^[<>] /.test(next))
      return done({ format: 'normal', old: NOBODY, new: NOBODY, oldMissing: 0, newMissing: 0 })
    if (/^\d+(?:,\d+)?[acdis]\n$/.test(line))
      throw new Unsupported('patch with a script for ed', 'a patch that diff -u has made')
    isIndented ||= /^[ \tX]+(?:@@ -\d|\*{8})/.test(line)
    if (line.startsWith('*** ')) star = headerName(line.slice(4))
    else if (line.startsWith('--- ')) minus = headerName(line.slice(4))
    else if (line.startsWith('+++ ')) plus = headerName(line.slice(4))
    else if (line.startsWith('Index:')) index = line.slice(6).trim()
    else if (line.startsWith('Prereq:'))
      throw new Unsupported('patch with Prereq:', 'a patch without that line')
  }
  if (isIndented && start === 0)
    throw new Unsupported('patch with an indented patch', "sed 's/^ *//' of the patch before it")
  return null
}
