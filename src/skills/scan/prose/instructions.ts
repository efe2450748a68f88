// Recognizes what instructions and commands request, by signs close together: to start a program manually
// first, to send keys, to keep a secret, to obey a page, or to persist on the machine. Judges the request,
// not the names in it.

import type { Steps } from '../../../lib/steps.ts'
import { SKILL_MD_MAX_BYTES } from '../../../limits/skills.ts'
import { SCAN_LISTED_MATCHES_MAX } from '../base/limits.ts'
import { CERTAIN_SIGNS } from './certain-signs.ts'
import { KEYWORDS, SIGNS } from './instruction-signs.ts'
import type { Sign } from './instruction-signs.ts'
import { COMMAND_VERDICTS } from './command-verdicts.ts'
import { LOCKED_PREREQUISITE, PROSE_VERDICTS } from './verdicts.ts'
import type { KeywordSign, SignVerdict } from './verdicts.ts'
import { linesOf, segmentsOf } from '../base/pieces.ts'
import { isExampleAt, isWarningLine } from '../base/prose.ts'
import type { ScanReport } from '../report.ts'
import { RULES } from '../rules/rules.ts'
import { pipedIntoShell } from '../shell/shell-pipes.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'
import type { Work } from '../base/work.ts'

// The cast restores the key type, which Object.keys loses.
const KEYWORD_SIGNS = Object.keys(KEYWORDS) as readonly KeywordSign[]

export function* checkInstructions(source: Source, report: ScanReport): Steps<void> {
  if (source.language === 'python' || source.language === 'javascript') return
  const isProse = source.language === 'markdown' || /\.(?:txt|rst|adoc)$/i.test(source.path)
  const verdicts = isProse ? [...PROSE_VERDICTS, ...COMMAND_VERDICTS] : COMMAND_VERDICTS
  const text = (source.text ?? '').slice(0, SKILL_MD_MAX_BYTES)
  let lines: readonly Line[] | null = null
  const work = startWork()
  const errorLines: number[] = []
  let hasSign: HasSign | null = null
  for (const keywordSign of KEYWORD_SIGNS) {
    const matchingVerdicts = verdicts.filter(([, , , [first]]) => first === keywordSign)
    if (matchingVerdicts.length === 0) continue
    yield text.length * SEARCHED_CHAR_US
    let lastLine = -1
    const reported = new Map<SignVerdict, number>()
    for (const { index } of text.matchAll(KEYWORDS[keywordSign])) {
      const lineIndex = source.lineAt(index) - 1
      if (work.countWork(HIT_US)) yield work.report()
      if (lineIndex === lastLine) continue
      lastLine = lineIndex
      lines ??= Array.from(linesOf(text))
      hasSign ??= signFinder(lines, work)
      if (!(yield* hasSign(keywordSign, lineIndex, 0))) continue
      for (const verdict of matchingVerdicts) {
        const [rule, summary, distance, [, ...otherSigns]] = verdict
        const count = reported.get(verdict) ?? 0
        // A file may consist entirely of matches, so the search stops after the maximum.
        if (count > SCAN_LISTED_MATCHES_MAX) continue
        let hasAllSigns = true
        for (const sign of otherSigns) hasAllSigns &&= yield* hasSign(sign, lineIndex, distance)
        if (!hasAllSigns) continue
        reported.set(verdict, count + 1)
        // Near an error, a warning about the same text adds nothing.
        if (rule === LOCKED_PREREQUISITE) errorLines.push(lineIndex)
        else if (
          RULES[rule].severity !== 'error' &&
          errorLines.some((line) => Math.abs(line - lineIndex) <= NEAR_ERROR_LINES)
        )
          continue
        const [lineText, offset] = lines[lineIndex] ?? ['', 0]
        // Comments in a script are not run.
        if (source.language === 'shell' && /^\s{0,80}#/.test(lineText)) continue
        const isExample = isProse && (isWarningLine(lineText) || isExampleAt(text, offset))
        report[isExample ? 'addExample' : 'add'](rule, source.path, lineIndex + 1, summary)
      }
    }
  }
  yield work.report()
}

const NEAR_ERROR_LINES = 6
type HasSign = (sign: Sign, lineIndex: number, distance: number) => Steps<boolean>

type Line = readonly [lineText: string, offset: number]

/**
 * Returns a function that tells whether a sign is within `distance` lines of a line. Each line is searched once
 * per sign.
 */
function signFinder(lines: readonly Line[], work: Work): HasSign {
  interface LineSigns {
    segments: readonly string[] | null
    /** The segments that are not reported as a download. */
    notPiped: readonly string[]
    readonly signs: Map<Sign, boolean>
  }
  const signsByLine = new Map<number, LineSigns>()
  function* isIn(sign: Sign, lineIndex: number): Steps<boolean> {
    const lineText = lines[lineIndex]?.[0]
    if (lineText === undefined || lineText === '') return false
    const line = signsByLine.get(lineIndex) ?? {
      segments: null,
      notPiped: [],
      signs: new Map<Sign, boolean>(),
    }
    signsByLine.set(lineIndex, line)
    const knownResult = line.signs.get(sign)
    if (knownResult !== undefined) return knownResult
    if (line.segments === null) {
      const notPiped: string[] = []
      line.segments = Array.from(segmentsOf(lineText))
      for (const segment of line.segments) {
        // Downloads that are run are reported by another rule.
        if (pipedIntoShell(segment) === null) notPiped.push(segment)
        if (work.countWork(segment.length * CHECKED_CHAR_US)) yield work.report()
      }
      line.notPiped = notPiped
    }
    let isFound = false
    for (const segment of sign in CERTAIN_SIGNS ? line.segments : line.notPiped) {
      if (work.countWork(SEGMENT_US + segment.length * CHECKED_CHAR_US)) yield work.report()
      isFound ||= SIGNS[sign].test(segment)
    }
    line.signs.set(sign, isFound)
    return isFound
  }
  return function* (sign, lineIndex, distance) {
    for (let line = lineIndex - distance; line <= lineIndex + distance; line++)
      if (yield* isIn(sign, line)) return true
    return false
  }
}

// Costs in microseconds: per character that is searched for keywords, per keyword, per segment, and per
// character of it.
const SEARCHED_CHAR_US = 0.004
const HIT_US = 1
const SEGMENT_US = 1
const CHECKED_CHAR_US = 0.1
