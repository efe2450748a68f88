// Explains to the model why the text that it wants to replace was not found in a file, so that it can send the text
// again. Only builds hints; changes no files.

import { indexOfText } from '../../lib/find-text.ts'
import { defuseTags } from '../../lib/framework-tags.ts'
import { EDIT_COMPARED_MAX_CHARS, EDIT_QUOTE_MAX_CHARS } from './limits.ts'

/** Returns a hint of one or two sentences. */
export function mismatchHint(text: string, searched: string): string {
  if (text === '') return 'The file is empty: use write_file.'
  // The model sees Satchel's own tags with an escaped bracket.
  if (searched.includes('&lt;') && containsText(defuseTags(text), searched))
    return 'Where you see &lt;, the file has <. It is escaped because it would otherwise read as a tag of the system. Write < in old and in new.'
  if (containsText(withLineFeeds(text), withLineFeeds(searched)))
    return 'The file contains it with different line endings: it mixes CRLF and LF. Replace less than one line, or write the whole file.'
  if (containsText(text.normalize('NFC'), searched.normalize('NFC')))
    return 'The file contains it in a different Unicode normalization form (accents composed or decomposed). Copy it from the result of read_file.'
  const looseMatch = matchIgnoringWhiteSpace(text, searched)
  if (looseMatch !== null) return `The file contains it with different white space, at ${looseMatch}`
  if (containsText(text.toLowerCase(), searched.toLowerCase()))
    return 'The file contains it in different letter case.'
  const [firstLine = ''] = searched.trimStart().split('\n', 1)
  const index = firstLine.trim() === '' ? -1 : indexOfText(text, firstLine.trim())
  return index === -1
    ? 'Read the file again with read_file and copy the text exactly.'
    : `Its first line is at line ${lineNumberAt(text, index)} of the file, but the following lines differ. Read from that line with read_file and copy the text exactly.`
}

function containsText(text: string, part: string): boolean {
  return indexOfText(text, part) !== -1
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function lineNumberAt(text: string, index: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < index; end = text.indexOf('\n', end + 1)) line++
  return line
}

/** Finds the first lines that differ from `searched` only in white space, and quotes them; null if there are none. */
function matchIgnoringWhiteSpace(text: string, searched: string): string | null {
  const searchedLines = searched.trim().split('\n').map(collapseWhiteSpace)
  if (searchedLines.join('') === '') return null
  let charsLeft = EDIT_COMPARED_MAX_CHARS
  let line = 1
  // Iterates instead of splitting, because a file of nothing but line feeds would give millions of lines.
  for (let from = 0; from < text.length; from = lineEndAt(text, from) + 1, line++) {
    let matchedLines = 0
    let index = from
    for (; matchedLines < searchedLines.length && index <= text.length; matchedLines++) {
      const end = lineEndAt(text, index)
      charsLeft -= end - index + 1
      if (charsLeft < 0) return null
      if (collapseWhiteSpace(text.slice(index, end)) !== searchedLines[matchedLines]) break
      index = end + 1
    }
    if (matchedLines < searchedLines.length) continue
    const matchedText = text.slice(from, index - 1)
    const quote = matchedText.length > EDIT_QUOTE_MAX_CHARS ? '' : ` It reads:\n${matchedText}`
    return `${matchedLines === 1 ? `line ${line}` : `lines ${line} to ${line + matchedLines - 1}`}.${quote}`
  }
  return null
}

/** Returns the index at which the line that contains this index ends. */
function lineEndAt(text: string, index: number): number {
  const end = text.indexOf('\n', index)
  return end === -1 ? text.length : end
}

function collapseWhiteSpace(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}
