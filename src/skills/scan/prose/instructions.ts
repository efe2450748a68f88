// Recognizes what instructions and commands request, by signs close together: to start a program manually
// first, to send keys, to keep a secret, to obey a page, or to persist on the machine. Judges the request,
// not the names in it.

import type { Steps } from '../../../lib/steps.ts'
import { SKILL_MD_MAX_BYTES } from '../../../limits/skills.ts'
import { SCAN_MATCHES_MAX } from '../base/limits.ts'
import { CERTAIN_SIGNS } from './certain-signs.ts'
import { HINTS, SIGNS } from './instruction-signs.ts'
import type { Sign } from './instruction-signs.ts'
import { COMMAND_VERDICTS, LOCKED, PROSE_VERDICTS } from './verdicts.ts'
import type { Hint, SignVerdict } from './verdicts.ts'
import { linesOf, stretchesOf } from '../base/pieces.ts'
import { isShownAt, isWarning } from '../base/prose.ts'
import type { ScanReport } from '../report.ts'
import { RULES } from '../rules/rules.ts'
import { pipedIntoShell } from '../shell/shell-pipes.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'
import type { Work } from '../base/work.ts'

// The cast restores the key type, which Object.keys loses.
const HINT_LIST = Object.keys(HINTS) as readonly Hint[]

export function* instructionsIn(source: Source, report: ScanReport): Steps<void> {
  if (source.language === 'python' || source.language === 'javascript') return
  const isProse = source.language === 'markdown' || /\.(?:txt|rst|adoc)$/i.test(source.path)
  const verdicts = isProse ? [...PROSE_VERDICTS, ...COMMAND_VERDICTS] : COMMAND_VERDICTS
  const text = (source.text ?? '').slice(0, SKILL_MD_MAX_BYTES)
  let lines: readonly Line[] | null = null
  const work = startWork()
  const refused: number[] = []
  let has: Has | null = null
  for (const hint of HINT_LIST) {
    const begun = verdicts.filter(([, , , [first]]) => first === hint)
    if (begun.length === 0) continue
    yield text.length * SEARCHED
    let seenLine = -1
    const reported = new Map<SignVerdict, number>()
    for (const { index } of text.matchAll(HINTS[hint])) {
      const at = source.lineAt(index) - 1
      if (work.countWork(A_HIT)) yield work.report()
      if (at === seenLine) continue
      seenLine = at
      lines ??= Array.from(linesOf(text))
      has ??= signsOf(lines, work)
      if (!(yield* has(hint, at, 0))) continue
      for (const verdict of begun) {
        const [rule, seen, apart, [, ...others]] = verdict
        const count = reported.get(verdict) ?? 0
        // A file may consist entirely of matches, so the search stops after the maximum.
        if (count > SCAN_MATCHES_MAX) continue
        let isWhole = true
        for (const sign of others) isWhole &&= yield* has(sign, at, apart)
        if (!isWhole) continue
        reported.set(verdict, count + 1)
        // Near an error, a warning about the same text adds nothing.
        if (rule === LOCKED) refused.push(at)
        else if (
          RULES[rule].severity !== 'error' &&
          refused.some((line) => Math.abs(line - at) <= BESIDE_LINES)
        )
          continue
        const [words, offset] = lines[at] ?? ['', 0]
        // Comments in a script are not run.
        if (source.language === 'shell' && /^\s{0,80}#/.test(words)) continue
        const shown = isProse && (isWarning(words) || isShownAt(text, offset))
        report[shown ? 'addExample' : 'add'](rule, source.path, at + 1, seen)
      }
    }
  }
  yield work.report()
}

const BESIDE_LINES = 6
type Has = (sign: Sign, at: number, apart: number) => Steps<boolean>

type Line = readonly [words: string, offset: number]

/**
 * Returns a function that tells whether a sign is within `apart` lines of a line. Each line is searched once
 * per sign.
 */
function signsOf(lines: readonly Line[], work: Work): Has {
  interface Known {
    stretches: readonly string[] | null
    /** The segments that are not reported as a download. */
    unpiped: readonly string[]
    readonly signs: Map<Sign, boolean>
  }
  const known = new Map<number, Known>()
  function* isIn(sign: Sign, at: number): Steps<boolean> {
    const words = lines[at]?.[0]
    if (words === undefined || words === '') return false
    const line = known.get(at) ?? { stretches: null, unpiped: [], signs: new Map<Sign, boolean>() }
    known.set(at, line)
    const before = line.signs.get(sign)
    if (before !== undefined) return before
    if (line.stretches === null) {
      const judged: string[] = []
      line.stretches = Array.from(stretchesOf(words))
      for (const stretch of line.stretches) {
        // Downloads that are run are reported by another rule.
        if (pipedIntoShell(stretch) === null) judged.push(stretch)
        if (work.countWork(stretch.length * JUDGED)) yield work.report()
      }
      line.unpiped = judged
    }
    let found = false
    for (const stretch of sign in CERTAIN_SIGNS ? line.stretches : line.unpiped) {
      if (work.countWork(A_STRETCH + stretch.length * JUDGED)) yield work.report()
      found ||= SIGNS[sign].test(stretch)
    }
    line.signs.set(sign, found)
    return found
  }
  return function* (sign, at, apart) {
    for (let line = at - apart; line <= at + apart; line++) if (yield* isIn(sign, line)) return true
    return false
  }
}

// Costs in microseconds: per character that is searched for keywords, per keyword, per segment, and per
// character of it.
const SEARCHED = 0.004
const A_HIT = 1
const A_STRETCH = 1
const JUDGED = 0.1
