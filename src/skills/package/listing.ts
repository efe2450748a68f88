// How one skill stands in level 1. Shared by the section that shows it and by the entry that says what it costs.

import { closeTag, escapeXml, openTag } from '../../lib/framework-tags.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { locationOf } from '../skill.ts'
import type { IndexEntry } from '../skill.ts'

/** What the location does not say; every built-in skill without one spares six tokens. */
const CUSTOM_LABEL = '[custom, editable]'

/** A line break in a field could be read as a new entry; a character without shape hides text. */
export function listingLine(text: string): string {
  return stripInvisible(text).replace(/\s+/g, ' ').trim()
}

export function xmlField(tag: string, text: string): string {
  return `<${tag}>${escapeXml(listingLine(text))}</${tag}>`
}

/** The lines of one skill; `max` of its description in code points. */
export function described(
  entry: Pick<IndexEntry, 'name' | 'description' | 'tags' | 'category'>,
  max: number,
): string {
  return [
    openTag('skill'),
    xmlField('name', entry.name),
    xmlField('description', cutText(listingLine(entry.description), max)),
    ...(entry.tags.length > 0 ? [xmlField('tags', entry.tags.join(', '))] : []),
    xmlField('location', locationOf(entry)),
    ...(entry.category === 'custom' ? [xmlField('label', CUSTOM_LABEL)] : []),
    closeTag('skill'),
  ].join('\n')
}
