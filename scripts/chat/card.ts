// A call that waits for a person, as lines of a terminal, and what the person may type. Pure; nothing here decides.

import { harmless, oneLine, paint } from '../lib/terminal.ts'

import type { ApprovalChoice, ApprovalInfo } from '../../src/thread/api.ts'

/** Of an event, or of the list of what waits. */
export type Card = Pick<
  ApprovalInfo,
  'tool_use_id' | 'name' | 'input' | 'request' | 'reason' | 'digest' | 'free' | 'expires_at'
>

export const CHOICES = 'Approve? [y]es, [n]o (a note may follow), yes for this [r]un, yes for this [t]hread: '

/** What would be sent and where, with the marks and cuts that the server made. */
export function cardLines({ name, input, request, reason, free, expires_at }: Card): readonly string[] {
  const head = [paint('bold', `? ${oneLine(name)} waits for your approval, until ${oneLine(expires_at)}`)]
  const why = paint('dim', `  ${oneLine(reason)}`)
  const open =
    free.length === 0
      ? []
      : [
          paint(
            'yellow',
            `  ! a yes for the run or thread leaves these fields open: ${oneLine(free.join(', '))}`,
          ),
        ]
  if (request === null) {
    const text = input === null ? '(a long input; the page shows it)' : JSON.stringify(input, null, 2)
    return [...head, why, ...indented(text), ...open]
  }
  return [
    ...head,
    why,
    `  ${oneLine(request.method)} ${oneLine(request.url)}`,
    ...Object.entries(request.headers).map(([key, value]) =>
      paint('dim', `  ${oneLine(`${key}: ${value}`)}`),
    ),
    ...(request.body === null ? [] : indented(request.body)),
    ...request.notes.map((note) => paint('yellow', `  ! ${oneLine(note)}`)),
    ...open,
  ]
}

/** Behind a bar, so that no line of it looks like one of ours. */
function indented(text: string): readonly string[] {
  return harmless(text)
    .split('\n')
    .map((line) => `  │ ${line}`)
}

/** Null: none of the choices. */
export function parseChoice(typed: string): ApprovalChoice | null {
  const [, sign = '', note = ''] = /^(y|yes|r|run|t|thread|n|no)(?:[\s,:]+(.*))?$/is.exec(typed.trim()) ?? []
  const letter = sign.charAt(0).toLowerCase()
  if (letter === 'n') return { decision: 'deny', note: note === '' ? null : note, remember: null }
  if (letter === '' || note !== '') return null
  const remember = letter === 'r' ? 'run' : letter === 't' ? 'thread' : null
  return { decision: 'approve', note: null, remember }
}
