// The wording of known malware campaigns: a "prerequisite" that makes the user fetch and run a program by hand first.

import { SKILL_MD_MAX_BYTES } from '../../limits.ts'
import { linesOf } from './pieces.ts'
import type { Report, Rule } from './report.ts'
import type { Source } from './source.ts'

const RULE: Rule = {
  id: 'declaration-download-prerequisite',
  severity: 'warning',
  why: 'campaigns that spread malware through skills use this wording: the skill is harmless, the "required" program is not.',
  mend: 'Remove it, or name a package from a registry with its version. Do not run the program to find out.',
}

const LOCKED =
  /\b(?:extract|unzip|unpack|decompress|open|unlock|archive)\b[^\n]{0,80}\bpass(?:word|code|phrase)?\b[ \t*_]{0,6}(?:[:=(`"]|\bis\b)|\bpass(?:word|code)?\b[ \t*_]{0,6}[:=][^\n]{0,60}\b(?:extract|unzip|archive)\b/i
const PACKED = /\b[\w.-]{1,80}\.(?:zip|rar|7z|exe|dmg|pkg|msi|scr)\b/i
const FETCH = /\b(?:download|fetch|grab|install)(?:s|ed|ing)?\b/i
const RUN =
  /\b(?:run|runs|execute|launch|start|open|double-click)\b[^\n]{0,60}(?:\b[\w.-]{1,60}\.(?:exe|app|dmg|pkg|msi|bat|scr)\b|\bexecutable\b|\b[\w-]{0,40}(?:agent|tool|utility|driver|helper|service)\b)/i
const FIRST =
  /\b(?:before (?:you )?(?:start|begin|us|run|install|proceed)|prerequisites?|must be (?:running|active|installed)|will not (?:work|function)|won'?t (?:work|function)|(?:cannot|can'?t) (?:work|function|run) without|is required|requires? (?:the|an?)|required|mandatory|critical|important)\b/i
const PASTED = /\b(?:glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.ee|hastebin|ghostbin)\b/i
const TERMINAL = /\b(?:copy|paste|run|execute|terminal|install|script)\b/i
const HINT =
  /\.(?:zip|rar|7z|exe|dmg|pkg|msi|scr)\b|\bpass(?:word|code|phrase)|glot\.io|rentry\.|paste(?:bin|\.ee)|hastebin|ghostbin/i
const WINDOW_LINES = 8

interface Recent {
  packed: number
  run: number
  first: number
}

export function prerequisitesIn(source: Source, report: Report): void {
  const text = source.text ?? ''
  if (source.language !== 'markdown' || !HINT.test(text)) return
  const at: Recent = { packed: -Infinity, run: -Infinity, first: -Infinity }
  let line = 0
  let told = -Infinity
  for (const [words] of linesOf(text.slice(0, SKILL_MD_MAX_BYTES))) {
    line++
    if (FETCH.test(words) && PACKED.test(words)) at.packed = line
    if (RUN.test(words)) at.run = line
    if (FIRST.test(words)) at.first = line
    const near = line - WINDOW_LINES
    const together = at.packed >= near && at.run >= near && at.first >= near
    if (LOCKED.test(words))
      report.add(RULE, source.path, line, 'An archive with a password in the instructions')
    else if (PASTED.test(words) && TERMINAL.test(words))
      report.add(RULE, source.path, line, 'A script from a paste site')
    else if (together && told < at.packed) {
      told = line
      report.add(RULE, source.path, at.packed, 'A program to download and run by hand first')
    }
  }
}
