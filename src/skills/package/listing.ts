// Renders the lines of one skill in level 1. Used to show them, and to count their tokens for the index entry.

import { closeTag, escapedLine, openTag } from '../../lib/framework-tags.ts'
import { cutText, plainLine } from '../../lib/text.ts'
import { locationOf } from '../skill.ts'
import type { IndexEntry } from '../skill.ts'

/** The label of custom skills. Built-in ones have none, which saves six tokens each. */
const CUSTOM_LABEL = '[custom, editable]'

export function xmlField(tag: string, text: string): string {
  return `<${tag}>${escapedLine(text)}</${tag}>`
}

/** The lines of one skill, with its description cut to this number of code points. */
export function skillListing(
  entry: Pick<IndexEntry, 'name' | 'description' | 'tags' | 'category'>,
  descriptionMaxCodePoints: number,
): string {
  return [
    openTag('skill'),
    xmlField('name', entry.name),
    xmlField('description', cutText(plainLine(entry.description), descriptionMaxCodePoints)),
    ...(entry.tags.length > 0 ? [xmlField('tags', entry.tags.join(', '))] : []),
    xmlField('location', locationOf(entry)),
    ...(entry.category === 'custom' ? [xmlField('label', CUSTOM_LABEL)] : []),
    closeTag('skill'),
  ].join('\n')
}
