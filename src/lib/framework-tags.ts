// The tags by which Satchel marks its own text for the model, and the one function that takes them out of the text of
// others. One list for who writes them and who defuses them.

import { rangesOf, tagFinder, type Spelled } from './tag-finder.ts'

/** Whatever stands between such tags was put there by Satchel; foreign text must not be able to open or close one. */
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

/** Where our own tags are spelled in a text. */
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
 * For every text that others wrote, on every way to the model: makes our own tags in it harmless, however they are
 * spelled (their bracket becomes `&lt;`). Every other character stays as it is; a second time changes nothing.
 */
export function defuseTags(text: string): string {
  return without(text, ownTagsIn(text))
}

/** The same for texts that the model reads one after the other: a tag may begin in one and go on in the next. */
export function defuseTexts(texts: readonly string[]): readonly string[] {
  // Parts words and is part of none, as the seam does.
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

/** The same for a value among the entries of a request's context, which it can neither end nor begin. */
export function defuseEntry(text: string): string {
  return without(text, rangesOf(entries(text)))
}

/** Text of others inside our own tags, where it can be no tag at all: escaped, and defused as anywhere else. */
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
