// Compares two versions of one file and returns a unified diff, within limits of size and work.

import { createTwoFilesPatch } from 'diff'
import { fromUtf8 } from '../../lib/bytes.ts'
import { DIFF_WORK_MAX_UNITS } from '../../limits/skills.ts'
import { DIFF_EDITS_MAX, DIFF_FILE_MAX_BYTES } from './limits.ts'

export type FilePatch =
  | { readonly diff: string; readonly reason: null }
  /** `reason` says why there is no diff. */
  | { readonly diff: null; readonly reason: string }

/** The work that remains, in units of about a microsecond. Each comparison reduces it. */
export interface DiffBudget {
  remainingUs: number
}

type Bytes = Uint8Array<ArrayBuffer>

/** The diff between two versions of a file, null for a missing one. Names it as git does: a/path, b/path, /dev/null. */
export function unifiedDiff(
  path: string,
  before: Bytes | null,
  after: Bytes | null,
  budget: DiffBudget = { remainingUs: DIFF_WORK_MAX_UNITS },
): FilePatch {
  if ([before, after].some((side) => side !== null && side.byteLength > DIFF_FILE_MAX_BYTES))
    return noDiff(`larger than ${DIFF_FILE_MAX_BYTES} bytes`)
  const oldText = textOf(before)
  const newText = textOf(after)
  if (oldText === null || newText === null) return noDiff('not text')
  const readingUs = (linesIn(oldText) + linesIn(newText)) * US_PER_LINE
  if (readingUs > budget.remainingUs) return noDiff(NOT_COMPARED)
  budget.remainingUs -= readingUs
  const oldName = before ? `a/${path}` : '/dev/null'
  const newName = after ? `b/${path}` : '/dev/null'
  if (before === null || after === null) {
    const sign = before === null ? '+' : '-'
    return { diff: `--- ${oldName}\n+++ ${newName}\n${oneSidedHunk(sign, oldText + newText)}`, reason: null }
  }
  const edits = Math.min(DIFF_EDITS_MAX, Math.floor(Math.sqrt(budget.remainingUs / US_PER_SQUARED_EDIT)))
  const patch = createTwoFilesPatch(oldName, newName, oldText, newText, undefined, undefined, {
    maxEditLength: edits,
  })
  budget.remainingUs -= (patch === undefined ? edits : editsIn(patch)) ** 2 * US_PER_SQUARED_EDIT
  if (patch === undefined) return noDiff(edits < DIFF_EDITS_MAX ? NOT_COMPARED : 'too many lines differ')
  // The library adds a line at the top that patch tools do not need.
  return { diff: patch.replace(/^=+\n/, ''), reason: null }
}

// Measured costs in microseconds: per line on either side, and per square of the number of differing lines.
const US_PER_LINE = 0.2
const US_PER_SQUARED_EDIT = 0.06

const NOT_COMPARED =
  'not compared, because the other files used up the work limit of one response; read both versions of the file instead'

function linesIn(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** The number of added and removed lines, without the two lines that name the file. */
function editsIn(patch: string): number {
  return (patch.match(/^[+-]/gm)?.length ?? 2) - 2
}

function noDiff(reason: string): FilePatch {
  return { diff: null, reason }
}

/** The text of a file, which is empty if the file is missing; null if the bytes are not text. */
function textOf(bytes: Bytes | null): string | null {
  if (bytes === null) return ''
  const text = fromUtf8(bytes)
  return text === null || text.includes('\0') ? null : text
}

/** The hunk of a file that was added or removed, for which no comparison is needed. */
function oneSidedHunk(sign: '+' | '-', text: string): string {
  if (text === '') return ''
  const endsWithNewline = text.endsWith('\n')
  const lines = (endsWithNewline ? text.slice(0, -1) : text).split('\n')
  const span = lines.length === 1 ? '1' : `1,${lines.length}`
  const hunkHeader = sign === '+' ? `@@ -0,0 +${span} @@` : `@@ -${span} +0,0 @@`
  const body = lines.map((line) => `${sign}${line}\n`).join('')
  return `${hunkHeader}\n${body}${endsWithNewline ? '' : '\\ No newline at end of file\n'}`
}
