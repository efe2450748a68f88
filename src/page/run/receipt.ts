// Formats what a run used as one line under its answer. receipt-rows.ts has the table that it opens. Pure.

import type { Receipt } from '../../agent/events.ts'
import { counted } from '../../lib/counted.ts'
import { formatCents, formatDuration } from '../lib/format.ts'

/** Maximum number of skills listed by name in the line. If there are more, only their number is shown. */
const NAMED_SKILLS_MAX = 2

/** The line under an answer, such as "incident-report · 2 skill files read · $0.01 · 3.1 s". */
export function summaryOf(receipt: Receipt): string {
  const names = receipt.skills.map(({ name }) => name)
  const files = skillFilesOf(receipt).length
  const calls = receipt.tools.reduce((sum, tool) => sum + tool.calls, 0)
  const parts = [
    ...(names.length > NAMED_SKILLS_MAX ? [counted(names.length, 'skill')] : names),
    files > 0 ? `${counted(files, 'skill file')} read` : null,
    names.length === 0 && calls > 0 ? counted(calls, 'tool call') : null,
    billOf(receipt),
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

/** The end of that line: "$0.01 · 3.1 s". */
export function billOf(receipt: Receipt): string {
  const totalMs = elapsedMs(receipt)
  const cost = shortCost(receipt.charged)
  return totalMs === null ? cost : `${cost} · ${formatDuration(totalMs)}`
}

/** The cost in cents. An upper bound is rounded up, so that it stays one. */
function shortCost({ usd, estimated }: Receipt['charged']): string {
  return estimated ? `at most ${formatCents(Math.ceil(usd * 100) / 100)}` : formatCents(usd)
}

/** The files of skills that were read. */
export function skillFilesOf({ skills }: Receipt): readonly string[] {
  return skills.flatMap((skill) => skill.resources.map((path) => `${skill.name}/${path}`))
}

/** The time in ms from the message to the end of the run, or null if the run has not ended. */
export function elapsedMs({ accepted_at, ended_at }: Receipt): number | null {
  return ended_at === null ? null : Date.parse(ended_at) - Date.parse(accepted_at)
}
