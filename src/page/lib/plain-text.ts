// Removes Markdown from the excerpt of a message, which may begin and end anywhere in it. Pure.

export interface Excerpt {
  readonly before: string
  readonly hit: string
  readonly after: string
}

/** Mark the hit while the text around it changes. The text itself may not contain them. */
const START = '\uE000'
const END = '\uE001'
const MARKS = /[\uE000\uE001]/g

/** In this order: links before emphasis, because a link's text may be emphasized. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  // Links and images; the address may be cut off.
  [/!?\[([^\][]*)\]\([^()\s]*(?:\)|$)/g, '$1'],
  [/<(https?:[^<>\s]*)>/g, '$1'],
  // Delimiter rows and borders of tables.
  [/\|?(?:\s*:?-{3,}:?\s*\|)+(?:\s*:?-{3,}:?)?/g, ' '],
  [/\s*\|\s*/g, ' '],
  // Headings, quotes, list items and tasks.
  [/(^|\s)#{2,6}\s+/g, '$1'],
  [/(^|\n)\s*(?:#|>|[-*+]|\d+[.)])\s+/g, '$1'],
  [/(^|\s)\[[ xX]\]\s+/g, '$1'],
  // Code, emphasis and strikethrough. A single mark within a word stays, as in `snake_case` and `2*3`.
  [/`+|\*{2,}|_{2,}|~{2,}/g, ''],
  [/(^|[\s("'\uE000])[*_](?=\S)/g, '$1'],
  [/(\S)[*_](?=[\s.,;:!?)"'\uE001]|$)/g, '$1'],
]

export function withoutMarkdown({ before, hit, after }: Excerpt): Excerpt {
  const clean = (part: string): string => part.replaceAll(MARKS, '')
  const marked = `${clean(before)}${START}${clean(hit)}${END}${clean(after)}`
  const text = REPLACEMENTS.reduce((current, [pattern, by]) => current.replaceAll(pattern, by), marked)
  const [start, end] = [text.indexOf(START), text.indexOf(END)]
  // The hit was in the address of a link.
  if (start < 0 || end < start) return { before, hit, after }
  return { before: text.slice(0, start), hit: text.slice(start + 1, end), after: text.slice(end + 1) }
}
