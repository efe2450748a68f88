// Shell code, wherever it stands: scripts, fences of Markdown files, and strings of other programs.

import type { Steps } from '../../lib/steps.ts'
import { SCAN_PIECE_CHARS } from '../../limits.ts'
import type { CodeUnit } from './fences.ts'
import { linesOf } from './pieces.ts'
import type { Report, Rule } from './report.ts'
import { followDownloads } from './shell-downloads.ts'
import {
  EXFIL,
  FORK_BOMB,
  isForkBomb,
  isReverseShell,
  PIPE_SHELL,
  REVERSE_SHELL,
  shellLine,
} from './shell-lines.ts'
import type { Source } from './source.ts'

export const SHELL_ANCHOR =
  '\\/dev\\/(?:tcp|udp)\\/|\\b(?:nc|ncat|netcat)\\s|:\\s{0,4}\\(\\s{0,4}\\)\\s{0,4}\\{'

/** Scripts and fences, line by line, and what only several lines together show. */
export function* shellIn(source: Source, units: readonly CodeUnit[], report: Report): Steps<void> {
  for (const unit of units) if (unit.language === 'shell') yield* shellUnit(source, unit, report)
}

function* shellUnit(source: Source, unit: CodeUnit, report: Report): Steps<void> {
  // Continued lines are one command; two blanks keep every offset where it was.
  const code = (source.text ?? '')
    .slice(unit.from, unit.to)
    .replace(/\\\r?\n/g, (join) => ' '.repeat(join.length))
  const runsDownload = followDownloads()
  let accounts: number | null = null
  let sends = false
  let lines = 0
  for (const [line, offset] of linesOf(code)) {
    if (++lines % LINES_AT_ONCE === 0) yield LINES_AT_ONCE * A_LINE
    const command = withoutComment(line)
    if (command === '') continue
    for (const [rule, seen] of shellLine(command))
      report.add(graded(rule, source), source.path, source.lineAt(unit.from + offset), seen)
    if (runsDownload(command))
      report.add(PIPE_SHELL, source.path, source.lineAt(unit.from + offset), 'A download is run as a script')
    if (/\/etc\/(?:passwd|shadow)(?![\w-])/.test(command)) accounts ??= unit.from + offset
    sends ||= /(?:^|[\s;|&(`])(?:curl|wget|nc|ncat|netcat|scp)\s/.test(command)
  }
  if (accounts !== null && sends)
    report.add(
      graded(EXFIL, source),
      source.path,
      source.lineAt(accounts),
      '/etc/passwd or /etc/shadow beside a sender',
    )
}

const LINES_AT_ONCE = 1_024
// Microseconds.
const A_LINE = 2

/** Patterns that mean the same in any text. What is neither a script nor the skill itself only mentions them. */
export function shellWordsIn(piece: string, at: number, source: Source, report: Report): void {
  if (source.language === 'shell') return
  const line = source.lineAt(at)
  if (isForkBomb(piece)) report.add(mentioned(FORK_BOMB, source), source.path, line, 'A fork bomb')
  if (source.language !== 'markdown' && isReverseShell(piece))
    report.add(mentioned(REVERSE_SHELL, source), source.path, line, 'The words of a reverse shell')
}

// A fence in SKILL.md is as good as a script: the model runs it. Other documents are read first.
function graded(rule: Rule, source: Source): Rule {
  const runs = source.language === 'shell' || source.isSkill
  return rule.severity === 'error' && !runs ? { ...rule, severity: 'warning' } : rule
}

function mentioned(rule: Rule, source: Source): Rule {
  return source.language === 'markdown' && !source.isSkill ? { ...rule, severity: 'warning' } : rule
}

/** The command of a line; '' for a comment. Quotes are not followed: a `#` after a blank begins a comment. */
function withoutComment(line: string): string {
  const command = line.slice(0, SCAN_PIECE_CHARS).trim().replace(/^\$ /, '')
  if (command.startsWith('#')) return ''
  const comment = command.indexOf(' #')
  return comment < 0 || /["'`]/.test(command.slice(0, comment)) ? command : command.slice(0, comment)
}
