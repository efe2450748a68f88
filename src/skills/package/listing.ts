// The lines of one skill in level 1, for the section that shows it and the entry that counts its cost.

import { closeTag, escapeXml, openTag } from '../../lib/framework-tags.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { locationOf } from '../skill.ts'
import type { IndexEntry } from '../skill.ts'

/** Not visible in the location. Built-in skills have no label, which saves six tokens each. */
const CUSTOM_LABEL = '[custom, editable]'

/** A line break in a field could look like a new entry, and an invisible character hides text. */
export function listingLine(text: string): string {
  return stripInvisible(text).replace(/\s+/g, ' ').trim()
}

export function xmlField(tag: string, text: string): string {
  return `<${tag}>${escapeXml(listingLine(text))}</${tag}>`
}

/** The lines of one skill. `max`: code points of its description. */
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
