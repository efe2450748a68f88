// Finds instructions to the model that people do not see: in the comments of documents and in hidden
// elements. Also finds scripts that change the instructions or the permissions of an agent.

import type { Steps } from '../../../lib/steps.ts'
import { CONCEALS, SECRETS, SENDS } from './intent-terms.ts'
import { SIGNS } from './instruction-signs.ts'
import type { ScanReport } from '../report.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

const JUDGED_CHARS = 4_000
/** Beginnings of text that is not displayed. */
const HIDES =
  /<!--|<\w{1,12}(?=\s)[^>\n]{0,200}(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0(?![.\d])|\shidden(?=[\s>=]))[^>\n]{0,100}>|^\[(?:\/\/|comment)\]:\s?(?:#|<>)\s/gim
const MODEL =
  /\b(?:assistants?|agents?|models?|claude|gpt|gemini|llms?|ai|when this skill|you (?:must|should|are|will)|system (?:note|prompt|message))\b/i
const CARRIES =
  /\b(?:add|append|include|insert|put|encode|copy|read|send|post|upload|forward|attach|submit|report)\b/i
const CANCELS =
  /\b(?:ignore|disregard|forget|override)\b[^\n]{0,40}\b(?:instructions?|prompts?|rules|system)\b/i
const RUNS = /\b(?:run|execute|fetch|download)\b/i

// Costs in microseconds: per comment, and per character of a comment.
const A_COMMENT = 5
const A_CHAR = 0.2

export function* hiddenOrdersIn(source: Source, report: ScanReport): Steps<void> {
  if (source.language !== 'markdown' || source.text === null) return
  const { text } = source
  const work = startWork()
  const hides = new RegExp(HIDES)
  const lines: string[] = []
  let first = -1
  for (let hit = hides.exec(text); hit; hit = hides.exec(text)) {
    const from = hit.index + hit[0].length
    const close = hit[0] === '<!--' ? '-->' : hit[0].startsWith('<') ? '</' : '\n'
    const end = text.indexOf(close, from)
    const words = text.slice(from, Math.min(end < 0 ? text.length : end, from + JUDGED_CHARS))
    if (work.countWork(A_COMMENT + words.length * A_CHAR)) yield work.report()
    if (hit[0].startsWith('[') && lines.length < LINES_MAX) {
      lines.push(
        words.replace(/\)\s*$/, '').replace(/^\s*\(?\s*(?:assistant|agent|model|claude|ai)\s?:/i, ''),
      )
      if (first < 0) first = hit.index
    }
    if (isOrder(words.replace(/\s+/g, ' ')))
      report.add(
        'declaration-hidden-orders',
        source.path,
        source.lineAt(hit.index),
        'Instructions to the model in a comment',
      )
    // Without an end, the rest of the text belongs to this comment.
    if (end < 0) break
    hides.lastIndex = Math.max(hides.lastIndex, end)
  }
  // An order may be split over several comments.
  if (lines.length > 1 && isOrder(`assistant: ${lines.join(' ')}`.replace(/\s+/g, ' ')))
    report.add(
      'declaration-hidden-orders',
      source.path,
      source.lineAt(first),
      'Instructions to the model in several comments',
    )
  yield work.report()
}

const LINES_MAX = 64

const SKILLS = /\.(?:claude|codex|agents|cursor|gemini|openclaw)["'\s,/\\)]{1,8}["']?skills\b/
const OTHERS = /\b(?:SKILL|CLAUDE|AGENTS|GEMINI|MEMORY)\.md\b/
const APPENDS =
  /\bopen\([^)\n]{0,60}["']a["']|\bappendFile(?:Sync)?\(|>>[^\n]{0,80}\.md\b|\btee\s{1,4}-a[^\n]{0,80}\.md\b/
const RUNS_DOWNLOAD = /\b(?:curl|wget)\b[^\n|]{0,200}\|\s{0,4}(?:sudo\s)?(?:ba|z)?sh\b/

/** Reports a script that adds orders to the instructions of other skills or of an agent. */
export function* plantedIn(source: Source, report: ScanReport): Steps<void> {
  const { language, text } = source
  if (text === null || language === 'markdown' || language === 'other') return
  yield text.length * PLANTED
  const at = SKILLS.exec(text)?.index
  if (at === undefined || !OTHERS.test(text) || !APPENDS.test(text)) return
  yield text.length * PLANTED
  if (RUNS_DOWNLOAD.test(text) || SIGNS.hushed.test(text))
    report.add(
      'declaration-hidden-orders',
      source.path,
      source.lineAt(at),
      'Instructions are added to other skills',
    )
}

const PLANTED = 0.02

/** Text that addresses the model. */
const ADDRESSED =
  /^\s?\(?["']?(?:to |for |note (?:to|for) )?(?:the )?(?:assistants?|agents?|models?|claude|gpt|llms?|ai)\b(?: only| note| use)?\)?\s?[:,-]|\b(?:system )?(?:note|message|instructions?) (?:to|for) (?:the |any |all )?(?:assistants?|agents?|models?|claude|gpt|llms?|ai)\b/i
const DENIES =
  /\bdeny\b|\b(?:never|do not|don't) (?:disclose|mention|reveal|admit) (?:this|it|that)\b|\b(?:users?|readers?|they|human|owner)\b[^.]{0,20}\b(?:no need|not need) to (?:see|know|hear)|\bif (?:the )?(?:user|someone|anyone|they)(?: ever)? asks?\b[^.]{0,20}\b(?:say|claim|pretend|answer that|tell)\b/i
const ACTS =
  /\b(?:create|list|say|use|recommend|prefer|rank|favou?r|name|praise|erase|delete|mark|change|move|reply|answer)\b/i

const AGREED =
  /\b(?:user|owner|human) (?:has|had|have) (?:already )?(?:agreed|consented|approved|confirmed)\b/i

const CONCEALED = new RegExp(CONCEALS.source, 'i')

function isConcealing(words: string): boolean {
  return CONCEALED.test(words)
}

function isOrder(words: string): boolean {
  if (!MODEL.test(words)) return false
  if (CANCELS.test(words)) return true
  if (ADDRESSED.test(words) && DENIES.test(words) && (ACTS.test(words) || CARRIES.test(words))) return true
  const quiet =
    SIGNS.hushed.test(words) ||
    SIGNS.silently.test(words) ||
    SIGNS.claimed.test(words) ||
    AGREED.test(words) ||
    isConcealing(words)
  if (quiet && SECRETS.test(words) && SENDS.test(words)) return true
  if (SIGNS.keysNamed.test(words) && CARRIES.test(words) && (quiet || /https?:\/\//.test(words))) return true
  return quiet && (RUNS.test(words) || (/https?:\/\//.test(words) && CARRIES.test(words)))
}

const LOOSENS =
  /bypassPermissions|skipDangerousMode|["']Bash\(\*\)["']|chat\.tools\.autoApprove|dangerously-skip-permissions|["']autoApprove["']\s?[:\]=]/
const SETTINGS = /settings(?:\.local)?\.json|\.claude\b|\.codex\b|\.cursor\b|mcp\.json/
const STORES = /write_text|writeFile|json\.dump|\.write\(|>\s?["'$~\w]|\btee\b|\bsed\s+-i|\bmv\s/

/** Reports a script that lets an agent do everything without approval. */
export function* loosenedIn(source: Source, report: ScanReport): Steps<void> {
  const { language, text } = source
  if (text === null || language === 'markdown' || language === 'other') return
  yield text.length * PLANTED
  const at = LOOSENS.exec(text)?.index
  if (at !== undefined && SETTINGS.test(text) && STORES.test(text))
    report.add(
      'shell-guard-off',
      source.path,
      source.lineAt(at),
      'All tools are approved without the user seeing them',
    )
}
