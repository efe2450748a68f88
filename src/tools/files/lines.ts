// Ranges of lines of a text in bytes. Decodes only what is shown: a file may have 32 MiB.

import { fromUtf8 } from '../../lib/bytes.ts'
import { cutText } from '../../lib/text.ts'
import { READ_FILE_MAX_CHARS } from '../../limits/tools.ts'

export interface LineRange {
  readonly start_line?: number | undefined
  readonly end_line?: number | undefined
}

const LINE_FEED = 10
/** A character has at most four bytes, and one more character shows that something was cut. */
const SHOWN_BYTES = 4 * (READ_FILE_MAX_CHARS + 2)

/**
 * Lines `start` to `end`, both included. Either may be missing; an end past the file's end is the file's end. A long
 * range is cut, and says how to continue. Null: these bytes are not text.
 */
export function lineRange(
  bytes: Uint8Array,
  { start_line: first = 1, end_line: wanted }: LineRange,
): string | null {
  if (bytes.length === 0) return '(empty)'
  const size = bytes.at(-1) === LINE_FEED ? bytes.length - 1 : bytes.length
  let lines = 1
  let from = first === 1 ? 0 : -1
  let to = size
  for (let at = 0; at < size; at++) {
    if (bytes[at] !== LINE_FEED) continue
    if (lines === wanted) to = at
    lines += 1
    if (lines === first) from = at + 1
  }
  const last = Math.min(wanted ?? lines, lines)
  if (from === -1) return `(start_line is past the end: the file has ${lines} lines)`
  if (first > last) return '(start_line is after end_line: no lines in this range)'
  const whole = to - from <= SHOWN_BYTES
  const text = fromUtf8(bytes.subarray(from, whole ? to : endOfCharacter(bytes, from + SHOWN_BYTES)))
  if (text === null || text.includes('\0')) return null
  const kept = cutText(text, READ_FILE_MAX_CHARS)
  if (whole && kept === text) return text
  // Ranges consist of whole lines: a repeated request would be cut at the same position.
  if (!kept.includes('\n')) {
    const next = first < last ? ` Continue with start_line ${first + 1}.` : ''
    return `${kept}\n[cut: line ${first} of ${lines} is longer than one read can show; its rest cannot be read here.${next}]`
  }
  const until = first + kept.split('\n').length - 1
  return `${kept}\n[cut near line ${until} of ${lines}; continue with start_line ${until}]`
}

/** The end of the last whole character before `end`. */
function endOfCharacter(bytes: Uint8Array, end: number): number {
  let at = end
  while (at > end - 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return at
}
