// Rules about shell code anywhere: in scripts, in code blocks of Markdown files, and in strings of other
// programs.

import type { Steps } from '../../../lib/steps.ts'
import { SCAN_LINE_MAX_CHARS } from '../base/limits.ts'
import type { CodeRange } from '../fences.ts'
import { linesOf, segmentsOf } from '../base/pieces.ts'
import { warnsAgainst, isExampleAt } from '../base/prose.ts'
import type { ScanReport } from '../report.ts'
import { followConnections, isReverseShell } from './reverse-shell.ts'
import { RULES } from '../rules/rules.ts'
import { isOnlyData } from './only-data.ts'
import type { RuleId } from '../rules/rules.ts'
import { followAssembledNames, isDisguised } from './shell-disguise.ts'
import { followDownloads } from './shell-downloads.ts'
import {
  followCopies,
  followDumps,
  isForkBomb,
  findPipedRun,
  checkShellLine,
  findingFor,
} from './shell-lines.ts'
import { isSelfDecoded } from './shell-pipes.ts'
import { followUnlocked } from './shell-unlocked.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'

export const SHELL_ANCHOR =
  '\\/dev\\/(?:tcp|udp)\\/|\\b(?:nc|ncat|netcat|socat|mkfifo|dup2|fsockopen|TCPSocket|TCPClient)\\b|:\\s{0,4}\\(\\s{0,4}\\)\\s{0,4}\\{|\\|&?\\s{0,8}(?:[\\w/.-]{1,40}\\s{1,4}){0,3}[\\w/.-]{0,40}sh\\b|\\|\\s{0,8}(?:sudo\\s|/\\S{1,40}/)?(?:python|node|perl|ruby|php|osascript|iex|Invoke-Exp)|[<$]\\(\\s{0,4}(?:curl|wget|echo|printf|base64)|b64decode|decode_base64|decode64|base64_decode|fromhex|unhexlify|\\(\\s?(?:0,\\s?)?eval\\s?\\)|urlopen|Buffer\\.from|atob\\(|\\$\\{?IFS|\\|\\s{0,8}(?:rev|tac)\\b|\\b(?:mshta|regsvr32|rundll32|wmic|msiexec)(?:\\.exe)?\\s|-[eE](?:nc\\w{0,20})?\\s{1,4}["\']?[A-Za-z0-9+/=]{40}|\\b(?:iex|Invoke-Expression)\\b'
/** The start of a download. The pipe may follow much later on the line. */
export const DOWNLOAD_ANCHOR = '\\b(?:curl|wget)\\s'

/** Checks scripts and code blocks line by line, including what only several lines together reveal. */
export function* checkShell(source: Source, blocks: readonly CodeRange[], report: ScanReport): Steps<void> {
  for (const block of blocks)
    if (block.language === 'shell' || block.language === 'windows')
      yield* checkShellBlock(source, block, report)
}

function* checkShellBlock(source: Source, block: CodeRange, report: ScanReport): Steps<void> {
  // Continued lines are one command. Spaces replace the line breaks to keep all offsets.
  const code = (source.text ?? '')
    .slice(block.from, block.to)
    .replace(block.language === 'shell' ? /\\\r?\n/g : /[`^]\r?\n/g, (join) => ' '.repeat(join.length))
  const runsDownload = followDownloads()
  const connectsShell = followConnections()
  const runsAssembledName = followAssembledNames()
  const sendsDump = followDumps()
  const sendsCopy = followCopies()
  const startsUnlocked = followUnlocked()
  let accountsOffset: number | null = null
  let sendsData = false
  const work = startWork()
  for (const [line, offset] of linesOf(code)) {
    if (work.countWork(LINE_US)) yield work.report()
    const command = withoutComment(line)
    if (command === '') continue
    const textOffset = block.from + offset
    const reportLine = ([rule, summary]: readonly [RuleId, string]): void =>
      report.add(rule, source.path, source.lineAt(textOffset), summary)
    const isLong = command.length > SCAN_LINE_MAX_CHARS
    if (!isLong) findPipedRun(command).forEach(reportLine)
    for (const segment of segmentsOf(command)) {
      if (isLong) findPipedRun(segment).forEach(reportLine)
      const origin = runsDownload(segment)
      if (origin !== null) reportLine(findingFor(origin))
      if (work.countWork(segment.length * CHAR_US)) yield work.report()
      if (block.language === 'windows') continue
      if (sendsDump(segment))
        reportLine(['shell-sensitive-exfil', 'The environment is sent over the network'])
      if (sendsCopy(segment)) reportLine(['shell-keys-sent', 'A copy of a key file is sent over the network'])
      if (startsUnlocked(segment))
        reportLine([
          'declaration-locked-prerequisite',
          'A file extracted from an archive with a password is started',
        ])
      if (connectsShell(segment)) reportLine(['shell-reverse-shell', 'A shell is connected to the network'])
      if (runsAssembledName(segment))
        reportLine(['shell-decoded-command', 'A command name is assembled from parts'])
      checkShellLine(segment).forEach(reportLine)
      if (/\/etc\/(?:passwd|shadow)(?![\w-])/.test(segment)) accountsOffset ??= textOffset
      sendsData ||= /(?:^|[\s;|&(`])(?:curl|wget|nc|ncat|netcat|scp)\s/.test(segment)
    }
  }
  yield work.report()
  if (accountsOffset !== null && sendsData)
    report.add(
      'shell-sensitive-exfil',
      source.path,
      source.lineAt(accountsOffset),
      '/etc/passwd or /etc/shadow in a script that sends data',
    )
}

// Costs in microseconds: per line, and per character of a line.
const LINE_US = 2
const CHAR_US = 0.05

/**
 * Applies the rules whose patterns have the same meaning in any text. `inShell` is true if the text was already
 * checked as a command.
 */
export function checkShellTerms(
  piece: string,
  textOffset: number,
  inShell: boolean,
  source: Source,
  report: ScanReport,
): void {
  if (source.language === 'shell' || inShell) return
  const add = (rule: RuleId, summary: string): void => {
    const isExample = warnsAgainst(piece) || isExampleAt(source.text ?? '', textOffset)
    const defaultMethod = isOnlyData(source) ? 'addData' : 'add'
    const method = source.language === 'markdown' && isExample ? 'addExample' : defaultMethod
    report[method](rule, source.path, source.lineAt(textOffset), summary)
  }
  if (isForkBomb(piece)) add('resource-fork-bomb', 'A fork bomb')
  if (isReverseShell(piece)) add('shell-reverse-shell', 'A reverse shell')
  const reported = findPipedRun(source.language === 'markdown' ? withoutColumns(piece) : piece)
  // A download from a named host counts only with its address; without one, the text merely mentions a
  // download.
  for (const [rule, summary] of reported)
    if (RULES[rule].severity === 'error' || /https:\/\/\w/.test(piece)) add(rule, summary)
  if (
    reported.length === 0 &&
    (isSelfDecoded(piece) || (source.language === 'markdown' && isDisguised(piece)))
  )
    add('shell-decoded-command', 'A program that decodes itself')
}

/** Replaces the column separators of a table row, so that only escaped bars remain as pipes. */
function withoutColumns(line: string): string {
  if (!/^\s{0,20}\|/.test(line)) return line
  return line.replace(/(?<!\\)\|/g, ';').replaceAll('\\|', '|')
}

/**
 * The command on a line, or '' for a comment. Quotes are not parsed: ` #` begins a comment unless a quote
 * precedes it.
 */
function withoutComment(line: string): string {
  const command = line
    .replace(/[ \t]{2,}/g, ' ')
    .trim()
    .replace(/^[$%>] /, '')
  if (command.startsWith('#')) return ''
  const comment = command.indexOf(' #')
  return comment < 0 || /["'`]/.test(command.slice(0, comment)) ? command : command.slice(0, comment)
}
