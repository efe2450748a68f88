// Composes the demo model's answer from a skill and the references that it read: its purpose, its steps, and how the first step
// begins. Pure. It quotes, and adds nothing of its own.

import { asText } from '../lib/json.ts'
import { cutText } from '../lib/text.ts'
import type { DemoSkill, ToolResult } from './read.ts'

const STEPS_MAX = 7
const ITEMS_MAX = 3
const TOPICS_MAX = 3
const TEXT_MAX_CHARS = 240

const HEADING = /^(#{1,6})\s+(\d+[.)]\s+)?(.+)/
const ITEM = /^\s{0,3}(?:\d+[.)]|[-*])\s+(.+)/

/** A part of a document: a heading and what follows it. Text before the first heading has the heading ''. */
interface Section {
  readonly depth: number
  readonly heading: string
  /** Whether the author numbered the heading, as one numbers steps. */
  readonly isNumbered: boolean
  readonly paragraphs: readonly string[]
  readonly items: readonly string[]
}

export function summarizeSkill(skill: DemoSkill, reads: readonly ToolResult[]): string {
  const sections = sectionsOf(skill.text)
  const purpose = sections.find(({ paragraphs }) => paragraphs.length > 0)?.paragraphs[0]
  const first = sections.find(({ items }) => items.length > 0)
  const names = stepsOf(sections).map(({ heading }) => heading)
  return [
    `I would work on this with the skill **${skill.name}**.`,
    ...(purpose === undefined ? [] : [`> ${purpose}`]),
    ...(names.length === 0 ? [] : [`It works in these steps:\n\n${numbered(names.slice(0, STEPS_MAX))}`]),
    ...(first === undefined ? [] : [`${beginning(first)}\n\n${bullets(first.items.slice(0, ITEMS_MAX))}`]),
    ...(reads.length === 0 ? [] : [`From its references:\n\n${bullets(reads.map(summarizeReference))}`]),
  ].join('\n\n')
}

/** The numbered headings, or if there are fewer than two, all headings below the title. Only those of the highest level. */
function stepsOf(sections: readonly Section[]): readonly Section[] {
  const headings = sections.filter(({ depth, heading }) => depth > 1 && heading !== '')
  const numberedHeadings = headings.filter(({ isNumbered }) => isNumbered)
  const steps = numberedHeadings.length > 1 ? numberedHeadings : headings
  const topDepth = Math.min(...steps.map(({ depth }) => depth))
  return steps.filter(({ depth }) => depth === topDepth)
}

function beginning({ heading, depth }: Section): string {
  return depth > 1 ? `**${heading}** begins like this:` : 'It begins like this:'
}

function summarizeReference({ input, text, isError }: ToolResult): string {
  const path = asText(input['path'])
  const name = path.slice(path.lastIndexOf('/') + 1) || 'A file'
  if (isError) return `${name} could not be read: ${cutText(text.trim(), TEXT_MAX_CHARS)}`
  const sections = sectionsOf(text)
  const title = sections.find(({ depth }) => depth === 1)?.heading ?? ''
  const topics = sections
    .filter(({ depth, heading }) => depth > 1 && heading !== '')
    .slice(0, TOPICS_MAX)
    .map(({ heading }) => heading)
  const covers = topics.length > 0 ? `: ${topics.join('; ')}.` : '.'
  if (title !== '') return `*${title}* (${name})${covers}`
  const start = sections.flatMap(({ paragraphs, items }) => [...paragraphs, ...items])[0]
  return start === undefined ? `${name} is empty.` : `${name} begins: ${start}`
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${item}`).join('\n')
}

/** Reads Markdown coarsely: code blocks and tables are skipped, wrapped lines are joined. */
function sectionsOf(text: string): readonly Section[] {
  const sections = [
    { depth: 0, heading: '', isNumbered: false, paragraphs: [] as string[], items: [] as string[] },
  ]
  let open: { readonly list: string[]; text: string } | null = null
  let isInCode = false
  const close = (): void => {
    const listed = open === null ? '' : plain(open.text)
    if (listed !== '') open?.list.push(listed)
    open = null
  }
  // read_file may have numbered the lines.
  for (const numberedLine of text.split('\n')) {
    const line = numberedLine.replace(/^\s*\d+[\t|→]\s?/, '')
    if (/^\s*(?:```|~~~)/.test(line)) isInCode = !isInCode
    const isSkipped = isInCode || /^\s*(?:```|~~~|\||<)/.test(line)
    const [, marks = '', number, heading = ''] = HEADING.exec(line) ?? []
    const item = ITEM.exec(line)?.[1]
    const section = sections.at(-1)
    if (isSkipped || line.trim() === '' || heading !== '') close()
    if (isSkipped || line.trim() === '' || section === undefined) continue
    if (heading !== '')
      sections.push({
        depth: marks.length,
        heading: plain(heading),
        isNumbered: number !== undefined,
        paragraphs: [],
        items: [],
      })
    else if (item !== undefined) {
      close()
      open = { list: section.items, text: item }
    } else if (open === null) open = { list: section.paragraphs, text: line }
    else open.text += ` ${line.trim()}`
  }
  close()
  return sections
}

/**
 * The text without marks and folders, at most some sentences. Without a last sentence that introduces what is not quoted; '' if nothing
 * else remains.
 */
function plain(text: string): string {
  const shown = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]/g, '')
    .replace(/(?:\/mnt\/|\b(?=references\/))(?:[\w.-]+\/)*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (shown.length <= TEXT_MAX_CHARS && !shown.endsWith(':')) return shown
  const end = shown.slice(0, TEXT_MAX_CHARS).lastIndexOf('. ')
  if (end > 0) return shown.slice(0, end + 1)
  return shown.endsWith(':') ? '' : cutText(shown, TEXT_MAX_CHARS)
}
