// Here-documents, whose bodies begin after the line that names them.

import { literalOf, type Redirect, type Word } from './tree.ts'
import type { Source } from './source.ts'
import { parseHereDocumentText, type WordContext } from './words.ts'

export interface PendingHere {
  readonly redirect: Redirect
  /** Whether leading tabs are removed (`<<-`). */
  readonly indented: boolean
}

interface HereParser extends WordContext {
  readonly source: Source
  readonly pendingHere: PendingHere[]
}

/** Reads the bodies of the here-documents that the last line named. */
export function readHereDocuments(parser: HereParser): void {
  for (const { redirect, indented } of parser.pendingHere.splice(0)) {
    const { delimiter, quoted } = delimiterOf(redirect.target)
    const line = parser.source.line
    const body = readBody(parser.source, delimiter, indented, quoted)
    redirect.here = { delimiter, quoted, indented }
    redirect.target = quoted
      ? { parts: [{ kind: 'text', text: body, quoted: true }], source: body }
      : parseHereDocumentText(parser, body, line)
  }
}

function delimiterOf(word: Word): { delimiter: string; quoted: boolean } {
  const literal = literalOf(word)
  if (literal !== null) return { delimiter: literal, quoted: false }
  // A delimiter is not expanded, but its quotes are removed.
  return { delimiter: word.source.replaceAll(/\\(.)|["']/g, '$1'), quoted: true }
}

function readBody(source: Source, delimiter: string, indented: boolean, quoted: boolean): string {
  let body = ''
  while (!source.atEnd) {
    const end = source.text.indexOf('\n', source.position)
    let line = source.text.slice(source.position, end === -1 ? undefined : end)
    source.position = end === -1 ? source.text.length : end + 1
    if (indented) line = line.replace(/^\t+/, '')
    if (line === delimiter) return body
    // A backslash at the end joins two lines before the delimiter is searched.
    body += quoted || !/(?:^|[^\\])(?:\\\\)*\\$/.test(line) ? `${line}\n` : joined(line, source, indented)
  }
  return body
}

function joined(line: string, source: Source, indented: boolean): string {
  const end = source.text.indexOf('\n', source.position)
  let next = source.text.slice(source.position, end === -1 ? undefined : end)
  source.position = end === -1 ? source.text.length : end + 1
  if (indented) next = next.replace(/^\t+/, '')
  const text = line.slice(0, -1) + next
  return /(?:^|[^\\])(?:\\\\)*\\$/.test(text) ? joined(text, source, indented) : `${text}\n`
}
