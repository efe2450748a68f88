// Finds instructions to the model that people do not see: in the comments of documents and in hidden
// elements. Also finds scripts that change the instructions or the permissions of an agent.

import type { Steps } from '../../../lib/steps.ts'
import { CONCEALMENT, SECRET_TERMS, SEND_TERMS } from './intent-terms.ts'
import { SIGNS } from './instruction-signs.ts'
import type { ScanReport } from '../report.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

const CHECKED_MAX_CHARS = 4_000
/** Beginnings of text that is not displayed. */
const HIDDEN_TEXT_START =
  /<!--|<\w{1,12}(?=\s)[^>\n]{0,200}(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0(?![.\d])|\shidden(?=[\s>=]))[^>\n]{0,100}>|^\[(?:\/\/|comment)\]:\s?(?:#|<>)\s/gim
const MODEL_TERMS =
  /\b(?:assistants?|agents?|models?|claude|gpt|gemini|llms?|ai|when this skill|you (?:must|should|are|will)|system (?:note|prompt|message))\b/i
const TRANSFER_TERMS =
  /\b(?:add|append|include|insert|put|encode|copy|read|send|post|upload|forward|attach|submit|report)\b/i
const CANCELS_INSTRUCTIONS =
  /\b(?:ignore|disregard|forget|override)\b[^\n]{0,40}\b(?:instructions?|prompts?|rules|system)\b/i
const RUN_TERMS = /\b(?:run|execute|fetch|download)\b/i

// Costs in microseconds: per comment, and per character of a comment.
const COMMENT_US = 5
const CHAR_US = 0.2

export function* checkHiddenOrders(source: Source, report: ScanReport): Steps<void> {
  if (source.language !== 'markdown' || source.text === null) return
  const { text } = source
  const work = startWork()
  const hiddenStart = new RegExp(HIDDEN_TEXT_START)
  const commentLines: string[] = []
  let firstOffset = -1
  for (let hit = hiddenStart.exec(text); hit; hit = hiddenStart.exec(text)) {
    const from = hit.index + hit[0].length
    const close = hit[0] === '<!--' ? '-->' : hit[0].startsWith('<') ? '</' : '\n'
    const end = text.indexOf(close, from)
    const comment = text.slice(from, Math.min(end < 0 ? text.length : end, from + CHECKED_MAX_CHARS))
    if (work.countWork(COMMENT_US + comment.length * CHAR_US)) yield work.report()
    if (hit[0].startsWith('[') && commentLines.length < COMMENT_LINES_MAX) {
      commentLines.push(
        comment.replace(/\)\s*$/, '').replace(/^\s*\(?\s*(?:assistant|agent|model|claude|ai)\s?:/i, ''),
      )
      if (firstOffset < 0) firstOffset = hit.index
    }
    if (isOrder(comment.replace(/\s+/g, ' ')))
      report.add(
        'declaration-hidden-orders',
        source.path,
        source.lineAt(hit.index),
        'Instructions to the model in a comment',
      )
    // Without an end, the rest of the text belongs to this comment.
    if (end < 0) break
    hiddenStart.lastIndex = Math.max(hiddenStart.lastIndex, end)
  }
  // An order may be split over several comments.
  if (commentLines.length > 1 && isOrder(`assistant: ${commentLines.join(' ')}`.replace(/\s+/g, ' ')))
    report.add(
      'declaration-hidden-orders',
      source.path,
      source.lineAt(firstOffset),
      'Instructions to the model in several comments',
    )
  yield work.report()
}

const COMMENT_LINES_MAX = 64

const SKILL_FOLDERS = /\.(?:claude|codex|agents|cursor|gemini|openclaw)["'\s,/\\)]{1,8}["']?skills\b/
const INSTRUCTION_FILES = /\b(?:SKILL|CLAUDE|AGENTS|GEMINI|MEMORY)\.md\b/
const APPENDS_TO_FILE =
  /\bopen\([^)\n]{0,60}["']a["']|\bappendFile(?:Sync)?\(|>>[^\n]{0,80}\.md\b|\btee\s{1,4}-a[^\n]{0,80}\.md\b/
const RUNS_DOWNLOAD = /\b(?:curl|wget)\b[^\n|]{0,200}\|\s{0,4}(?:sudo\s)?(?:ba|z)?sh\b/

/** Reports a script that adds orders to the instructions of other skills or of an agent. */
export function* checkPlantedOrders(source: Source, report: ScanReport): Steps<void> {
  const { language, text } = source
  if (text === null || language === 'markdown' || language === 'other') return
  yield text.length * SCRIPT_CHAR_US
  const offset = SKILL_FOLDERS.exec(text)?.index
  if (offset === undefined || !INSTRUCTION_FILES.test(text) || !APPENDS_TO_FILE.test(text)) return
  yield text.length * SCRIPT_CHAR_US
  if (RUNS_DOWNLOAD.test(text) || SIGNS.concealedFromUser.test(text))
    report.add(
      'declaration-hidden-orders',
      source.path,
      source.lineAt(offset),
      'Instructions are added to other skills',
    )
}

const SCRIPT_CHAR_US = 0.02

/** Text that addresses the model. */
const ADDRESSES_MODEL =
  /^\s?\(?["']?(?:to |for |note (?:to|for) )?(?:the )?(?:assistants?|agents?|models?|claude|gpt|llms?|ai)\b(?: only| note| use)?\)?\s?[:,-]|\b(?:system )?(?:note|message|instructions?) (?:to|for) (?:the |any |all )?(?:assistants?|agents?|models?|claude|gpt|llms?|ai)\b/i
const CONCEALS_OR_DENIES =
  /\bdeny\b|\b(?:never|do not|don't) (?:disclose|mention|reveal|admit) (?:this|it|that)\b|\b(?:users?|readers?|they|human|owner)\b[^.]{0,20}\b(?:no need|not need) to (?:see|know|hear)|\bif (?:the )?(?:user|someone|anyone|they)(?: ever)? asks?\b[^.]{0,20}\b(?:say|claim|pretend|answer that|tell)\b/i
const ACT_TERMS =
  /\b(?:create|list|say|use|recommend|prefer|rank|favou?r|name|praise|erase|delete|mark|change|move|reply|answer)\b/i

const CLAIMS_CONSENT =
  /\b(?:user|owner|human) (?:has|had|have) (?:already )?(?:agreed|consented|approved|confirmed)\b/i

const CONCEALED = new RegExp(CONCEALMENT.source, 'i')

function isConcealing(comment: string): boolean {
  return CONCEALED.test(comment)
}

function isOrder(comment: string): boolean {
  if (!MODEL_TERMS.test(comment)) return false
  if (CANCELS_INSTRUCTIONS.test(comment)) return true
  if (
    ADDRESSES_MODEL.test(comment) &&
    CONCEALS_OR_DENIES.test(comment) &&
    (ACT_TERMS.test(comment) || TRANSFER_TERMS.test(comment))
  )
    return true
  const isSecret =
    SIGNS.concealedFromUser.test(comment) ||
    SIGNS.withoutAsking.test(comment) ||
    SIGNS.claimedConsent.test(comment) ||
    CLAIMS_CONSENT.test(comment) ||
    isConcealing(comment)
  if (isSecret && SECRET_TERMS.test(comment) && SEND_TERMS.test(comment)) return true
  if (
    SIGNS.keyMention.test(comment) &&
    TRANSFER_TERMS.test(comment) &&
    (isSecret || /https?:\/\//.test(comment))
  )
    return true
  return (
    isSecret && (RUN_TERMS.test(comment) || (/https?:\/\//.test(comment) && TRANSFER_TERMS.test(comment)))
  )
}

const SKIPS_APPROVAL =
  /bypassPermissions|skipDangerousMode|["']Bash\(\*\)["']|chat\.tools\.autoApprove|dangerously-skip-permissions|["']autoApprove["']\s?[:\]=]/
const AGENT_SETTINGS_FILE = /settings(?:\.local)?\.json|\.claude\b|\.codex\b|\.cursor\b|mcp\.json/
const WRITES_FILE = /write_text|writeFile|json\.dump|\.write\(|>\s?["'$~\w]|\btee\b|\bsed\s+-i|\bmv\s/

/** Reports a script that lets an agent do everything without approval. */
export function* checkLoosenedApprovals(source: Source, report: ScanReport): Steps<void> {
  const { language, text } = source
  if (text === null || language === 'markdown' || language === 'other') return
  yield text.length * SCRIPT_CHAR_US
  const offset = SKIPS_APPROVAL.exec(text)?.index
  if (offset !== undefined && AGENT_SETTINGS_FILE.test(text) && WRITES_FILE.test(text))
    report.add(
      'shell-guard-off',
      source.path,
      source.lineAt(offset),
      'All tools are approved without the user seeing them',
    )
}
