// A program that somebody is to fetch and start by hand before the skill works: how malware travels with a harmless skill.
// Looks at what the instructions ask for, not at names: an archive and its password, a program from a page, a command that
// is copied from a page into a terminal.

import type { Steps } from '../../lib/steps.ts'
import { SKILL_MD_MAX_BYTES } from '../../limits.ts'
import { linesOf, stretchesOf } from './pieces.ts'
import { isGuarding } from './prose.ts'
import type { Report } from './report.ts'
import { pipedIntoShell } from './shell-pipes.ts'
import type { Source } from './source.ts'

const SECRET_WORD = '(?<![\\w/])(?:pass(?:word|code|phrase|wd)?|pw|pwd)\\b'
const TERMINAL = '(?:terminal|shell|console|powershell|command (?:line|prompt))\\b'
const COPIED = '\\b(?:copy|copies|paste|pastes)\\b'
const PROGRAM = '(?:exe|dmg|pkg|msi|scr|appimage)\\b'
const SIGNS = {
  archive: /\.(?:zip|rar|7z|tar\.gz|tgz)\b|\b(?:archive|zip|rar|7z)\b/i,
  password: new RegExp(`${SECRET_WORD}[ \\t*_)]{0,6}(?:[:=(\`"'“]|\\bis\\b|to (?:open|unlock|extract))`, 'i'),
  /** Both in one breath. */
  locked: new RegExp(
    `\\b(?:extract|unzip|unpack|decompress|open|unlock|archive|zip|rar|7z)\\b[^\\n]{0,80}${SECRET_WORD}[ \\t*_]{0,6}(?:[:=(\`"'“]|\\bis\\b|[A-Za-z]{0,20}\\d)|${SECRET_WORD}[ \\t*_]{0,6}(?:[:=]|is\\b)[^\\n]{0,60}\\b(?:extract|unzip|unpack|archive)|\\b(?:7z|7za|unzip|unrar)\\s[^\\n]{0,80}-[pP]\\s?[\\w"']`,
    'i',
  ),
  fetched: /\b(?:download|fetch|grab|get|install|obtain|curl|wget)(?:s|ed|ing)?\b/i,
  started: /\b(?:run|runs|running|execute|launch|start|double-click|install)\b/i,
  program: new RegExp(
    `\\b[\\w.-]{1,80}\\.(?:zip\\b|rar\\b|7z\\b|${PROGRAM})|https?://[^\\s)]{1,200}/releases\\b`,
    'i',
  ),
  runs: new RegExp(
    `\\b(?:run|runs|execute|launch|start|open|double-click)\\b[^\\n]{0,60}(?:\\b[\\w.-]{1,60}\\.(?:app|bat|${PROGRAM})|\\b(?:executable|installer|binary)\\b|\\b[\\w-]{0,40}(?:agent|tool|utility|driver|helper|service)\\b)`,
    'i',
  ),
  demanded:
    /\b(?:before (?:you )?(?:start|begin|us|run|install|proceed)|prerequisites?|must be (?:running|active|installed)|will not (?:work|function)|won'?t (?:work|function)|(?:cannot|can'?t) (?:work|function|run) without|is required|requires? (?:the|an?)|required|mandatory|critical|important)\b/i,
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

const WINDOW_LINES = 8
const LOCKED = 'declaration-locked-prerequisite'
const GUESS = 'declaration-download-prerequisite'

interface Verdict {
  readonly rule: typeof LOCKED | typeof GUESS
  /** The first is where it is told. */
  readonly signs: readonly [Sign, ...Sign[]]
  /** How far apart they may stand. */
  readonly lines: number
  readonly seen: string
}
const VERDICTS: readonly Verdict[] = [
  {
    rule: LOCKED,
    signs: ['password', 'archive', 'fetched', 'started'],
    lines: WINDOW_LINES,
    seen: 'A program in an archive with a password',
  },
  { rule: LOCKED, signs: ['pasteSite', 'byHand'], lines: 0, seen: 'A command to copy from a paste site' },
  { rule: GUESS, signs: ['locked'], lines: 0, seen: 'An archive with a password in the instructions' },
  { rule: GUESS, signs: ['pasteSite', 'installs'], lines: 0, seen: 'A script from a paste site' },
  {
    rule: GUESS,
    signs: ['byHand', 'command', 'page', 'demanded'],
    lines: 3,
    seen: 'A command to copy from a page',
  },
  {
    rule: GUESS,
    signs: ['program', 'fetched', 'runs', 'demanded'],
    lines: WINDOW_LINES,
    seen: 'A program to download and run by hand first',
  },
]

export function* prerequisitesIn(source: Source, report: Report): Steps<void> {
  const text = source.text ?? ''
  if (source.language !== 'markdown') return
  const last = new Map<Sign, number>()
  const found: { readonly verdict: Verdict; readonly at: number }[] = []
  let line = 0
  let units = 0
  for (const [whole] of linesOf(text.slice(0, SKILL_MD_MAX_BYTES))) {
    line++
    units += A_LINE
    // What warns of such a thing is not one; what is run as it comes is told of as that.
    if (isGuarding(whole) || pipedIntoShell(whole) !== null) continue
    for (const words of stretchesOf(whole)) {
      units += words.length * A_CHAR
      for (const sign of signsIn(words)) last.set(sign, line)
      if (units < TELL) continue
      yield units
      units = 0
    }
    for (const verdict of VERDICTS) {
      const [first] = verdict.signs
      if (verdict.signs.every((sign) => (last.get(sign) ?? -Infinity) >= line - verdict.lines))
        found.push({ verdict, at: last.get(first) ?? line })
    }
  }
  yield units
  const refused = found.filter(({ verdict }) => verdict.rule === LOCKED)
  for (const { verdict, at } of found)
    // A guess about what is refused beside it says nothing new.
    if (verdict.rule === LOCKED || !refused.some((one) => Math.abs(one.at - at) <= WINDOW_LINES))
      report.add(verdict.rule, source.path, at, verdict.seen)
}

function signsIn(words: string): readonly Sign[] {
  return SIGN_LIST.filter(([, pattern]) => pattern.test(words)).map(([sign]) => sign)
}
// Object.entries forgets the names of keys.
const SIGN_LIST = Object.entries(SIGNS) as readonly (readonly [Sign, RegExp])[]

// Microseconds.
const A_LINE = 4
const A_CHAR = 0.1
const TELL = 4_000
