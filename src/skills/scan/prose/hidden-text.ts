// Finds characters that the model reads but people do not see. Ignores them in writing systems and emoji that
// need them.

import type { Steps } from '../../../lib/steps.ts'
import type { ScanReport } from '../report.ts'
import type { RuleId } from '../rules/rules.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

// Three or more consecutive variation selectors can encode bytes, as tag characters can. For speed, the
// pattern matches code units. Tags and the second set of variation selectors are DB40 + DC00…DDEF.
const INVISIBLE_CHARACTER = new RegExp(
  '[\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0]|\\uDB40[\\uDC00-\\uDDEF]|[\\uFE00-\\uFE0F]{3}',
  'g',
)
const CONTROLS = /(?![\t\n\f\r])\p{Cc}/gu
const NEEDS_JOINER =
  /[\u0590-\u1FFF\u2190-\u3299\uA000-\uABFF\uDC00-\uDFFF\uFB1D-\uFDFF\uFE70-\uFEFC©®]$|\uFE0F$/
const FLAG = '\u{1F3F4}'
const FLAG_MAX_UNITS = 14

// Measured costs in microseconds: per match, and per match that is reported.
const HIT_US = 0.1
const FINDING_US = 5

export function* checkHiddenText(source: Source, report: ScanReport): Steps<void> {
  const { path, text } = source
  if (text === null) return
  // Each rule is reported once per line, so the rest of the line is skipped.
  const reportLine = (rule: RuleId, character: string, offset: number, description: string): number => {
    report.add(rule, path, source.lineAt(offset), `${description} (${codePointName(character)})`)
    const newline = text.indexOf('\n', offset)
    return newline < 0 ? text.length : newline
  }
  // NULs are searched in the bytes because `text` omits them. Text in another encoding may contain many, so
  // it is skipped.
  const nulOffset = text.includes('\uFFFD') ? -1 : source.bytes.indexOf(0)
  if (nulOffset >= 0)
    report.add(
      'invisible-control-characters',
      path,
      lineOfByte(source.bytes, nulOffset),
      'A control character (U+0000)',
    )
  const controls = new RegExp(CONTROLS)
  for (let hit = controls.exec(text); hit; hit = controls.exec(text)) {
    if (report.isFull('invisible-control-characters', path)) break
    yield FINDING_US
    controls.lastIndex = reportLine('invisible-control-characters', hit[0], hit.index, 'A control character')
  }
  // Text with one byte per character is ASCII, in which only control characters are invisible.
  if (text.length === source.bytes.byteLength) return
  const reported = new Map<RuleId, number>()
  let loneCount = 0
  const work = startWork()
  for (const { 0: character, index: offset } of text.matchAll(INVISIBLE_CHARACTER)) {
    if (work.countWork(HIT_US)) yield work.report()
    const rule = ruleFor(character, offset, text)
    // Between spaces, a single character hides nothing and splits no word; it was probably copied with a
    // text. Many of them may encode data.
    if (rule === 'invisible-characters' && isLone(text, offset) && ++loneCount <= LONE_CHARS_MAX) continue
    if (!rule || offset < (reported.get(rule) ?? 0)) continue
    if (work.countWork(FINDING_US)) yield work.report()
    // When a rule reaches its maximum number of findings, the search ends only for the rule that is an error.
    if (!report.isFull(rule, path))
      reported.set(rule, reportLine(rule, character, offset, 'An invisible character'))
    else if (rule === 'invisible-tag-characters') break
    else reported.set(rule, text.length)
  }
  yield work.report()
}

const LONE_CHARS_MAX = 8

function isLone(text: string, offset: number): boolean {
  return (
    /^\s?$/.test(text.slice(Math.max(0, offset - 1), offset)) &&
    /^\s?$/.test(text.slice(offset + 1, offset + 2))
  )
}

function ruleFor(character: string, offset: number, text: string): RuleId | null {
  const codeUnit = character.charCodeAt(0)
  const textBefore = text.slice(Math.max(0, offset - 2), offset)
  if (codeUnit === 0xdb40)
    return text.slice(Math.max(0, offset - FLAG_MAX_UNITS), offset).includes(FLAG)
      ? null
      : 'invisible-tag-characters'
  if (codeUnit >= 0xfe00 && codeUnit <= 0xfe0f) return 'invisible-tag-characters'
  if (codeUnit === 0xfeff && offset === 0) return null
  if ((codeUnit >= 0x202a && codeUnit <= 0x202e) || (codeUnit >= 0x2066 && codeUnit <= 0x2069))
    return 'invisible-bidi-controls'
  // Joiners are needed in Arabic, Indic scripts and emoji; direction marks are needed next to right-to-left
  // letters.
  if ((codeUnit === 0x200c || codeUnit === 0x200d) && NEEDS_JOINER.test(textBefore)) return null
  if (
    (codeUnit === 0x200e || codeUnit === 0x200f || codeUnit === 0x061c) &&
    /[\u0590-\u08FF]/.test(text.slice(offset - 20, offset + 20))
  )
    return null
  // Soft hyphens are common in copied text.
  return codeUnit === 0x00ad ? null : 'invisible-characters'
}

function lineOfByte(bytes: Uint8Array, end: number): number {
  let line = 1
  for (
    let offset = bytes.indexOf(0x0a);
    offset >= 0 && offset < end;
    offset = bytes.indexOf(0x0a, offset + 1)
  )
    line++
  return line
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
