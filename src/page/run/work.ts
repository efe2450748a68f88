// Splits the rows of a run into its work, which folds into one line, and its answer. Pure.

import { counted } from '../../lib/counted.ts'
import { formatDuration, formatRoundedDuration } from '../lib/format.ts'
import type { Item } from './items.ts'
import { progressOf } from './progress.ts'
import { elapsedMs } from './receipt.ts'
import type { Row } from './rows.ts'
import { hasEnded, type RunState } from './state.ts'

/** Maximum number of skills named in the line. If there are more, only their number is shown. */
const NAMED_SKILLS_MAX = 2

/** Work: steps, thinking, notes and the text between them. Answer: the text after them, cards that wait for the user, and messages that joined. */
export interface SplitRows {
  readonly work: readonly Row[]
  readonly answer: readonly Row[]
}

export function splitRows(rows: readonly Row[], ended: boolean): SplitRows {
  const lastWork = rows.findLastIndex(isWork)
  const work = rows.filter((row, at) => at <= lastWork && !isCard(row))
  // Thinking alone already takes only one line.
  if (work.every((row) => row.kind === 'single' && row.item.kind === 'thinking') && work.length <= 1)
    return { work: [], answer: rows }
  const answer = rows.filter((row, at) => at > lastWork || isCard(row))
  // A run that was stopped during its work keeps the last text in view.
  const lastText = ended && !answer.some(isText) ? work.findLast(isText) : undefined
  return lastText
    ? { work: work.filter((row) => row !== lastText), answer: [lastText, ...answer] }
    : { work, answer }
}

/** Whether the rows already show the progress, so that no separate line is needed. */
export function showsProgress(rows: readonly Row[]): boolean {
  const last = rows.at(-1)
  const isThinking = last?.kind === 'single' && last.item.kind === 'thinking' && !last.item.done
  return isThinking || splitRows(rows, false).work.length > 0
}

/** A part of the line of folded work. A narrow screen has no room for skills. */
export interface WorkPart {
  readonly text: string
  readonly isSkill: boolean
}

/** The line of folded work, such as "Worked for 12 s · code-review · 6 tool calls"; while it continues, what the run is doing. */
export function workLine(run: RunState): readonly WorkPart[] {
  if (!hasEnded(run) && !isWriting(run)) return [fact(progressOf(run) ?? 'Working…')]
  const calls = run.items.filter((item) => item.kind === 'tool' && item.name !== 'ask_clarification')
  const failedCount = calls.filter((item) => item.kind === 'tool' && item.state === 'failed').length
  const skills = skillNames(run.items)
  const shownSkills = skills.length > NAMED_SKILLS_MAX ? [counted(skills.length, 'skill')] : skills
  return [
    fact(`Worked${elapsedText(run)}`),
    ...shownSkills.map((text) => ({ text, isSkill: true })),
    ...(calls.length > 0 ? [fact(counted(calls.length, 'tool call'))] : []),
    ...(failedCount > 0 ? [fact(`${failedCount} failed`)] : []),
  ]
}

function fact(text: string): WorkPart {
  return { text, isSkill: false }
}

/** Whether the answer is being written after the work. */
export function isWriting(run: RunState): boolean {
  const last = run.items.at(-1)
  return run.status === 'running' && run.retry === null && last?.kind === 'text' && !last.done
}

function isText(row: Row): boolean {
  return row.kind === 'single' && row.item.kind === 'text'
}

function isWork(row: Row): boolean {
  return row.kind === 'group' || (row.item.kind !== 'text' && !isCard(row))
}

/** Whether the row is a card that waits for the user, or waited for an answer in the next message, a message that joined, or a summary. */
function isCard(row: Row): boolean {
  if (row.kind === 'group') return false
  const { item } = row
  // A summary concerns the whole conversation.
  if (item.kind === 'steered' || (item.kind === 'note' && item.details !== null)) return true
  if (item.kind === 'approval') return item.decision === null
  return item.kind === 'tool' && item.name === 'ask_clarification' && item.state !== 'failed'
}

function skillNames(items: readonly Item[]): readonly string[] {
  const names = items.flatMap((item) => {
    if (item.kind === 'skill') return [item.skill.name]
    return item.kind === 'tool' && item.skill ? [item.skill.name] : []
  })
  return [...new Set(names)]
}

/** The duration in whole seconds, unless it is shorter than one second. */
function formatWorkTime(ms: number): string {
  return ms < 1000 ? formatDuration(ms) : formatRoundedDuration(ms)
}

/** How long the run took. Omitted if it waited for a person. */
function elapsedText({ receipt, copiedMs, items }: RunState): string {
  const ms = receipt ? elapsedMs(receipt) : copiedMs
  // The items of a stored run do not contain its approvals.
  const hasWaited =
    items.some(({ kind }) => kind === 'approval') ||
    (receipt?.approvals.some(({ remembered }) => remembered === undefined) ?? false)
  return ms === null || hasWaited ? '' : ` for ${formatWorkTime(ms)}`
}
