// What the command line of the chat may say together, and what is wrong with it in one sentence. Pure.

import type { ApprovalAnswer } from '../../src/thread/api.ts'

export interface Flags {
  readonly approve?: string | undefined
  readonly deny?: string | undefined
  readonly thread?: string | undefined
  readonly note?: string | undefined
  readonly remember?: string | undefined
  readonly save?: string | undefined
  readonly json: boolean
}

/** Null: nothing is wrong. */
export function wrongFlags(flags: Flags, question: string): string | null {
  if (flags.save === '') return '--save needs the name of a folder.'
  if (flags.json && flags.save !== undefined)
    return '--json names the files; get them without it: --thread and --save.'
  return flags.approve === undefined && flags.deny === undefined ? unasked(flags) : misused(flags, question)
}

function unasked({ note, remember }: Flags): string | null {
  return note === undefined && remember === undefined ? null : '--note and --remember go with an answer.'
}

/** What is wrong with an answer as it was given. */
function misused({ approve, deny, thread, note, remember, json }: Flags, question: string): string | null {
  if (approve !== undefined && deny !== undefined) return 'Either --approve or --deny.'
  if (json) return 'An answer to a call is given without --json.'
  if (!thread) return 'The answer needs --thread, the thread that waits.'
  if (question !== '') return 'An answer to a call takes no question.'
  if (note !== undefined && deny === undefined) return '--note goes with --deny.'
  if (remember === undefined) return null
  return isScope(remember) && approve !== undefined
    ? null
    : '--remember run or --remember thread goes with --approve.'
}

export function answerOf({ approve, note, remember }: Flags): Omit<ApprovalAnswer, 'digest'> {
  const scope = remember !== undefined && isScope(remember) ? remember : null
  return { decision: approve === undefined ? 'deny' : 'approve', note: note || null, remember: scope }
}

function isScope(word: string): word is 'run' | 'thread' {
  return word === 'run' || word === 'thread'
}
