// Finds text that impersonates another role: chat-template and tool tags of models, and Satchel's own tags.
// Also finds look-alike spellings (UTS 39 skeletons), in file contents and in file paths.

import { FRAMEWORK_TAGS, findFrameworkTags } from '../../../lib/framework-tags.ts'
import { skeletonOf } from '../../../lib/skeleton.ts'
import type { Steps } from '../../../lib/steps.ts'
import { tagFinder } from '../../../lib/tag-finder.ts'
import { SCAN_COUNTED_MAX } from '../base/limits.ts'
import { quoted } from '../../format/finding.ts'
import type { ScanReport } from '../report.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

const TAGS =
  'im_start im_end im_sep endoftext endofprompt eot_id start_header_id end_header_id begin_of_text end_of_text ' +
  'start_of_turn end_of_turn system_reminder sys function_calls function_results tool_use tool_call tool_result invoke ' +
  'antml_function_calls antml_invoke antml_parameter antml_thinking'
const markersIn = tagFinder([...TAGS.split(' '), ...FRAMEWORK_TAGS])
/** Characters from the start of a tag that are used to classify and quote it. */
const SHOWN_CHARS = 60
const INSTRUCTION = /[[\uFF3B\u3010]\s?[/\uFF0F]?(\p{Lu}{4,8})\s?[\]\uFF3D\u3011]/gu
const SPEAKER = /(?:^|\n)[ \t]*\r?\n[ \t]*([^\s:\uFF1A]{5,24})[ \t]?[:\uFF1A]/gu
const [INST, HUMAN, ASSISTANT] = ['INST', 'Human', 'Assistant'].map(skeletonOf)

// Costs in microseconds, measured: of a character scanned, of a pattern's match, and of a tag that is checked
// and reported.
const READ = 0.02
const A_MATCH = 1.5
const A_TAG = 15

export function* posesIn(source: Source, report: ScanReport): Steps<void> {
  yield* tagsIn(source.path, () => null, source.path, report)
  const text = source.text ?? ''
  yield* tagsIn(text, (at) => source.lineAt(at), source.path, report)
  yield text.length * READ
  yield* matchesIn(text, INSTRUCTION, ({ 0: seen, 1: word = '', index }) => {
    if (skeletonOf(word) !== INST) return false
    report.add('marker-of-models', source.path, source.lineAt(index), quoted(seen))
    return true
  })
  yield* matchesIn(text, SPEAKER, ({ 0: seen, 1: word = '', index }) => {
    const look = skeletonOf(word)
    if (look !== HUMAN && look !== ASSISTANT) return false
    report.add('marker-of-turns', source.path, source.lineAt(index + seen.length - 1), quoted(seen))
    return true
  })
}

/**
 * Stops after SCAN_COUNTED_MAX findings. `tell` reports a match and returns true, or returns false if it is
 * no marker.
 */
function* matchesIn(text: string, pattern: RegExp, tell: (match: RegExpExecArray) => boolean): Steps<void> {
  const work = startWork()
  let reported = 0
  for (const match of text.matchAll(pattern)) {
    if (tell(match) && ++reported === SCAN_COUNTED_MAX) break
    if (work.countWork(A_MATCH)) yield work.report()
  }
  yield work.report()
}

function* tagsIn(
  text: string,
  lineAt: (at: number) => number | null,
  path: string,
  report: ScanReport,
): Steps<void> {
  let tags = 0
  for (const found of markersIn(text)) {
    if (typeof found === 'number') {
      yield found
      continue
    }
    if (++tags > SCAN_COUNTED_MAX) {
      report.add(
        'marker-not-searched',
        path,
        lineAt(found.at),
        `There are more than ${SCAN_COUNTED_MAX} role tags`,
      )
      return
    }
    yield A_TAG
    const { at, length } = found
    const piece = text.slice(at, at + SHOWN_CHARS)
    const rule = findFrameworkTags(piece)[0]?.at === 0 ? 'marker-of-satchel' : 'marker-of-models'
    // `<sys>` may be any element; only `<<SYS>>` is a marker.
    const doubled = skeletonOf(text.slice(Math.max(0, at - 1), at)) === '<'
    if (rule === 'marker-of-satchel' || doubled || !isSys(piece.slice(length)))
      report.add(rule, path, lineAt(at), quoted(/^[^\n>]{1,40}>?/.exec(piece)?.[0] ?? piece))
  }
}

function isSys(behind: string): boolean {
  return /^[/\s]{0,4}sys(?![_-]|tem)/i.test(behind)
}
