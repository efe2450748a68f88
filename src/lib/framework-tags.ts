// The tags that mark Satchel's own text for the model, and the one function that removes them from other text. Writers and
// defusers share one list.

import { rangesOf, tagFinder, type Spelled } from './tag-finder.ts'

/** Text inside these tags comes from Satchel; untrusted text must not be able to open or close one. */
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

/** The spellings of our own tags in a text. */
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
 * For all untrusted text on its way to the model: disarms our own tags, however they are spelled (their bracket becomes `&lt;`).
 * Changes no other character. Idempotent.
 */
export function defuseTags(text: string): string {
  return without(text, ownTagsIn(text))
}

/** The same for texts that the model reads in sequence: a tag may begin in one and continue in the next. */
export function defuseTexts(texts: readonly string[]): readonly string[] {
  // Separates words without belonging to any.
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

/** The same for a value in a request's context, which must neither end nor start an entry. */
export function defuseEntry(text: string): string {
  return without(text, rangesOf(entries(text)))
}

/** Untrusted text inside our own tags: escaped and defused. */
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
