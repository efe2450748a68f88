// Extracts a range of lines from the bytes of a text. Decodes only these lines, because a file may be as large as 32 MiB.

import { fromUtf8 } from '../../lib/bytes.ts'
import { cutText } from '../../lib/text.ts'
import { READ_FILE_MAX_CHARS } from '../../limits/tools.ts'

export interface LineRange {
  readonly start_line?: number | undefined
  readonly end_line?: number | undefined
}

const LINE_FEED = 10
/** A UTF-8 character has at most four bytes. The extra characters reveal whether the text has to be cut. */
const SHOWN_BYTES = 4 * (READ_FILE_MAX_CHARS + 2)

/**
 * Returns the lines from `start_line` to `end_line`, both inclusive and optional. A range that is too long is cut and
 * followed by a note on how to continue. Null if the bytes are not text.
 */
export function lineRange(
  bytes: Uint8Array,
  { start_line: startLine = 1, end_line: endLine }: LineRange,
): string | null {
  if (bytes.length === 0) return '(empty)'
  const size = bytes.at(-1) === LINE_FEED ? bytes.length - 1 : bytes.length
  let lineNumber = 1
  let startOffset = startLine === 1 ? 0 : -1
  let endOffset = size
  for (let offset = 0; offset < size; offset++) {
    if (bytes[offset] !== LINE_FEED) continue
    if (lineNumber === endLine) endOffset = offset
    lineNumber += 1
    if (lineNumber === startLine) startOffset = offset + 1
  }
  const lastLine = Math.min(endLine ?? lineNumber, lineNumber)
  if (startOffset === -1) return `(start_line is past the end: the file has ${lineNumber} lines)`
  if (startLine > lastLine) return '(start_line is after end_line: no lines in this range)'
  const isComplete = endOffset - startOffset <= SHOWN_BYTES
  const text = fromUtf8(
    bytes.subarray(startOffset, isComplete ? endOffset : endOfCharacter(bytes, startOffset + SHOWN_BYTES)),
  )
  if (text === null || text.includes('\0')) return null
  const shownText = cutText(text, READ_FILE_MAX_CHARS)
  if (isComplete && shownText === text) return text
  // Ranges consist of whole lines: a repeated request would be cut at the same position.
  if (!shownText.includes('\n')) {
    const next = startLine < lastLine ? ` Continue with start_line ${startLine + 1}.` : ''
    return `${shownText}\n[cut: line ${startLine} of ${lineNumber} is longer than one read can show; the remainder cannot be read here.${next}]`
  }
  const lastShownLine = startLine + shownText.split('\n').length - 1
  return `${shownText}\n[cut near line ${lastShownLine} of ${lineNumber}; continue with start_line ${lastShownLine}]`
}

/** Moves `end` back to the nearest boundary between UTF-8 characters. */
function endOfCharacter(bytes: Uint8Array, end: number): number {
  let offset = end
  while (offset > end - 4 && ((bytes[offset] ?? 0) & 0xc0) === 0x80) offset -= 1
  return offset
}
