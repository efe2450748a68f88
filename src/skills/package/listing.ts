// Renders the lines of one skill in level 1. Used to show them, and to count their tokens for the index entry.

import { closeTag, escapeXml, openTag } from '../../lib/framework-tags.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { locationOf } from '../skill.ts'
import type { IndexEntry } from '../skill.ts'

/** The label of custom skills. Built-in ones have none, which saves six tokens each. */
const CUSTOM_LABEL = '[custom, editable]'

/** The text on one line and without invisible characters. A line break could otherwise imitate another entry. */
export function listingLine(text: string): string {
  return stripInvisible(text).replace(/\s+/g, ' ').trim()
}

export function xmlField(tag: string, text: string): string {
  return `<${tag}>${escapeXml(listingLine(text))}</${tag}>`
}

/** The lines of one skill, with its description cut to this number of code points. */
export function skillListing(
  entry: Pick<IndexEntry, 'name' | 'description' | 'tags' | 'category'>,
  descriptionMaxCodePoints: number,
): string {
  return [
    openTag('skill'),
    xmlField('name', entry.name),
    xmlField('description', cutText(listingLine(entry.description), descriptionMaxCodePoints)),
    ...(entry.tags.length > 0 ? [xmlField('tags', entry.tags.join(', '))] : []),
    xmlField('location', locationOf(entry)),
    ...(entry.category === 'custom' ? [xmlField('label', CUSTOM_LABEL)] : []),
    closeTag('skill'),
  ].join('\n')
}
