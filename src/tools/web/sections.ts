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
  const headings: Heading[] = []
  let openFence = ''
  let line = 0
  for (const lineText of text.split('\n')) {
    line += 1
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(lineText)?.[1]
    if (fence !== undefined && (openFence === '' || fence.startsWith(openFence)))
      openFence = openFence === '' ? fence : ''
    if (openFence !== '') continue
    const [, hashes, title] = HEADING.exec(lineText) ?? []
    if (hashes !== undefined && title !== undefined) headings.push({ level: hashes.length, title, line })
  }
  return headings
}

/** Splits a text at its headings, if it is Markdown, and splits long sections at line ends. */
export function sectionsOf(text: string, markdown: boolean): readonly Section[] {
  const headingByLine = new Map((markdown ? headingsOf(text) : []).map((heading) => [heading.line, heading]))
  const sections: Section[] = []
  let headingPath: readonly Heading[] = []
  let lines: string[] = []
  let chars = 0
  let firstLine = 1
  const flush = (nextLine: number): void => {
    const title = headingPath.map((heading) => heading.title).join(' › ')
    if (lines.some((line) => line.trim() !== ''))
      sections.push({ title, line: firstLine, text: lines.join('\n') })
    lines = []
    chars = 0
    firstLine = nextLine
  }
  for (const [index, line] of text.split('\n').entries()) {
    const heading = headingByLine.get(index + 1)
    if (heading || chars > WEB_SECTION_MAX_CHARS) flush(index + 1)
    if (heading) headingPath = [...headingPath.filter(({ level }) => level < heading.level), heading]
    lines.push(line)
    chars += line.length + 1
  }
  flush(0)
  return sections
}

/** The sections that match the question best, up to `maxChars` in total, in the order of the text. */
export function matchingSections(
  sections: readonly Section[],
  question: string,
  maxChars: number,
): readonly Section[] {
  let rankedChars = 0
  const entries = sections
    .filter(({ text }) => (rankedChars += text.length) <= WEB_RANKED_MAX_CHARS)
    .map((section) => ({
      section,
      name: section.title,
      description: section.text,
      tags: [],
      search_terms: '',
    }))
  const hits = buildEngine(entries).search(queryTerms(question), entries.length, () => true)
  const selected = new Set<Section>()
  let charsLeft = maxChars
  for (const { entry } of hits) {
    if (entry.section.text.length > charsLeft) continue
    charsLeft -= entry.section.text.length
    selected.add(entry.section)
  }
  return sections.filter((section) => selected.has(section))
}
