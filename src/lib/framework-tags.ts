// The tags that mark Satchel's own text for the model, and the functions that disarm these tags in other
// text. Both use the same list.

import { collectMatches, tagFinder, type TagMatch } from './tag-finder.ts'
import { plainLine } from './text.ts'

/**
 * Text inside these tags comes from Satchel. Untrusted text must not be able to open or close one of them.
 */
export const FRAMEWORK_TAGS = [
  'available_skills',
  'skill',
  'skill_content',
  'skill_resources',
  'skill_dependencies',
  'called_skills',
  'skill_request',
  'skills_notice',
  'request_context',
  'uploaded_files',
  'webhook_payload',
  'web_page',
  'found_tools',
  'run_notice',
  'earlier_conversation',
  'earlier_messages',
  'earlier_message',
  'earlier_summary',
  'earlier_plan',
  'earlier_skills',
  'earlier_files',
  'earlier_tools',
  'earlier_steps',
] as const

export type FrameworkTag = (typeof FRAMEWORK_TAGS)[number]

const searchFrameworkTags = tagFinder(FRAMEWORK_TAGS)

/** Finds all spellings of our own tags in a text. */
export function findFrameworkTags(text: string): readonly TagMatch[] {
  return collectMatches(searchFrameworkTags(text))
}

const ESCAPED_BRACKET = '&lt;'

const identity = (text: string): string => text

function disarm(text: string, tags: readonly TagMatch[], convertOtherText = identity): string {
  let out = ''
  let end = 0
  for (const { offset, length } of tags) {
    out += convertOtherText(text.slice(end, offset)) + ESCAPED_BRACKET
    end = offset + length
  }
  return out + convertOtherText(end === 0 ? text : text.slice(end))
}

/**
 * Must be applied to all untrusted text on its way to the model. Disarms our own tags, however they are
 * spelled, by replacing their opening bracket with `&lt;`. Changes no other characters. Idempotent.
 */
export function defuseTags(text: string): string {
  return disarm(text, findFrameworkTags(text))
}

/**
 * Like defuseTags, for texts that the model reads in sequence: a tag may begin in one and continue in the
 * next.
 */
export function defuseTexts(texts: readonly string[]): readonly string[] {
  // Separates words without being part of any.
  const separator = '\u200B'
  const tags = findFrameworkTags(texts.join(separator))
  let start = 0
  let next = 0
  return texts.map((text) => {
    const tagsOfText: TagMatch[] = []
    for (let tag = tags[next]; tag && tag.offset < start + text.length; tag = tags[++next])
      tagsOfText.push({ ...tag, offset: tag.offset - start })
    start += text.length + separator.length
    return disarm(text, tagsOfText)
  })
}

const searchEntryTags = tagFinder([...FRAMEWORK_TAGS, 'entry'])

/** Like defuseTags, for a value in a request's context, which must not open or close an entry either. */
export function defuseEntry(text: string): string {
  return disarm(text, collectMatches(searchEntryTags(text)))
}

/** Escapes XML in untrusted text that is placed inside our own tags, and disarms our tags in it. */
export function escapeXml(text: string): string {
  return disarm(text, findFrameworkTags(text), (part) =>
    part.replace(/&/g, '&amp;').replace(/</g, ESCAPED_BRACKET).replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
  )
}

/** An untrusted text on one line, escaped, so that it cannot imitate another entry or open a tag. */
export function escapedLine(text: string): string {
  return escapeXml(plainLine(text))
}

export function openTag(tag: FrameworkTag): string {
  return `<${tag}>`
}

export function closeTag(tag: FrameworkTag): string {
  return `</${tag}>`
}
