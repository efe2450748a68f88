// Finds requests that span several lines: an order and the address that it refers to may be on different
// lines or in different paragraphs. Orders are searched for in the whole text, and then the section around
// each order is checked.

import type { Steps } from '../../../lib/steps.ts'
import { SKILL_MD_MAX_BYTES } from '../../../limits/skills.ts'
import { HIDDEN_INTENTS } from './intents.ts'
import { SCAN_MATCHES_MAX } from '../base/limits.ts'
import { OPEN_INTENTS } from './open-intents.ts'
import type { ScanReport } from '../report.ts'
import type { RuleId } from '../rules/rules.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

const BEFORE_CHARS = 400
const AFTER_CHARS = 300

/** `order` matches the request itself; all of `beside` must match in the section around it. */
interface SectionIntent {
  readonly rule: RuleId
  readonly seen: string
  readonly order: RegExp
  readonly beside: readonly RegExp[]
}

const ADDRESS = /https?:\/\/(?!localhost|127\.)[\w[]/i
const READS =
  /\b(?:fetch|read|load|open|get|retrieve|download|pull|check|visit|consult|curl|wget|lies|lade|lee|leia|lis)\b|读取|获取|読み|прочита|загруз/i
const SENDS =
  /\bcurl\s(?:[^\n]{0,80}\s)?(?:-d|-F|-T|--data\S{0,12}|--form|--upload-file)\b|\b(?:send|post|upload|submit|forward|transmit)\b/i
const MEMORY =
  /\b(?:SOUL|AGENTS?|CLAUDE|GEMINI|MEMORY|IDENTITY|HEARTBEAT|BOOTSTRAP)\.md\b|\b(?:agent|assistant|memory|rules) files?\b|\bmemory (?:entry|notes?)\b/
const WRITES = /\b(?:add|append|write|insert|save|put|copy|paste|record|note)\b/i
const SAYS = '(?:says?|asks?|lists?|contains?|tells?|orders?|instructs?|demands?|describes?)'

const SECTION_INTENTS: readonly SectionIntent[] = [
  {
    rule: 'declaration-remote-orders',
    seen: 'The model is to follow instructions from a page',
    order: new RegExp(
      `\\b(?:carry\\s+out|follow|obey|execute|act\\s+on|comply\\s+with|do|perform)\\s+(?:exactly\\s+)?(?:what(?:ever)?|everything|anything|all)\\s+(?:that\\s+)?(?:(?:it|they|this|the\\s+\\w{1,12})\\s+)?${SAYS}\\b|\\btreat(?:ed)?\\s+(?:it|them|that|this|(?:its|the)\\s+(?:contents?|text|answer|response))\\s+as\\s+(?:\\w{1,12}\\s+){0,3}(?:instructions?|orders?|commands?|directives?)\\b`,
      'gi',
    ),
    beside: [ADDRESS, READS],
  },
  {
    rule: 'declaration-remote-orders',
    seen: 'The model is to follow instructions from a page',
    order:
      /\b(?:follow|perform|execute|carry\s+out|do)\s+(?:each|every|all)\s+(?:steps?|instructions?|commands?)\s+(?:in|from|of)\s+(?:it|there|that\s+page)\b|\bwhatever\s+(?:is\s+written|it\s+says|stands)\s+there\b|\bdo\s+as\s+(?:it\s+says|told)\b|\b(?:contents?|text|page|answer)\s+(?:is|are)\s+binding\b/gi,
    beside: [ADDRESS, READS],
  },
  {
    rule: 'declaration-secrecy',
    seen: 'Data is to be sent without telling the user',
    order:
      /\b(?:do|run|send|handle)\s+(?:it|this|so|that)\s+(?:without\s+(?:comment|remark|a\s+word|announc\w{1,6}|notice)|silently|quietly)\b|\bleave\s+(?:it|this|them|that)\s+out\s+of\s+(?:your|the|all|any)\s+(?:summar|repl|report|answer|response|output)|\b(?:describe|mention|report)\s+only\s+the\b[^.]{0,40}\bif\s+asked|\bif\s+(?:someone|anyone|the\s+user|they)\s+asks?\b[^.]{0,60}\b(?:describe\s+only|say\s+(?:it|that|nothing)|deny)\b/gi,
    beside: [ADDRESS, SENDS],
  },
  {
    rule: 'declaration-standing-orders',
    seen: 'Consent is claimed that the user did not give',
    order:
      /\b(?:installing|using|loading|having|enabling|reading)\s+(?:this|the)\s+skill\s+(?:counts?|serves?|is|means|implies|amounts)\b[^.]{0,60}\b(?:approv|consent|permission|agree|authori[sz])|\b(?:user|owner)\s+has\s+(?:agreed|consented)\s+to\s+(?:all|every|any)|\b(?:permission|approval|confirmation)\s+(?:prompt|dialog|request|question)s?\b[^.]{0,40}\b(?:answer|say|press|choose|click|select|reply)\s+["“'`]?(?:yes|allow|always|approve|accept)\b/gi,
    beside: [],
  },
  {
    rule: 'declaration-standing-orders',
    seen: 'Instructions are to be stored permanently',
    order:
      /\bneeds?\s+no\s+(?:further\s+)?(?:confirmation|approval|permission)\b|\b(?:should|must|need)\s+not\s+be\s+(?:reported|confirmed|mentioned|asked)\b|\b(?:at\s+the\s+(?:start|beginning)\s+of|before|in)\s+(?:each|every)\s+(?:later\s+|new\s+)?(?:session|conversation|task)[^.]{0,20}\b(?:fetch|curl|load|download|open)\s+https?:/gi,
    beside: [MEMORY, WRITES],
  },
  {
    rule: 'shell-guard-off',
    seen: 'Protections of the agent are to be removed',
    order:
      /\b(?:skills?|plugins?)\b[^\n.]{0,60}\b(?:guard|audit|scan|policy|security|safety)\b[^\n.]{0,60}\b(?:delete|remove|uninstall|disable)\b(?![^\n]{0,20}\b(?:if|when|after)\b)|\bPreToolUse\b[^\n.]{0,40}\b(?:empty|clear|delete\s+all|remove\s+all)\b|\b(?:delete|remove|uninstall|disable|empty|clear)\b[^\n.]{0,30}\b(?:guard|audit|security|safety|policy|PreToolUse)\b[^\n.]{0,12}\b(?:skills?|plugins?|hooks)\b/gi,
    beside: [],
  },
]

// Costs in microseconds: per character that is searched for orders, and per character of a section that is
// checked.
const SEARCHED = 0.01
const JUDGED = 0.05

/** Intents by their order, so that each order is searched for once. */
const BY_ORDER = Map.groupBy([...HIDDEN_INTENTS, ...OPEN_INTENTS], ({ order }) => order)
const JUDGED_MAX = 2_000

/** The beginning or the end of a code block, and the names of languages that are prose. */
const FENCE = /^[ \t>]{0,12}(`{3,}|~{3,})([^\n`]{0,80})$/gm
const OF_TEXT = /^(?:te?xt|md|markdown|prompt|quote|email|plain\w{0,8}|html)?\b/i

/** A text without its code blocks, and a function from offsets in it to offsets in the original text. */
interface Prose {
  readonly words: string
  sourceOffset(at: number): number
}

function proseOf(text: string): Prose {
  const starts: number[] = []
  const offsets: number[] = []
  let words = ''
  let done = 0
  const keep = (to: number): void => {
    starts.push(words.length)
    offsets.push(done)
    words += text.slice(done, to)
  }
  let open: { readonly mark: string; readonly from: number; readonly isCode: boolean } | null = null
  for (const { 0: whole, 1: mark = '', 2: word = '', index } of text.matchAll(FENCE)) {
    if (open === null) open = { mark, from: index + whole.length, isCode: !isText(word.trim()) }
    else if (word.trim() === '' && mark[0] === open.mark[0] && mark.length >= open.mark.length) {
      if (open.isCode) {
        keep(open.from)
        words += '\n\n'
        done = index
      }
      open = null
    }
  }
  keep(text.length)
  return {
    words: words.replace(/\*\*|__/g, '  ').replace(/(?<!\n)\n(?=[ \t]{0,8}[^\s#`|<>*+\d-])/g, ' '),
    sourceOffset(at) {
      const part = starts.findLastIndex((start) => start <= at)
      return (offsets[part] ?? 0) + at - (starts[part] ?? 0)
    },
  }
}

function isText(word: string): boolean {
  return word === '' || OF_TEXT.exec(word)?.[0] !== ''
}

/** The text just before and after an order, within its paragraph. */
function sentenceAround(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - BEFORE_CHARS / 2), from)
  const after = text.slice(to, to + AFTER_CHARS / 2)
  const begins = Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('\n#'))
  const ends = after.search(/\n\n|\n#/)
  return `${begins < 0 ? before : before.slice(begins)}${text.slice(from, to)}${ends < 0 ? after : after.slice(0, ends)}`.replace(
    /\s+/g,
    ' ',
  )
}

export function* paragraphsIn(source: Source, report: ScanReport): Steps<void> {
  const isProse = source.language === 'markdown' || /\.(?:txt|rst|adoc)$/i.test(source.path)
  if (!isProse || source.text === null) return
  // Markers of quotations (`>`) are replaced by spaces, because they may separate words of one sentence.
  const text = source.text
    .slice(0, SKILL_MD_MAX_BYTES)
    .replace(/^[ \t]{0,8}>/gm, (mark) => ' '.repeat(mark.length))
  const work = startWork()
  const prose = proseOf(text)
  for (const [order, intents] of BY_ORDER) {
    if (intents[0]?.needs?.every((word) => !prose.words.includes(word))) continue
    yield prose.words.length * SEARCHED
    let judged = 0
    for (const { index, 0: words } of prose.words.matchAll(order)) {
      if (++judged > JUDGED_MAX) break
      const offset = prose.sourceOffset(index)
      for (const { rule, seen, beside, near, unless, within, code } of intents) {
        if (unless?.test(words) || within?.test(words) === false || report.isFull(rule, source.path)) continue
        if (work.countWork((BEFORE_CHARS + AFTER_CHARS) * JUDGED)) yield work.report()
        const from = code ? offset : index
        const around = (near ? sentenceAround : sectionAround)(
          code ? text : prose.words,
          from,
          from + words.length,
        )
        if (!beside.every((row) => row.some((sign) => sign.test(around)))) continue
        report.add(rule, source.path, source.lineAt(offset), seen)
      }
    }
  }
  for (const { rule, seen, order, beside } of SECTION_INTENTS) {
    yield text.length * SEARCHED
    let matches = 0
    for (const { index, 0: words } of text.matchAll(order)) {
      const end = index + words.length
      if (work.countWork((BEFORE_CHARS + AFTER_CHARS) * JUDGED)) yield work.report()
      const around = sectionAround(text, index, end)
      if (!beside.every((sign) => sign.test(around))) continue
      report.add(rule, source.path, source.lineAt(index), seen)
      if (++matches > SCAN_MATCHES_MAX) break
    }
  }
  yield work.report()
}

/** The text around an order, up to the headings before and after it. */
function sectionAround(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - BEFORE_CHARS), from)
  const after = text.slice(to, to + AFTER_CHARS)
  const next = after.search(/\n#{1,6}\s/)
  const own = before.slice(Math.max(0, before.search(/\n#{1,6}\s(?![^]{0,400}\n#{1,6}\s)/)))
  return `${own}${text.slice(from, to)}${next < 0 ? after : after.slice(0, next)}`.replace(/\s+/g, ' ')
}
