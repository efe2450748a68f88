// Text that poses as another voice: marks by which models part turns, tools and reminders, and the tags by which Satchel
// marks its own words. Found however they are spelled, in texts and in names of files.

import { FRAMEWORK_TAGS, ownTagsIn } from '../../lib/framework-tags.ts'
import { skeletonOf, tagFinder } from '../../lib/skeleton.ts'
import { quoted } from '../format/finding.ts'
import type { Report, Rule } from './report.ts'
import type { Source } from './source.ts'

const MARKER: Rule = {
  id: 'marker-of-models',
  severity: 'warning',
  why: 'by such marks models part their turns, tools and reminders; in a text they can pass for another voice.',
  mend: 'Leave it out, or name it in words.',
}
const TURN: Rule = {
  ...MARKER,
  id: 'marker-of-turns',
  severity: 'note',
  why: 'a line that begins so, behind an empty one, can pass for the turn of a user or of the model.',
  mend: 'Write the example as a quotation (> Human: …), or name the speakers otherwise.',
}
const OWN: Rule = {
  id: 'marker-of-satchel',
  severity: 'note',
  why: 'Satchel marks its own words so: the bracket is shown to the model as "&lt;".',
  mend: 'Name the tag without its brackets, or leave it out.',
}

const TAGS =
  'im_start im_end im_sep endoftext endofprompt eot_id start_header_id end_header_id begin_of_text end_of_text ' +
  'start_of_turn end_of_turn system_reminder sys function_calls function_results tool_use tool_call tool_result invoke ' +
  'antml_function_calls antml_invoke antml_parameter antml_thinking'
const markersIn = tagFinder([...TAGS.split(' '), ...FRAMEWORK_TAGS])
/** Of a tag and what stands around it: to tell whose it is, and to show it. */
const SHOWN_CHARS = 60
const INSTRUCTION = /[[\uFF3B\u3010]\s?[/\uFF0F]?(\p{Lu}{4,8})\s?[\]\uFF3D\u3011]/gu
const SPEAKER = /(?:^|\n)[ \t]*\r?\n[ \t]*([^\s:\uFF1A]{5,24})[ \t]?[:\uFF1A]/gu
const [INST, HUMAN, ASSISTANT] = ['INST', 'Human', 'Assistant'].map(skeletonOf)

export function posesIn(source: Source, report: Report): void {
  tagsIn(source.path, () => null, source.path, report)
  const text = source.text ?? ''
  tagsIn(text, (at) => source.lineAt(at), source.path, report)
  for (const { 0: seen, 1: word = '', index } of text.matchAll(INSTRUCTION))
    if (skeletonOf(word) === INST) report.add(MARKER, source.path, source.lineAt(index), quoted(seen))
  for (const { 0: seen, 1: word = '', index } of text.matchAll(SPEAKER)) {
    if (skeletonOf(word) !== HUMAN && skeletonOf(word) !== ASSISTANT) continue
    report.add(TURN, source.path, source.lineAt(index + seen.length - 1), quoted(seen))
  }
}

function tagsIn(text: string, lineAt: (at: number) => number | null, path: string, report: Report): void {
  for (const { at, length } of markersIn(text)) {
    if (report.isFull(MARKER, path) && report.isFull(OWN, path)) return
    const piece = text.slice(at, at + SHOWN_CHARS)
    const rule = ownTagsIn(piece)[0]?.at === 0 ? OWN : MARKER
    // `<sys>` is a name like another; `<<SYS>>` is not.
    const doubled = skeletonOf(text.slice(Math.max(0, at - 1), at)) === '<'
    if (rule === OWN || doubled || !isSys(piece.slice(length)))
      report.add(rule, path, lineAt(at), quoted(/^[^\n>]{1,40}>?/.exec(piece)?.[0] ?? piece))
  }
}

function isSys(behind: string): boolean {
  return /^[/\s]{0,4}sys(?![_-]|tem)/i.test(behind)
}
