// How one skill stands in level 1. Shared by the section that shows it and by the entry that says what it costs.

import { closeTag, escapeXml, openTag } from '../../lib/framework-tags.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { locationOf } from '../skill.ts'
import type { IndexEntry } from '../skill.ts'

/** What the location does not say; every built-in skill without one spares six tokens. */
const CUSTOM_LABEL = '[custom, editable]'

/** A line break in a field could be read as a new entry; a character without shape hides text. */
export function oneLine(text: string): string {
  return stripInvisible(text).replace(/\s+/g, ' ').trim()
}

export function field(tag: string, text: string): string {
  return `<${tag}>${escapeXml(oneLine(text))}</${tag}>`
}

/** The lines of one skill; `max` of its description in code points. */
export function described(
  entry: Pick<IndexEntry, 'name' | 'description' | 'tags' | 'category'>,
  max: number,
): string {
  return [
    openTag('skill'),
    field('name', entry.name),
    field('description', cutText(oneLine(entry.description), max)),
    ...(entry.tags.length > 0 ? [field('tags', entry.tags.join(', '))] : []),
    field('location', locationOf(entry)),
    ...(entry.category === 'custom' ? [field('label', CUSTOM_LABEL)] : []),
    closeTag('skill'),
  ].join('\n')
}
