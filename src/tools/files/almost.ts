// Hints for a model whose text is not in a file: how the file's text differs. Changes nothing and guesses nothing; the
// model writes the text again.

import { indexOfText } from '../../lib/find-text.ts'
import { defuseTags } from '../../lib/framework-tags.ts'
import { EDIT_CHARS_COMPARED, EDIT_QUOTE_CHARS } from './limits.ts'

/** One or two sentences. */
export function almost(text: string, wanted: string): string {
  if (text === '') return 'The file is empty: use write_file.'
  // The model sees the text of our tags with the bracket escaped.
  if (wanted.includes('&lt;') && holds(defuseTags(text), wanted))
    return 'Where you see &lt; the file has <. It is shown that way because it would read as a tag of the system. Write < in old and in new.'
  if (holds(lines(text), lines(wanted)))
    return 'It is there with other line ends: the file mixes CRLF and LF. Replace less than a line, or write the whole file.'
  if (holds(text.normalize('NFC'), wanted.normalize('NFC')))
    return 'It is there in another Unicode form: its accents are separate characters. Copy it from read_file.'
  const white = sameButWhite(text, wanted)
  if (white !== null) return `It is there with other white space, at ${white}`
  if (holds(text.toLowerCase(), wanted.toLowerCase())) return 'It is there in other letter case.'
  const [first = ''] = wanted.trimStart().split('\n', 1)
  const at = first.trim() === '' ? -1 : indexOfText(text, first.trim())
  return at === -1
    ? 'Read the file again with read_file and copy the text exactly.'
    : `Its first line is at line ${lineAt(text, at)}, but what follows differs. Read from there with read_file and copy exactly.`
}

function holds(text: string, part: string): boolean {
  return indexOfText(text, part) !== -1
}

function lines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function lineAt(text: string, at: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++
  return line
}

/** The lines that match except for white space, as the file has them; null if none do. */
function sameButWhite(text: string, wanted: string): string | null {
  const wantedLines = wanted.trim().split('\n').map(bare)
  if (wantedLines.join('') === '') return null
  let left = EDIT_CHARS_COMPARED
  let line = 1
  // Builds no list of lines: a text may consist of line ends.
  for (let from = 0; from < text.length; from = endOf(text, from) + 1, line++) {
    let same = 0
    let at = from
    for (; same < wantedLines.length && at <= text.length; same++) {
      const end = endOf(text, at)
      left -= end - at + 1
      if (left < 0) return null
      if (bare(text.slice(at, end)) !== wantedLines[same]) break
      at = end + 1
    }
    if (same < wantedLines.length) continue
    const found = text.slice(from, at - 1)
    const shown = found.length > EDIT_QUOTE_CHARS ? '' : ` It reads:\n${found}`
    return `${same === 1 ? `line ${line}` : `lines ${line} to ${line + same - 1}`}.${shown}`
  }
  return null
}

/** The end of the line at this index. */
function endOf(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function bare(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}
