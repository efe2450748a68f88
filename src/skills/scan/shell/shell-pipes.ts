// Detects text that a line passes directly to a shell or another interpreter. Follows only pipes and
// substitutions.

import { moreSevere, originOfHosts, originOfCommand } from './shell-origin.ts'
import type { Origin } from './shell-origin.ts'

const SHELL_NAME = '(?:\\/[\\w/.-]{1,40}\\/)?(?:ba|z|da|k|a)?sh'
const COMMAND_PREFIX =
  '(?:(?:sudo|doas|exec|nohup|command)\\s{1,4}(?:-\\S{1,20}\\s{1,4}){0,3})?(?:(?:\\/usr\\/bin\\/)?env\\s{1,4})?(?:\\w{1,40}=\\S{0,80}\\s{1,4}){0,4}'
// An interpreter without arguments runs its input as a program. With -c, -e, -m or a file, its input is data.
const INTERPRETER =
  '(?:\\/[\\w/.-]{1,40}\\/)?(?:python[\\d.]{0,5}|pypy3?|node|nodejs|perl|ruby|php|bun|deno\\s{1,4}run|osascript)'
const INTERPRETS_INPUT = new RegExp(
  `^\\s{0,8}${COMMAND_PREFIX}(?:["']?\\$\\{?(?:0|SHELL|BASH)\\b\\}?|${SHELL_NAME}(?=$|[\\s"'\`;&|)<>*\\\\])|${INTERPRETER}(?:\\s{1,4}(?:-[uBIsESOq]{1,5}|--(?!eval|print|check|version)[\\w=-]{1,40})){0,4}(?:\\s{1,4}-(?=[\\s"')\`;|&*]|$)|\\s{0,8}(?=$|[;&|)"'\`}*.,]))|(?:[iI][eE][xX]|[iI]nvoke-[eE]xpression)\\b)`,
)
const OPERATOR = /\|\||&&|;|\|&?/g
const SUBSTITUTION_RUN = new RegExp(
  `(?<![\\w./-])(?:${SHELL_NAME}|${INTERPRETER})\\s{1,4}(?:-\\w{1,4}\\s{1,4})?(?:<<<\\s{0,4}|<\\s{1,4})?["']?(?:<\\(|\\$\\()|(?:(?<![\\w./-])(?:${SHELL_NAME}|${INTERPRETER})\\s{1,4}-[ce]\\s{1,4}|\\beval\\s{1,4})["']?(?:\\$\\(|\`)|(?:\\bsource|(?<=^|\\s)\\.)\\s{1,4}(?:/dev/stdin\\s{0,4}<<<\\s{0,4}["']?\\$\\(|["']?<\\()|\\b(?:iex|Invoke-Expression)\\s{0,4}(?=["'($&+])|\\[scriptblock\\]::Create\\s?(?=\\()`,
  'gi',
)
/** Interpreters whose argument may be a program that decodes or downloads the rest of itself. */
const INTERPRETER_CALL = /\b(?:python[\d.]{0,5}|node|perl|ruby|php)\s/
const DECODES_ITSELF =
  /\b(?:exec|eval)\b[^\n]{0,200}\b(?:b64decode|atob|decode64|decode_base64|base64_decode|Buffer\.from|fromhex|unhexlify|unpack\s?\(?["']u)|\b(?:system|popen|Popen|run|call|check_output|exec|execSync|spawnSync|Function)\s?\([\w.( ]{0,40}\b(?:b64decode|atob|decode64|decode_base64|base64_decode|Buffer\.from|fromhex|unhexlify)\b/
const DOWNLOADS_ITSELF =
  /\b(?:exec|eval)\b[^\n]{0,200}\b(?:urlopen|urlretrieve|requests\.get|https?\.get|fetch|URI\.open|Net::HTTP\.get|file_get_contents|open)\s?\(?\s?(?:URI\()?["'\w]|\beval\b[^\n]{0,40}(?<![\w-])get\s?\(?["']https?:|\b(?:fetch|https?\.get)\s?\([^\n]{0,200}(?:\b|\()(?:eval|Function)\b/
const ENCODED_COMMAND =
  /\b(?:exec|eval)\s?\([\w.( ]{0,80}\b(?:b64decode|atob|fromhex|unhexlify)\s?\(\s?b?["'][A-Za-z0-9+/=]{20}|\b(?:powershell|pwsh)(?:\.exe)?\s[^\n]{0,120}-e(?:nc|ncodedcommand)?\s{1,4}["']?[A-Za-z0-9+/=]{40}|["'](?:ba|z|da)?sh["']\s{0,4},\s{0,4}(?:\[\s{0,4})?["']-c["'][^\n]{0,120}\b(?:b64decode|atob|Buffer\.from)\b/i
/** Windows programs that run the content of an address. */
const RUNS_ADDRESS =
  /\b(?:mshta|regsvr32|rundll32)(?:\.exe)?\s[^\n\])(]{0,120}(?:https?:\/\/[\w[]|javascript:|(?<=[\s"'=,])\\\\\w)|\bwmic\b[^\n]{0,120}\/format:["']?https?:\/\/[\w[]|\bmsiexec(?:\.exe)?\s[^\n]{0,80}https?:\/\/[\w[]/i
/** How many characters of a substitution, or after a pipe, are checked. */
const COMMAND_MAX_CHARS = 400

/** The most severe origin of the text that a line, or a segment of a very long line, runs; null if it runs none. */
export function pipedIntoShell(line: string): Origin | null {
  let worst = moreSevere(originOfPipes(line), originOfSubstitutions(line))
  if (/["']/.test(line)) worst = moreSevere(worst, originOfPipes(withoutQuotedOperators(line)))
  if (RUNS_ADDRESS.test(line))
    worst = moreSevere(worst, /\bmsiexec/i.test(line) ? originOfHosts(line) : 'bare')
  if (INTERPRETER_CALL.test(line) && DOWNLOADS_ITSELF.test(line))
    worst = moreSevere(worst, originOfHosts(line))
  return worst
}

export function isSelfDecoded(segment: string): boolean {
  if (INTERPRETER_CALL.test(segment) && DECODES_ITSELF.test(segment)) return true
  return ENCODED_COMMAND.test(
    segment.replace(WINDOWS_ENCODED, (match, text: string) => (isBareName(text) ? ' ' : match)),
  )
}

const WINDOWS_ENCODED = /-e(?:nc|ncodedcommand)?\s{1,4}["']?([A-Za-z0-9+/=]{40,400})/gi

/** True for an encoded name of a single command, as in sample logs. Without arguments, it does no harm. */
function isBareName(base64: string): boolean {
  try {
    return /^[A-Z][a-z]{2,12}-[A-Za-z]{3,20}$/.test(atob(base64).replaceAll('\0', ''))
  } catch {
    return false
  }
}

const LITERAL_OUTPUT = /^\s{0,8}(?:[({]\s{0,4})?(?:echo|printf)\s(?![^|\n]{0,200}\$)[^|\n]{0,40}\w/
const PLACEHOLDER_OUTPUT =
  /(?:^|[\s`("'])(?:echo|printf)\s(?:-\w{1,2}\s)?["']?(?:<[\w -]{1,40}>|\.{3}|…|[A-Z_]{4,20})["']?\s{0,4}$/
const TEXT_FILTER = /^\s{0,8}(?:tr|rev|tac|sed|cut|fold|awk)\s?/

function originOfPipes(line: string): Origin | null {
  let worst: Origin | null = null
  let pipedOrigin: Origin | null = null
  let from = 0
  let isPiped = false
  let isLiteral = false
  let isPlaceholder = false
  for (const operator of [...line.matchAll(OPERATOR), null]) {
    const command = line.slice(from, operator?.index ?? line.length)
    if (!isPiped) pipedOrigin = null
    // If a filter changes a literal text before a shell runs it, a reader does not see what runs.
    else if (isLiteral && TEXT_FILTER.test(command)) pipedOrigin = 'decoded'
    else if (pipedOrigin !== null && INTERPRETS_INPUT.test(command.slice(0, COMMAND_MAX_CHARS)))
      worst = moreSevere(worst, pipedOrigin)
    // A placeholder in an example is not a program.
    if (!isPiped || !isPlaceholder) pipedOrigin = moreSevere(pipedOrigin, originOfCommand(command))
    isPlaceholder = (isPiped && isPlaceholder) || PLACEHOLDER_OUTPUT.test(command)
    isLiteral = (isPiped && isLiteral) || LITERAL_OUTPUT.test(command)
    if (!operator) break
    isPiped = operator[0] === '|' || operator[0] === '|&'
    from = operator.index + operator[0].length
  }
  return worst
}

/** Replaces operators inside quotation marks, which do not join commands. */
function withoutQuotedOperators(line: string): string {
  return line.replace(/(?<=[\s=(])(?:"[^"\n]*"|'[^'\n]*')/g, (quotation) => quotation.replace(/[;&|]/g, '_'))
}

function originOfSubstitutions(line: string): Origin | null {
  let worst: Origin | null = null
  const pattern = new RegExp(SUBSTITUTION_RUN)
  for (let hit = pattern.exec(line); hit; hit = pattern.exec(line)) {
    const from = hit.index + hit[0].length
    const inside = line.slice(from, from + COMMAND_MAX_CHARS)
    const end = /^(?:i|\[)/i.test(hit[0]) ? -1 : inside.search(/[)`]/)
    const command = end < 0 ? inside : inside.slice(0, end)
    worst = moreSevere(moreSevere(worst, originOfCommand(command)), originOfPipes(`${command} | sh`))
    // Skipping ahead keeps the work linear when many substitutions overlap.
    pattern.lastIndex = from + COMMAND_MAX_CHARS / 4
  }
  return worst
}
