// The tags that mark Satchel's own text for the model, and the functions that disarm these tags in other
// text. Both use the same list.

import { rangesOf, tagFinder, type Spelled } from './tag-finder.ts'

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
] as const

export type FrameworkTag = (typeof FRAMEWORK_TAGS)[number]

const ownTags = tagFinder(FRAMEWORK_TAGS)

/** Finds all spellings of our own tags in a text. */
export function ownTagsIn(text: string): readonly Spelled[] {
  return rangesOf(ownTags(text))
}

const OPENER = '&lt;'

const asItIs = (text: string): string => text

function without(text: string, spelled: readonly Spelled[], between = asItIs): string {
  let out = ''
  let end = 0
  for (const { at, length } of spelled) {
    out += between(text.slice(end, at)) + OPENER
    end = at + length
  }
  return out + between(end === 0 ? text : text.slice(end))
}

/**
 * Must be applied to all untrusted text on its way to the model. Disarms our own tags, however they are
 * spelled, by replacing their opening bracket with `&lt;`. Changes no other characters. Idempotent.
 */
export function defuseTags(text: string): string {
  return without(text, ownTagsIn(text))
}

/**
 * Like defuseTags, for texts that the model reads in sequence: a tag may begin in one and continue in the
 * next.
 */
export function defuseTexts(texts: readonly string[]): readonly string[] {
  // Separates words without being part of any.
  const seam = '\u200B'
  const spelled = ownTagsIn(texts.join(seam))
  let start = 0
  let next = 0
  return texts.map((text) => {
    const here: Spelled[] = []
    for (let one = spelled[next]; one && one.at < start + text.length; one = spelled[++next])
      here.push({ ...one, at: one.at - start })
    start += text.length + seam.length
    return without(text, here)
  })
}

const entries = tagFinder([...FRAMEWORK_TAGS, 'entry'])

/** Like defuseTags, for a value in a request's context, which must not open or close an entry either. */
export function defuseEntry(text: string): string {
  return without(text, rangesOf(entries(text)))
}

/** Escapes XML in untrusted text that is placed inside our own tags, and disarms our tags in it. */
export function escapeXml(text: string): string {
  return without(text, ownTagsIn(text), (part) =>
    part.replace(/&/g, '&amp;').replace(/</g, OPENER).replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
  )
}

export function openTag(tag: FrameworkTag): string {
  return `<${tag}>`
}

export function closeTag(tag: FrameworkTag): string {
  return `</${tag}>`
}
