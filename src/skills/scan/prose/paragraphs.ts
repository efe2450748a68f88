// Finds requests that span several lines: an order and the address that it refers to may be on different
// lines or in different paragraphs. Orders are searched for in the whole text, and then the section around
// each order is checked.

import type { Steps } from '../../../lib/steps.ts'
import { SKILL_MD_MAX_BYTES } from '../../../limits/skills.ts'
import { HIDDEN_INTENTS } from './intents.ts'
import { SCAN_LISTED_MATCHES_MAX } from '../base/limits.ts'
import { OPEN_INTENTS } from './open-intents.ts'
import type { ScanReport } from '../report.ts'
import type { RuleId } from '../rules/rules.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

const BEFORE_CHARS = 400
const AFTER_CHARS = 300

/** `order` matches the request itself; all of `context` must match in the section around it. */
interface SectionIntent {
  readonly rule: RuleId
  readonly summary: string
  readonly order: RegExp
  readonly context: readonly RegExp[]
}

const EXTERNAL_ADDRESS = /https?:\/\/(?!localhost|127\.)[\w[]/i
const READ_TERMS =
  /\b(?:fetch|read|load|open|get|retrieve|download|pull|check|visit|consult|curl|wget|lies|lade|lee|leia|lis)\b|读取|获取|読み|прочита|загруз/i
const SEND_TERMS =
  /\bcurl\s(?:[^\n]{0,80}\s)?(?:-d|-F|-T|--data\S{0,12}|--form|--upload-file)\b|\b(?:send|post|upload|submit|forward|transmit)\b/i
const MEMORY_FILES =
  /\b(?:SOUL|AGENTS?|CLAUDE|GEMINI|MEMORY|IDENTITY|HEARTBEAT|BOOTSTRAP)\.md\b|\b(?:agent|assistant|memory|rules) files?\b|\bmemory (?:entry|notes?)\b/
const WRITE_TERMS = /\b(?:add|append|write|insert|save|put|copy|paste|record|note)\b/i
const SAY_VERBS = '(?:says?|asks?|lists?|contains?|tells?|orders?|instructs?|demands?|describes?)'

const SECTION_INTENTS: readonly SectionIntent[] = [
  {
    rule: 'declaration-remote-orders',
    summary: 'The text asks the model to follow instructions from a page',
    order: new RegExp(
      `\\b(?:carry\\s+out|follow|obey|execute|act\\s+on|comply\\s+with|do|perform)\\s+(?:exactly\\s+)?(?:what(?:ever)?|everything|anything|all)\\s+(?:that\\s+)?(?:(?:it|they|this|the\\s+\\w{1,12})\\s+)?${SAY_VERBS}\\b|\\btreat(?:ed)?\\s+(?:it|them|that|this|(?:its|the)\\s+(?:contents?|text|answer|response))\\s+as\\s+(?:\\w{1,12}\\s+){0,3}(?:instructions?|orders?|commands?|directives?)\\b`,
      'gi',
    ),
    context: [EXTERNAL_ADDRESS, READ_TERMS],
  },
  {
    rule: 'declaration-remote-orders',
    summary: 'The text asks the model to follow instructions from a page',
    order:
      /\b(?:follow|perform|execute|carry\s+out|do)\s+(?:each|every|all)\s+(?:steps?|instructions?|commands?)\s+(?:in|from|of)\s+(?:it|there|that\s+page)\b|\bwhatever\s+(?:is\s+written|it\s+says|stands)\s+there\b|\bdo\s+as\s+(?:it\s+says|told)\b|\b(?:contents?|text|page|answer)\s+(?:is|are)\s+binding\b/gi,
    context: [EXTERNAL_ADDRESS, READ_TERMS],
  },
  {
    rule: 'declaration-secrecy',
    summary: 'The text asks to send data without telling the user',
    order:
      /\b(?:do|run|send|handle)\s+(?:it|this|so|that)\s+(?:without\s+(?:comment|remark|a\s+word|announc\w{1,6}|notice)|silently|quietly)\b|\bleave\s+(?:it|this|them|that)\s+out\s+of\s+(?:your|the|all|any)\s+(?:summar|repl|report|answer|response|output)|\b(?:describe|mention|report)\s+only\s+the\b[^.]{0,40}\bif\s+asked|\bif\s+(?:someone|anyone|the\s+user|they)\s+asks?\b[^.]{0,60}\b(?:describe\s+only|say\s+(?:it|that|nothing)|deny)\b/gi,
    context: [EXTERNAL_ADDRESS, SEND_TERMS],
  },
  {
    rule: 'declaration-standing-orders',
    summary: 'Consent is claimed that the user did not give',
    order:
      /\b(?:installing|using|loading|having|enabling|reading)\s+(?:this|the)\s+skill\s+(?:counts?|serves?|is|means|implies|amounts)\b[^.]{0,60}\b(?:approv|consent|permission|agree|authori[sz])|\b(?:user|owner)\s+has\s+(?:agreed|consented)\s+to\s+(?:all|every|any)|\b(?:permission|approval|confirmation)\s+(?:prompt|dialog|request|question)s?\b[^.]{0,40}\b(?:answer|say|press|choose|click|select|reply)\s+["“'`]?(?:yes|allow|always|approve|accept)\b/gi,
    context: [],
  },
  {
    rule: 'declaration-standing-orders',
    summary: 'The text asks to store instructions permanently',
    order:
      /\bneeds?\s+no\s+(?:further\s+)?(?:confirmation|approval|permission)\b|\b(?:should|must|need)\s+not\s+be\s+(?:reported|confirmed|mentioned|asked)\b|\b(?:at\s+the\s+(?:start|beginning)\s+of|before|in)\s+(?:each|every)\s+(?:later\s+|new\s+)?(?:session|conversation|task)[^.]{0,20}\b(?:fetch|curl|load|download|open)\s+https?:/gi,
    context: [MEMORY_FILES, WRITE_TERMS],
  },
  {
    rule: 'shell-guard-off',
    summary: "The text asks to remove the agent's protections",
    order:
      /\b(?:skills?|plugins?)\b[^\n.]{0,60}\b(?:guard|audit|scan|policy|security|safety)\b[^\n.]{0,60}\b(?:delete|remove|uninstall|disable)\b(?![^\n]{0,20}\b(?:if|when|after)\b)|\bPreToolUse\b[^\n.]{0,40}\b(?:empty|clear|delete\s+all|remove\s+all)\b|\b(?:delete|remove|uninstall|disable|empty|clear)\b[^\n.]{0,30}\b(?:guard|audit|security|safety|policy|PreToolUse)\b[^\n.]{0,12}\b(?:skills?|plugins?|hooks)\b/gi,
    context: [],
  },
]

// Costs in microseconds: per character that is searched for orders, and per character of a section that is
// checked.
const SEARCHED_CHAR_US = 0.01
const CHECKED_CHAR_US = 0.05

/** Intents by their order, so that each order is searched for once. */
const INTENTS_BY_ORDER = Map.groupBy([...HIDDEN_INTENTS, ...OPEN_INTENTS], ({ order }) => order)
const ORDERS_CHECKED_MAX = 2_000

/** The beginning or the end of a code block, and the names of languages that are prose. */
const FENCE = /^[ \t>]{0,12}(`{3,}|~{3,})([^\n`]{0,80})$/gm
const TEXT_LANGUAGE = /^(?:te?xt|md|markdown|prompt|quote|email|plain\w{0,8}|html)?\b/i

/** A text without its code blocks, and a function from offsets in it to offsets in the original text. */
interface Prose {
  readonly proseText: string
  sourceOffset(proseOffset: number): number
}

function extractProse(text: string): Prose {
  const starts: number[] = []
  const offsets: number[] = []
  let proseText = ''
  let copiedUntil = 0
  const append = (to: number): void => {
    starts.push(proseText.length)
    offsets.push(copiedUntil)
    proseText += text.slice(copiedUntil, to)
  }
  let openFence: { readonly fence: string; readonly from: number; readonly isCode: boolean } | null = null
  for (const { 0: fenceLine, 1: fence = '', 2: languageTag = '', index } of text.matchAll(FENCE)) {
    if (openFence === null)
      openFence = { fence, from: index + fenceLine.length, isCode: !isText(languageTag.trim()) }
    else if (
      languageTag.trim() === '' &&
      fence[0] === openFence.fence[0] &&
      fence.length >= openFence.fence.length
    ) {
      if (openFence.isCode) {
        append(openFence.from)
        proseText += '\n\n'
        copiedUntil = index
      }
      openFence = null
    }
  }
  append(text.length)
  return {
    proseText: proseText.replace(/\*\*|__/g, '  ').replace(/(?<!\n)\n(?=[ \t]{0,8}[^\s#`|<>*+\d-])/g, ' '),
    sourceOffset(proseOffset) {
      const part = starts.findLastIndex((start) => start <= proseOffset)
      return (offsets[part] ?? 0) + proseOffset - (starts[part] ?? 0)
    },
  }
}

function isText(languageTag: string): boolean {
  return languageTag === '' || TEXT_LANGUAGE.exec(languageTag)?.[0] !== ''
}

/** The text just before and after an order, within its paragraph. */
function sentenceAround(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - BEFORE_CHARS / 2), from)
  const after = text.slice(to, to + AFTER_CHARS / 2)
  const startIndex = Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('\n#'))
  const endIndex = after.search(/\n\n|\n#/)
  return `${startIndex < 0 ? before : before.slice(startIndex)}${text.slice(from, to)}${endIndex < 0 ? after : after.slice(0, endIndex)}`.replace(
    /\s+/g,
    ' ',
  )
}

export function* checkParagraphs(source: Source, report: ScanReport): Steps<void> {
  const isProse = source.language === 'markdown' || /\.(?:txt|rst|adoc)$/i.test(source.path)
  if (!isProse || source.text === null) return
  // Markers of quotations (`>`) are replaced by spaces, because they may separate words of one sentence.
  const text = source.text
    .slice(0, SKILL_MD_MAX_BYTES)
    .replace(/^[ \t]{0,8}>/gm, (marker) => ' '.repeat(marker.length))
  const work = startWork()
  const prose = extractProse(text)
  for (const [order, intents] of INTENTS_BY_ORDER) {
    if (intents[0]?.keywords?.every((keyword) => !prose.proseText.includes(keyword))) continue
    yield prose.proseText.length * SEARCHED_CHAR_US
    let checkedCount = 0
    for (const { index, 0: matchedOrder } of prose.proseText.matchAll(order)) {
      if (++checkedCount > ORDERS_CHECKED_MAX) break
      const offset = prose.sourceOffset(index)
      for (const { rule, summary, context, inSentence, mustNotMatch, mustMatch, includesCode } of intents) {
        if (
          mustNotMatch?.test(matchedOrder) ||
          mustMatch?.test(matchedOrder) === false ||
          report.isFull(rule, source.path)
        )
          continue
        if (work.countWork((BEFORE_CHARS + AFTER_CHARS) * CHECKED_CHAR_US)) yield work.report()
        const from = includesCode ? offset : index
        const around = (inSentence ? sentenceAround : sectionAround)(
          includesCode ? text : prose.proseText,
          from,
          from + matchedOrder.length,
        )
        if (!context.every((row) => row.some((pattern) => pattern.test(around)))) continue
        report.add(rule, source.path, source.lineAt(offset), summary)
      }
    }
  }
  for (const { rule, summary, order, context } of SECTION_INTENTS) {
    yield text.length * SEARCHED_CHAR_US
    let matches = 0
    for (const { index, 0: matchedOrder } of text.matchAll(order)) {
      const end = index + matchedOrder.length
      if (work.countWork((BEFORE_CHARS + AFTER_CHARS) * CHECKED_CHAR_US)) yield work.report()
      const around = sectionAround(text, index, end)
      if (!context.every((pattern) => pattern.test(around))) continue
      report.add(rule, source.path, source.lineAt(index), summary)
      if (++matches > SCAN_LISTED_MATCHES_MAX) break
    }
  }
  yield work.report()
}

/** The text around an order, up to the headings before and after it. */
function sectionAround(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - BEFORE_CHARS), from)
  const after = text.slice(to, to + AFTER_CHARS)
  const nextHeading = after.search(/\n#{1,6}\s/)
  const sectionStart = before.slice(Math.max(0, before.search(/\n#{1,6}\s(?![^]{0,400}\n#{1,6}\s)/)))
  return `${sectionStart}${text.slice(from, to)}${nextHeading < 0 ? after : after.slice(0, nextHeading)}`.replace(
    /\s+/g,
    ' ',
  )
}
