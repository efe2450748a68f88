// Formats a call that is waiting for approval, and parses the choice that the user types. Pure; decides
// nothing.

import { harmless, harmlessLine, paint } from '../lib/terminal.ts'
import { wrapWithBar, wrapHanging } from '../lib/wrap.ts'

import { localTime } from './local-time.ts'

import { shownToolName } from '../../src/client/call-text.ts'
import type { ApprovalChoice, ApprovalInfo } from '../../src/thread/approvals/api.ts'

/** A waiting call, taken from an event or from the list of pending approvals. */
export type ApprovalCard = Pick<
  ApprovalInfo,
  'tool_use_id' | 'name' | 'input' | 'request' | 'reason' | 'digest' | 'free' | 'expires_at'
>

/** The question below a card, and the short prompt that follows it: a terminal breaks a long prompt inside words. */
export const CHOICE_QUESTION =
  'Approve? [y]es, [n]o (a note may follow), yes for this [r]un, yes for this [t]hread'
export const CHOICE_PROMPT = 'y/n/r/t: '

/**
 * Shows what would be sent and where, with the server's masks and truncations. Each row fits into `columns`
 * and must be written unchanged. Text chosen by the model follows a bar, so that it cannot imitate Satchel's
 * own rows.
 */
export function cardLines(
  { name, input, request, reason, free, expires_at }: ApprovalCard,
  columns: number,
): readonly string[] {
  const plainRows = (text: string): readonly string[] =>
    wrapHanging(harmlessLine(text), columns, '  ', '    ')
  const quotedRows = (text: string): readonly string[] => wrapWithBar(harmless(text), columns, '  │ ')
  const warningRows = (text: string): readonly string[] =>
    wrapHanging(harmlessLine(text), columns, '  ! ').map((row) => paint('yellow', row))
  const freeFieldRows =
    free.length === 0
      ? []
      : warningRows(`if you approve for the run or thread, these fields may still change: ${free.join(', ')}`)
  const head = [
    ...wrapHanging(
      harmlessLine(`${shownToolName(name)} waits for your approval, until ${localTime(expires_at)}`),
      columns,
      '? ',
    ).map((row) => paint('bold', row)),
    ...plainRows(reason).map((row) => paint('dim', row)),
  ]
  if (request === null) {
    const text =
      input === null ? '(the input is too long to show here; see the page)' : JSON.stringify(input, null, 2)
    return [...head, ...quotedRows(text), ...freeFieldRows]
  }
  const { method, url, headers, body, notes } = request
  return [
    ...head,
    ...quotedRows(`${method} ${url}`),
    ...Object.entries(headers).flatMap(([key, value]) =>
      quotedRows(`${key}: ${value}`.replaceAll('\n', ' ')).map((row) => paint('dim', row)),
    ),
    ...(body === null ? [] : quotedRows(body)),
    ...notes.flatMap(warningRows),
    ...freeFieldRows,
  ]
}

/** The choice that the user typed, or null if it is not one of the choices. */
export function parseChoice(input: string): ApprovalChoice | null {
  const [, sign = '', note = ''] = /^(y|yes|r|run|t|thread|n|no)(?:[\s,:]+(.*))?$/is.exec(input.trim()) ?? []
  const letter = sign.charAt(0).toLowerCase()
  if (letter === 'n') return { decision: 'deny', note: note === '' ? null : note, remember: null }
  if (letter === '' || note !== '') return null
  const remember = letter === 'r' ? 'run' : letter === 't' ? 'thread' : null
  return { decision: 'approve', note: null, remember }
}
