// Finds text that impersonates another role: chat-template and tool tags of models, and Satchel's own tags.
// Also finds look-alike spellings (UTS 39 skeletons), in file contents and in file paths.

import { FRAMEWORK_TAGS, findFrameworkTags } from '../../../lib/framework-tags.ts'
import { skeletonOf } from '../../../lib/skeleton.ts'
import type { Steps } from '../../../lib/steps.ts'
import { tagFinder } from '../../../lib/tag-finder.ts'
import { SCAN_COUNTED_MATCHES_MAX } from '../base/limits.ts'
import { quoted } from '../../format/finding.ts'
import type { ScanReport } from '../report.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

const TAGS =
  'im_start im_end im_sep endoftext endofprompt eot_id start_header_id end_header_id begin_of_text end_of_text ' +
  'start_of_turn end_of_turn system_reminder sys function_calls function_results tool_use tool_call tool_result invoke ' +
  'antml_function_calls antml_invoke antml_parameter antml_thinking'
const findMarkers = tagFinder([...TAGS.split(' '), ...FRAMEWORK_TAGS])
/** Characters from the start of a tag that are used to classify and quote it. */
const TAG_EXCERPT_CHARS = 60
const BRACKETED_WORD = /[[\uFF3B\u3010]\s?[/\uFF0F]?(\p{Lu}{4,8})\s?[\]\uFF3D\u3011]/gu
const ROLE_LABEL = /(?:^|\n)[ \t]*\r?\n[ \t]*([^\s:\uFF1A]{5,24})[ \t]?[:\uFF1A]/gu
const [INST_SKELETON, HUMAN_SKELETON, ASSISTANT_SKELETON] = ['INST', 'Human', 'Assistant'].map(skeletonOf)

// Costs in microseconds, measured: of a character scanned, of a pattern's match, and of a tag that is checked
// and reported.
const READ_CHAR_US = 0.02
const MATCH_US = 1.5
const TAG_US = 15

export function* checkRoleMarkers(source: Source, report: ScanReport): Steps<void> {
  yield* reportTags(source.path, () => null, source.path, report)
  const text = source.text ?? ''
  yield* reportTags(text, (offset) => source.lineAt(offset), source.path, report)
  yield text.length * READ_CHAR_US
  yield* reportMatches(text, BRACKETED_WORD, ({ 0: matched, 1: word = '', index }) => {
    if (skeletonOf(word) !== INST_SKELETON) return false
    report.add('marker-of-models', source.path, source.lineAt(index), quoted(matched))
    return true
  })
  yield* reportMatches(text, ROLE_LABEL, ({ 0: matched, 1: word = '', index }) => {
    const skeleton = skeletonOf(word)
    if (skeleton !== HUMAN_SKELETON && skeleton !== ASSISTANT_SKELETON) return false
    report.add('marker-of-turns', source.path, source.lineAt(index + matched.length - 1), quoted(matched))
    return true
  })
}

/**
 * Stops after SCAN_COUNTED_MATCHES_MAX findings. `reportIfMarker` reports a match and returns true, or
 * returns false if the match is not a marker.
 */
function* reportMatches(
  text: string,
  pattern: RegExp,
  reportIfMarker: (match: RegExpExecArray) => boolean,
): Steps<void> {
  const work = startWork()
  let reported = 0
  for (const match of text.matchAll(pattern)) {
    if (reportIfMarker(match) && ++reported === SCAN_COUNTED_MATCHES_MAX) break
    if (work.countWork(MATCH_US)) yield work.report()
  }
  yield work.report()
}

function* reportTags(
  text: string,
  lineAt: (offset: number) => number | null,
  path: string,
  report: ScanReport,
): Steps<void> {
  let tagCount = 0
  for (const marker of findMarkers(text)) {
    if (typeof marker === 'number') {
      yield marker
      continue
    }
    if (++tagCount > SCAN_COUNTED_MATCHES_MAX) {
      report.add(
        'marker-not-searched',
        path,
        lineAt(marker.offset),
        `There are more than ${SCAN_COUNTED_MATCHES_MAX} role tags`,
      )
      return
    }
    yield TAG_US
    const { offset, length } = marker
    const piece = text.slice(offset, offset + TAG_EXCERPT_CHARS)
    const rule = findFrameworkTags(piece)[0]?.offset === 0 ? 'marker-of-satchel' : 'marker-of-models'
    // `<sys>` may be any element; only `<<SYS>>` is a marker.
    const isDoubled = skeletonOf(text.slice(Math.max(0, offset - 1), offset)) === '<'
    if (rule === 'marker-of-satchel' || isDoubled || !isSys(piece.slice(length)))
      report.add(rule, path, lineAt(offset), quoted(/^[^\n>]{1,40}>?/.exec(piece)?.[0] ?? piece))
  }
}

function isSys(afterTag: string): boolean {
  return /^[/\s]{0,4}sys(?![_-]|tem)/i.test(afterTag)
}
