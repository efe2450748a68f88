// The wording of known malware campaigns: a "prerequisite" that makes the user fetch and run a program by hand first.

import type { Steps } from '../../lib/steps.ts'
import { SKILL_MD_MAX_BYTES } from '../../limits.ts'
import { linesOf, stretchesOf } from './pieces.ts'
import { isGuarding } from './prose.ts'
import type { Report, Rule } from './report.ts'
import { pipedIntoShell } from './shell-pipes.ts'
import type { Source } from './source.ts'

const RULE: Rule = {
  id: 'declaration-download-prerequisite',
  severity: 'warning',
  why: 'campaigns that spread malware through skills use this wording: the skill is harmless, the "required" program is not.',
  mend: 'Remove it, or name a package from a registry with its version. Do not run the program to find out.',
}
/** A password keeps what lies in the archive from whoever checks it: there is no honest reason for one that is told beside it. */
const LOCKED_PROGRAM: Rule = { ...RULE, severity: 'error' }

const LOCKED =
  /\b(?:extract|unzip|unpack|decompress|open|unlock|archive|zip|rar|7z)\b[^\n]{0,80}(?<![\w/])(?:pass(?:word|code|phrase|wd)?|pw|pwd)\b[ \t*_]{0,6}(?:[:=(`"'“]|\bis\b|[A-Za-z]{0,20}\d)|(?<![\w/])(?:pass(?:word|code|wd)?|pw|pwd)\b[ \t*_]{0,6}(?:[:=]|is\b)[^\n]{0,60}\b(?:extract|unzip|unpack|archive)|\b(?:7z|7za|unzip|unrar)\s[^\n]{0,80}-[pP]\s?[\w"']/i
const PASSWORD =
  /(?<![\w/])(?:pass(?:word|code|phrase|wd)?|pw|pwd)\b[ \t*_)]{0,6}(?:[:=(`"'“]|\bis\b|to (?:open|unlock|extract))/i
const ARCHIVE = /\.(?:zip|rar|7z|tar\.gz|tgz)\b|\b(?:archive|zip|rar|7z)\b/i
const PACKED = /\b[\w.-]{1,80}\.(?:zip|rar|7z|exe|dmg|pkg|msi|scr)\b/i
const FETCH = /\b(?:download|fetch|grab|get|install|obtain|curl|wget)(?:s|ed|ing)?\b/i
const STARTS = /\b(?:run|runs|running|execute|launch|start|double-click|install)\b/i
const RUN =
  /\b(?:run|runs|execute|launch|start|open|double-click)\b[^\n]{0,60}(?:\b[\w.-]{1,60}\.(?:exe|app|dmg|pkg|msi|bat|scr)\b|\bexecutable\b|\b[\w-]{0,40}(?:agent|tool|utility|driver|helper|service)\b)/i
const FIRST =
  /\b(?:before (?:you )?(?:start|begin|us|run|install|proceed)|prerequisites?|must be (?:running|active|installed)|will not (?:work|function)|won'?t (?:work|function)|(?:cannot|can'?t) (?:work|function|run) without|is required|requires? (?:the|an?)|required|mandatory|critical|important)\b/i
const PASTED =
  /\b(?:glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.(?:ee|rs)|hastebin|ghostbin|dpaste\.(?:com|org)|justpaste\.it|controlc\.com)\b/i
const TERMINAL = /\b(?:copy|paste|run|execute|terminal|install|script)\b/i
/** Copied from where anybody leaves anything, into a shell. */
const BY_HAND =
  /\b(?:copy|paste)\b[^\n]{0,120}\b(?:terminal|shell|console|powershell|command (?:line|prompt)|command)\b|\b(?:terminal|shell|console|powershell|command (?:line|prompt))\b[^\n]{0,120}\b(?:copy|paste)\b/i
const HINT =
  /\.(?:zip|rar|7z|exe|dmg|pkg|msi|scr)\b|\bpass(?:word|code|phrase|wd)|glot\.io|rentry\.|paste(?:bin|\.ee|\.rs|\.it)|hastebin|ghostbin|controlc\./i
const WINDOW_LINES = 8

/** Lines on which each was read last. */
interface Recent {
  archive: number
  locked: number
  packed: number
  fetched: number
  started: number
  run: number
  first: number
}

export function* prerequisitesIn(source: Source, report: Report): Steps<void> {
  const text = source.text ?? ''
  if (source.language !== 'markdown' || !HINT.test(text)) return
  const never = -Infinity
  const at: Recent = {
    archive: never,
    locked: never,
    packed: never,
    fetched: never,
    started: never,
    run: never,
    first: never,
  }
  // What a later line makes an error of is told of once.
  const mild = new Map<number, string>()
  const refused = new Set<number>()
  let line = 0
  let told = never
  let units = 0
  for (const [whole] of linesOf(text.slice(0, SKILL_MD_MAX_BYTES))) {
    line++
    units += A_LINE
    // What warns of such a thing is not one.
    const guards = isGuarding(whole)
    for (const words of stretchesOf(whole)) {
      units += words.length * A_CHAR
      if (!guards) read(words)
      if (units < TELL) continue
      yield units
      units = 0
    }
  }
  yield units
  for (const [where, seen] of mild) if (!refused.has(where)) report.add(RULE, source.path, where, seen)

  function read(words: string): void {
    const locked = LOCKED.test(words)
    if (ARCHIVE.test(words)) at.archive = line
    if (FETCH.test(words)) at.fetched = line
    if (STARTS.test(words)) at.started = line
    if (FETCH.test(words) && PACKED.test(words)) at.packed = line
    if (RUN.test(words)) at.run = line
    if (FIRST.test(words)) at.first = line
    if (locked || PASSWORD.test(words)) at.locked = line
    if (near('locked', 'archive', 'fetched', 'started'))
      tell(LOCKED_PROGRAM, 'A program in an archive with a password')
    else if (locked) mild.set(line, 'An archive with a password in the instructions')
    if (PASTED.test(words) && BY_HAND.test(words)) {
      refused.add(line)
      report.add(LOCKED_PROGRAM, source.path, line, 'A command to copy from a paste site')
    } else if (PASTED.test(words) && TERMINAL.test(words) && pipedIntoShell(words) === null)
      report.add(RULE, source.path, line, 'A script from a paste site')
    else if (near('packed', 'run', 'first') && told < at.packed)
      tell(RULE, 'A program to download and run by hand first')
  }

  function near(...what: readonly (keyof Recent)[]): boolean {
    return what.every((one) => at[one] >= line - WINDOW_LINES)
  }

  /** Once for each of them. */
  function tell(rule: Rule, seen: string): void {
    const where = Math.max(at.packed, rule === LOCKED_PROGRAM ? at.locked : never)
    if (told >= where) return
    told = where
    if (rule === LOCKED_PROGRAM) refused.add(where)
    report.add(rule, source.path, where, seen)
  }
}

// Microseconds.
const A_LINE = 4
const A_CHAR = 0.1
const TELL = 4_000
