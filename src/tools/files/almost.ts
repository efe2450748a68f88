// What helps a model whose text is not in a file: how what is there differs. Changes nothing and guesses nothing: the
// model writes the text anew.

import { indexOfText } from '../../lib/find-text.ts'
import { defuseTags } from '../../lib/framework-tags.ts'
import { EDIT_CHARS_COMPARED, EDIT_QUOTE_CHARS } from './limits.ts'

/** One or two sentences. */
export function almost(text: string, wanted: string): string {
  if (text === '') return 'The file is empty: use write_file.'
  // What reads as a tag of ours is shown to the model without its bracket.
  if (wanted.includes('&lt;') && holds(defuseTags(text), wanted))
    return 'Where you read &lt; the file has <, which is shown to you so because it would read as a tag of the system. Write < there, in old and in new.'
  if (holds(lines(text), lines(wanted)))
    return 'It is there with other line ends: the file mixes CRLF and LF. Replace less than a line, or write the whole file.'
  if (holds(text.normalize('NFC'), wanted.normalize('NFC')))
    return 'It is there in another Unicode form: its accents are characters of their own. Copy it from read_file.'
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

/** The lines that say the same, as they stand; null: there are none. */
function sameButWhite(text: string, wanted: string): string | null {
  const asked = wanted.trim().split('\n').map(bare)
  if (asked.join('') === '') return null
  let left = EDIT_CHARS_COMPARED
  let line = 1
  // No list of the lines is made: a text may be line ends alone.
  for (let from = 0; from < text.length; from = endOf(text, from) + 1, line++) {
    let same = 0
    let at = from
    for (; same < asked.length && at <= text.length; same++) {
      const end = endOf(text, at)
      left -= end - at + 1
      if (left < 0) return null
      if (bare(text.slice(at, end)) !== asked[same]) break
      at = end + 1
    }
    if (same < asked.length) continue
    const found = text.slice(from, at - 1)
    const shown = found.length > EDIT_QUOTE_CHARS ? '' : ` It reads:\n${found}`
    return `${same === 1 ? `line ${line}` : `lines ${line} to ${line + same - 1}`}.${shown}`
  }
  return null
}

/** Where the line that holds this place ends. */
function endOf(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function bare(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}
