// Finds characters that the model reads but people do not see. Ignores them in writing systems and emoji that
// need them.

import type { Steps } from '../../../lib/steps.ts'
import type { ScanReport } from '../report.ts'
import type { RuleId } from '../rules/rules.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

// Three or more consecutive variation selectors can encode bytes, as tag characters can. For speed, the
// pattern matches code units. Tags and the second set of variation selectors are DB40 + DC00…DDEF.
const SUSPECT = new RegExp(
  '[\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0]|\\uDB40[\\uDC00-\\uDDEF]|[\\uFE00-\\uFE0F]{3}',
  'g',
)
const CONTROLS = /(?![\t\n\f\r])\p{Cc}/gu
const JOINED = /[\u0590-\u1FFF\u2190-\u3299\uA000-\uABFF\uDC00-\uDFFF\uFB1D-\uFDFF\uFE70-\uFEFC©®]$|\uFE0F$/
const FLAG = '\u{1F3F4}'
const FLAG_MAX_UNITS = 14

// Measured costs in microseconds: per match, and per match that is reported.
const A_HIT = 0.1
const A_FINDING = 5

export function* hiddenTextIn(source: Source, report: ScanReport): Steps<void> {
  const { path, text } = source
  if (text === null) return
  // Each rule is reported once per line, so the rest of the line is skipped.
  const tell = (rule: RuleId, found: string, at: number, what: string): number => {
    report.add(rule, path, source.lineAt(at), `${what} (${code(found)})`)
    const newline = text.indexOf('\n', at)
    return newline < 0 ? text.length : newline
  }
  // NULs are searched in the bytes because `text` omits them. Text in another encoding may contain many, so
  // it is skipped.
  const nul = text.includes('\uFFFD') ? -1 : source.bytes.indexOf(0)
  if (nul >= 0)
    report.add(
      'invisible-control-characters',
      path,
      linesTo(source.bytes, nul),
      'A control character (U+0000)',
    )
  const controls = new RegExp(CONTROLS)
  for (let hit = controls.exec(text); hit; hit = controls.exec(text)) {
    if (report.isFull('invisible-control-characters', path)) break
    yield A_FINDING
    controls.lastIndex = tell('invisible-control-characters', hit[0], hit.index, 'A control character')
  }
  // Text with one byte per character is ASCII, in which only control characters are invisible.
  if (text.length === source.bytes.byteLength) return
  const reported = new Map<RuleId, number>()
  let lone = 0
  const work = startWork()
  for (const { 0: found, index: at } of text.matchAll(SUSPECT)) {
    if (work.countWork(A_HIT)) yield work.report()
    const rule = ruleFor(found, at, text)
    // Between spaces, a single character hides nothing and splits no word; it was probably copied with a
    // text. Many of them may encode data.
    if (rule === 'invisible-characters' && isLone(text, at) && ++lone <= LONE_MAX) continue
    if (!rule || at < (reported.get(rule) ?? 0)) continue
    if (work.countWork(A_FINDING)) yield work.report()
    // After a rule has reached its maximum, only the one that is an error ends the search.
    if (!report.isFull(rule, path)) reported.set(rule, tell(rule, found, at, 'An invisible character'))
    else if (rule === 'invisible-tag-characters') break
    else reported.set(rule, text.length)
  }
  yield work.report()
}

const LONE_MAX = 8

function isLone(text: string, at: number): boolean {
  return /^\s?$/.test(text.slice(Math.max(0, at - 1), at)) && /^\s?$/.test(text.slice(at + 1, at + 2))
}

function ruleFor(found: string, at: number, text: string): RuleId | null {
  const unit = found.charCodeAt(0)
  const before = text.slice(Math.max(0, at - 2), at)
  if (unit === 0xdb40)
    return text.slice(Math.max(0, at - FLAG_MAX_UNITS), at).includes(FLAG) ? null : 'invisible-tag-characters'
  if (unit >= 0xfe00 && unit <= 0xfe0f) return 'invisible-tag-characters'
  if (unit === 0xfeff && at === 0) return null
  if ((unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069))
    return 'invisible-bidi-controls'
  // Joiners are needed in Arabic, Indic scripts and emoji; direction marks are needed next to right-to-left
  // letters.
  if ((unit === 0x200c || unit === 0x200d) && JOINED.test(before)) return null
  if (
    (unit === 0x200e || unit === 0x200f || unit === 0x061c) &&
    /[\u0590-\u08FF]/.test(text.slice(at - 20, at + 20))
  )
    return null
  // Soft hyphens are common in copied text.
  return unit === 0x00ad ? null : 'invisible-characters'
}

function linesTo(bytes: Uint8Array, end: number): number {
  let line = 1
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < end; at = bytes.indexOf(0x0a, at + 1)) line++
  return line
}

function code(found: string): string {
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
