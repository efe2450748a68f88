// What helps a model whose text is not in a file: how what is there differs. Changes nothing and guesses nothing: the
// model writes the text anew.

import { defuseTags } from '../../lib/framework-tags.ts'
import { EDIT_LINES_COMPARED, EDIT_QUOTE_CHARS } from '../../limits.ts'

/** One or two sentences. */
export function almost(text: string, wanted: string): string {
  if (text === '') return 'The file is empty: use write_file.'
  // What reads as a tag of ours is shown to the model without its bracket.
  if (wanted.includes('&lt;') && defuseTags(text).includes(wanted))
    return 'Where you read &lt; the file has <, which is shown to you so because it would read as a tag of the system. Write < there, in old and in new.'
  if (lines(text).includes(lines(wanted)))
    return 'It is there with other line ends: the file mixes CRLF and LF. Replace less than a line, or write the whole file.'
  if (text.normalize('NFC').includes(wanted.normalize('NFC')))
    return 'It is there in another Unicode form: its accents are characters of their own. Copy it from read_file.'
  const white = sameButWhite(text, wanted)
  if (white !== null) return `It is there with other white space, at ${white}`
  if (text.toLowerCase().includes(wanted.toLowerCase())) return 'It is there in other letter case.'
  const [first = ''] = wanted.trimStart().split('\n', 1)
  const at = first.trim() === '' ? -1 : text.indexOf(first.trim())
  return at === -1
    ? 'Read the file again with read_file and copy the text exactly.'
    : `Its first line is at line ${lineAt(text, at)}, but what follows differs. Read from there with read_file and copy exactly.`
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
  const there = text.split('\n')
  let compared = 0
  for (let at = 0; at + asked.length <= there.length; at++) {
    let same = 0
    while (same < asked.length && bare(there[at + same] ?? '') === asked[same]) same++
    compared += same + 1
    if (compared > EDIT_LINES_COMPARED) return null
    if (same < asked.length) continue
    const found = there.slice(at, at + asked.length).join('\n')
    const shown = found.length > EDIT_QUOTE_CHARS ? '' : ` It reads:\n${found}`
    return `${same === 1 ? `line ${at + 1}` : `lines ${at + 1} to ${at + same}`}.${shown}`
  }
  return null
}

function bare(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}
