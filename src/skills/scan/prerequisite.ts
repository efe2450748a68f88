// A program that somebody is to fetch and start by hand before the skill works: how malware travels with a harmless skill.
// Looks at what the instructions ask for, not at names: an archive and its password, a program from a page, a command that
// is copied from a page into a terminal.

import type { Steps } from '../../lib/steps.ts'
import { SCAN_MATCHES_MAX, SKILL_MD_MAX_BYTES } from '../../limits.ts'
import { linesOf, stretchesOf } from './pieces.ts'
import { isGuarding } from './prose.ts'
import type { Report } from './report.ts'
import { pipedIntoShell } from './shell-pipes.ts'
import type { Source } from './source.ts'
import { startWork } from './work.ts'

const SECRET_WORD = '(?<![\\w/])(?:pass(?:word|code|phrase|wd)?|pw|pwd)\\b'
const TERMINAL = '(?:terminal|shell|console|powershell|command (?:line|prompt))\\b'
const COPIED = '\\b(?:copy|copies|paste|pastes)\\b'
const PROGRAM = '(?:exe|dmg|pkg|msi|scr|appimage)\\b'
const SIGNS = {
  archive: /\.(?:zip|rar|7z|tar\.gz|tgz)\b|\b(?:archive|zip|rar|7z)\b/i,
  password: new RegExp(`${SECRET_WORD}[ \\t*_)]{0,6}(?:[:=(\`"'“]|\\bis\\b|to (?:open|unlock|extract))`, 'i'),
  /** Both in one breath. */
  locked: new RegExp(
    `\\b(?:extract|unzip|unpack|decompress|open|unlock|archive|zip|rar|7z)\\b[^\\n]{0,80}${SECRET_WORD}[ \\t*_]{0,6}(?:[:=(\`"'“]|\\bis\\b|[A-Za-z]{0,20}\\d)|${SECRET_WORD}[ \\t*_]{0,6}(?:[:=]|is\\b)[^\\n]{0,60}\\b(?:extract|unzip|unpack|archive)|\\b(?:7z|7za|unzip|unrar)\\s[^\\n]{0,80}-[pP]\\s?[\\w"']|\\b(?:archive|zip|unzip|extract)\\b[^\\n]{0,60}\\b(?:code|key|pin)[ \\t:=\`"']{1,6}\\w{0,20}\\d`,
    'i',
  ),
  /** What keeps a person from starting what nobody signed. */
  unguarded:
    /\bxattr\s{1,4}-(?:c|r?d)\b|\b(?:bypass|disable|turn off)\b[^\n]{0,30}\b(?:gatekeeper|defender|smartscreen|anti-?virus)\b|\b(?:gatekeeper|smartscreen)\b[^\n]{0,60}\banyway\b/i,
  fetched: /\b(?:download|fetch|grab|get|install|obtain|curl|wget)(?:s|ed|ing)?\b|\bgot\b/i,
  started: /\b(?:run|runs|running|execute|launch|start|double-click|install)\b/i,
  program: new RegExp(
    `\\b[\\w.-]{1,80}\\.(?:zip\\b|rar\\b|7z\\b|${PROGRAM})|https?://[^\\s)]{1,200}/releases\\b`,
    'i',
  ),
  runs: new RegExp(
    `\\b(?:run|runs|execute|launch|start|open|double-click)\\b[^\\n]{0,60}(?:\\b[\\w.-]{1,60}\\.(?:app\\b|bat\\b|${PROGRAM})|\\b(?:the|this|downloaded) (?:file|program|app|setup|package|download)\\b|\\b(?:executable|installer|binary)\\b|\\b[\\w-]{0,40}(?:agent|tool|utility|driver|helper|service)\\b)`,
    'i',
  ),
  demanded:
    /\b(?:before (?:you )?(?:start|begin|us|run|install|proceed)|prerequisites?|must be (?:running|active|installed)|(?:will|does|do) not (?:work|function|run)|(?:won|doesn)'?t (?:work|function)|(?:cannot|can'?t) (?:work|function|run) without|nothing works|must be|is required|(?:requires?|needs?) (?:the|an?)|you must|required|mandatory|critical|important)\b/i,
  pasteSite:
    /\b(?:glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.(?:ee|rs)|hastebin|ghostbin|dpaste\.(?:com|org)|justpaste\.it|controlc\.com)\b/i,
  page: /https?:\/\/(?!(?:localhost|127\.))[^\s)]{4}/i,
  byHand: new RegExp(
    `${COPIED}[^\\n]{0,120}\\b(?:${TERMINAL}|command\\b)|\\b${TERMINAL}[^\\n]{0,120}${COPIED}`,
    'i',
  ),
  /** What is copied is a command, no token. */
  command: /\b(?:command|script|snippet|one-?liner|installer|setup code)s?\b/i,
  installs: /\b(?:copy|paste|run|execute|terminal|install|script)\b/i,
} as const satisfies Readonly<Record<string, RegExp>>
type Sign = keyof typeof SIGNS

const BESIDE_LINES = 8
const LOCKED = 'declaration-locked-prerequisite'
const GUESS = 'declaration-download-prerequisite'

/** `[rule, seen, lines, signs]`: how far apart the signs may stand; it is told where the first of them does. */
type Verdict = readonly [typeof LOCKED | typeof GUESS, string, number, readonly [Sign, ...Sign[]]]
const VERDICTS: readonly Verdict[] = [
  [LOCKED, 'A program in an archive with a password', 8, ['password', 'archive', 'fetched', 'started']],
  [LOCKED, 'A command to copy from a paste site', 0, ['pasteSite', 'byHand']],
  [GUESS, 'An archive with a password in the instructions', 0, ['locked']],
  [GUESS, 'A script from a paste site', 0, ['pasteSite', 'installs']],
  [GUESS, 'A guard of the system that is to be passed', 2, ['unguarded', 'fetched', 'runs']],
  [GUESS, 'A command to copy from a page', 1, ['byHand', 'command', 'page']],
  [GUESS, 'A program to download and run by hand first', 8, ['runs', 'program', 'fetched', 'demanded']],
  [GUESS, 'A program to get from a page and run first', 1, ['runs', 'page', 'fetched', 'demanded']],
]

/** Every verdict needs one of these: most lines of most texts are far from any. */
const KEYS = ['password', 'locked', 'pasteSite', 'unguarded', 'byHand', 'runs'] as const
const KEY = new RegExp(KEYS.map((sign) => SIGNS[sign].source).join('|'), 'i')

export function* prerequisitesIn(source: Source, report: Report): Steps<void> {
  if (source.language !== 'markdown') return
  const lines = Array.from(linesOf((source.text ?? '').slice(0, SKILL_MD_MAX_BYTES)), ([words]) => words)
  const last = new Map<Sign, number>()
  const found = new Map<Verdict, number[]>()
  const work = startWork()
  let next = 0
  for (const [key, words] of lines.entries()) {
    if (work.did(words.length * SEARCHED)) yield work.told()
    if (!KEY.test(words)) continue
    for (next = Math.max(next, key - BESIDE_LINES); next <= key + BESIDE_LINES; next++) {
      const whole = lines[next] ?? ''
      // What warns of such a thing is not one.
      if (isGuarding(whole)) continue
      for (const stretch of stretchesOf(whole)) {
        if (work.did(A_STRETCH + stretch.length * JUDGED)) yield work.told()
        for (const sign of signsIn(stretch)) last.set(sign, next)
      }
      for (const verdict of VERDICTS) {
        const [, , apart, signs] = verdict
        const at = last.get(signs[0]) ?? next
        const isTold = found.get(verdict)?.at(-1) === at
        if (isTold || !signs.every((sign) => (last.get(sign) ?? -Infinity) >= next - apart)) continue
        // As many as are told; a file may consist of nothing else.
        found.set(verdict, [...(found.get(verdict) ?? []).slice(-SCAN_MATCHES_MAX), at])
      }
    }
  }
  yield work.told()
  const told = Array.from(found, ([[rule, seen], lines]) => lines.map((at) => ({ rule, seen, at }))).flat()
  const refused = told.filter(({ rule }) => rule === LOCKED)
  for (const { rule, seen, at } of told)
    // A guess about what is refused beside it says nothing new.
    if (rule === LOCKED || !refused.some((one) => Math.abs(one.at - at) <= BESIDE_LINES))
      report.add(rule, source.path, at + 1, seen)
}

/** What is run as it comes is told of as that. */
function signsIn(words: string): readonly Sign[] {
  if (pipedIntoShell(words) !== null) return []
  return SIGN_LIST.filter(([, pattern]) => pattern.test(words)).map(([sign]) => sign)
}
// Object.entries forgets the names of keys.
const SIGN_LIST = Object.entries(SIGNS) as readonly (readonly [Sign, RegExp])[]

// Microseconds: a character in which a key is looked for, a stretch that is judged, and its characters.
const SEARCHED = 0.02
const A_STRETCH = 4
const JUDGED = 0.1
