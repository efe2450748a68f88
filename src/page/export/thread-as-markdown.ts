// A thread as Markdown: questions as quotes, answers as they were written, the names of files, and receipts. Pure.

import type { ThreadInfo } from '../../thread/api.ts'
import { formatSize } from '../lib/format.ts'
import { answerOf } from '../run/answer.ts'
import { nameOf } from '../run/files.ts'
import { receiptRows, type ReceiptRow } from '../run/receipt-rows.ts'
import { hasEnded } from '../run/state.ts'
import type { Turn } from '../state/chat/turn.ts'

export interface MarkdownThread {
  readonly title: string
  readonly thread: Pick<ThreadInfo, 'id' | 'created_at' | 'updated_at'>
  readonly turns: readonly Turn[]
}

export function threadAsMarkdown({ title, thread, turns }: MarkdownThread): string {
  const head = `Thread ${codeSpan(thread.id)}, ${minutes(thread.created_at)} to ${minutes(thread.updated_at)}`
  return `${[`# ${escaped(title)}`, head, ...turns.flatMap(turnParts)].join('\n\n')}\n`
}

function turnParts(turn: Turn): readonly string[] {
  const { text, files } = turn.question.peek()
  const run = turn.run.peek()
  const answer = answerOf(run.items)
  const parts = [
    '## You',
    quoted(text),
    fileLine(files.map(({ path, bytes }) => ({ path, bytes }))),
    '## Satchel',
    withClosedFence(answer),
    run.error ? `The run failed: ${escaped(run.error.detail)}` : '',
    hasEnded(run) ? '' : 'This answer was not complete when the thread was exported.',
    fileLine(run.artifacts.map(({ path, bytes }) => ({ path, bytes }))),
    run.receipt && hasEnded(run) ? receiptTable(receiptRows(run, run.receipt)) : '',
  ]
  return parts.filter((part) => part !== '')
}

/** A quote keeps open fences and headings of a question from changing what follows. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

function fileLine(files: readonly { readonly path: string; readonly bytes: number | null }[]): string {
  if (files.length === 0) return ''
  const names = files.map(
    ({ path, bytes }) => codeSpan(nameOf(path)) + (bytes === null ? '' : ` (${formatSize(bytes)})`),
  )
  return `Files: ${names.join(', ')}`
}

function receiptTable(rows: readonly ReceiptRow[]): string {
  const lines = rows.map(({ name, lines: values }) => {
    const texts = values.map(({ text, code }) =>
      [escaped(text), code === undefined ? '' : codeSpan(code)].filter(Boolean).join(' '),
    )
    return `| ${name} | ${texts.join('; ').replaceAll('|', '\\|')} |`
  })
  return ['| Receipt | |', '|---|---|', ...lines].join('\n')
}

/** The answer with its last code fence closed, which a limit may have cut off. */
function withClosedFence(answer: string): string {
  let fence: string | null = null
  for (const line of answer.split('\n')) {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (marks === '') continue
    if (fence === null) fence = marks
    else if (marks.startsWith(fence) && rest.trim() === '') fence = null
  }
  return fence === null ? answer.trim() : `${answer.trim()}\n${fence}`
}

/** One line of plain text in which nothing is Markdown. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>#~&]/g, '\\$&')
    .trim()
}

/** A code span that may contain backticks. */
function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((marks) => marks.length))
  const marks = '`'.repeat(longest + 1)
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${marks}${gap}${line}${gap}${marks}`
}

/** A time in UTC, to the minute. */
function minutes(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
