// Splits a long text into sections, and selects the sections that match a question.

import { WEB_RANKED_MAX_CHARS, WEB_SECTION_MAX_CHARS } from './limits.ts'
import { buildEngine } from '../../skills/search/engine.ts'
import { queryTerms } from '../../skills/search/rank.ts'

export interface Section {
  /** The headings that lead to this section, outermost first; empty for the text before the first heading. */
  readonly title: string
  /** The number of its first line in the complete text, starting at 1. */
  readonly line: number
  readonly text: string
}

export interface Heading {
  readonly level: number
  readonly title: string
  readonly line: number
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/

/** Finds the headings of a Markdown text, except in code blocks. */
export function headingsOf(text: string): readonly Heading[] {
  const found: Heading[] = []
  let fence = ''
  let line = 0
  for (const written of text.split('\n')) {
    line += 1
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(written)?.[1]
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : ''
    if (fence !== '') continue
    const [, marks, title] = HEADING.exec(written) ?? []
    if (marks !== undefined && title !== undefined) found.push({ level: marks.length, title, line })
  }
  return found
}

/** Splits a text at its headings, if it is Markdown, and splits long sections at line ends. */
export function sectionsOf(text: string, markdown: boolean): readonly Section[] {
  const starts = new Map((markdown ? headingsOf(text) : []).map((heading) => [heading.line, heading]))
  const sections: Section[] = []
  let above: readonly Heading[] = []
  let part: string[] = []
  let size = 0
  let first = 1
  const flush = (next: number): void => {
    const title = above.map((heading) => heading.title).join(' › ')
    if (part.some((line) => line.trim() !== '')) sections.push({ title, line: first, text: part.join('\n') })
    part = []
    size = 0
    first = next
  }
  for (const [at, line] of text.split('\n').entries()) {
    const heading = starts.get(at + 1)
    if (heading || size > WEB_SECTION_MAX_CHARS) flush(at + 1)
    if (heading) above = [...above.filter(({ level }) => level < heading.level), heading]
    part.push(line)
    size += line.length + 1
  }
  flush(0)
  return sections
}

/** The sections that match the question best, up to `chars` in total, in the order of the text. */
export function matchingSections(
  sections: readonly Section[],
  question: string,
  chars: number,
): readonly Section[] {
  let ranked = 0
  const entries = sections
    .filter(({ text }) => (ranked += text.length) <= WEB_RANKED_MAX_CHARS)
    .map((section) => ({
      section,
      name: section.title,
      description: section.text,
      tags: [],
      search_terms: '',
    }))
  const found = buildEngine(entries).search(queryTerms(question), entries.length, () => true)
  const kept = new Set<Section>()
  let left = chars
  for (const { entry } of found) {
    if (entry.section.text.length > left) continue
    left -= entry.section.text.length
    kept.add(entry.section)
  }
  return sections.filter((section) => kept.has(section))
}
