// Characters that a person does not see and the model reads. Scripts and emoji that need them are let be.

import type { Report, Rule } from './report.ts'
import type { Source } from './source.ts'

const MEND = 'Delete these characters; an editor shows them when it renders invisible characters.'
const TAGS: Rule = {
  id: 'invisible-tag-characters',
  severity: 'error',
  why: 'such characters spell text that people do not see and the model reads.',
  mend: MEND,
}
const BIDI: Rule = {
  id: 'invisible-bidi-controls',
  severity: 'warning',
  why: 'text is shown in another order than it is read, so code and instructions can hide.',
  mend: MEND,
}
const ZERO_WIDTH: Rule = {
  id: 'invisible-characters',
  severity: 'warning',
  why: 'they hide text from people, or split a word so that a search does not find it.',
  mend: MEND,
}
const CONTROL: Rule = {
  id: 'invisible-control-characters',
  severity: 'warning',
  why: 'a terminal obeys them: text can be overwritten or coloured away.',
  mend: MEND,
}

// Several variation selectors in a row carry bytes, as tag characters do.
// Code units, not code points: quicker. Tags and the second set of variation selectors are D B40 + D C00…DDEF.
const SUSPECT = new RegExp(
  '[\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0]|\\uDB40[\\uDC00-\\uDDEF]|[\\uFE00-\\uFE0F]{3}',
  'g',
)
const CONTROLS = /(?![\t\n\f\r])\p{Cc}/gu
const JOINED = /[\u0590-\u1FFF\u2190-\u3299\uA000-\uABFF\uDC00-\uDFFF\uFB1D-\uFDFF\uFE70-\uFEFC©®]$|\uFE0F$/
const FLAG = '\u{1F3F4}'
const FLAG_MAX_UNITS = 14

export function hiddenTextIn(source: Source, report: Report): void {
  const text = source.text ?? ''
  // One finding a line and rule is all there is, so the rest of the line is passed over.
  const told = new Map<Rule, number>()
  const tell = (rule: Rule, found: string, at: number, what: string): void => {
    if (at < (told.get(rule) ?? 0) || report.isFull(rule, source.path)) return
    const newline = text.indexOf('\n', at)
    told.set(rule, newline < 0 ? text.length : newline)
    report.add(rule, source.path, source.lineAt(at), `${what} (${code(found)})`)
  }
  for (const match of text.matchAll(CONTROLS)) tell(CONTROL, match[0], match.index, 'A control character')
  // ASCII has one byte a character: nothing invisible in it but controls.
  if (text.length === source.bytes.byteLength) return
  for (const match of text.matchAll(SUSPECT)) {
    const rule = ruleFor(match[0], match.index, text)
    if (rule) tell(rule, match[0], match.index, 'An invisible character')
  }
}

function ruleFor(found: string, at: number, text: string): Rule | null {
  const unit = found.charCodeAt(0)
  const before = text.slice(Math.max(0, at - 2), at)
  if (unit === 0xdb40) return text.slice(Math.max(0, at - FLAG_MAX_UNITS), at).includes(FLAG) ? null : TAGS
  if (unit >= 0xfe00 && unit <= 0xfe0f) return TAGS
  if (unit === 0xfeff && at === 0) return null
  if ((unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069)) return BIDI
  // Joiners shape Arabic, Indic and emoji; direction marks stand beside right-to-left letters.
  if ((unit === 0x200c || unit === 0x200d) && JOINED.test(before)) return null
  if (
    (unit === 0x200e || unit === 0x200f || unit === 0x061c) &&
    /[\u0590-\u08FF]/.test(text.slice(at - 20, at + 20))
  )
    return null
  // Soft hyphens and Hangul fillers come with copied text; the latter look like nothing at all.
  return unit === 0x00ad ? null : ZERO_WIDTH
}

function code(found: string): string {
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
