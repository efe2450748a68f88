// Validates combinations of the chat's options, with one sentence per error. Pure.

import type { ApprovalChoice } from '../../src/thread/approvals/api.ts'

export interface ChatFlags {
  readonly approve?: string | undefined
  readonly deny?: string | undefined
  readonly digest?: string | undefined
  readonly thread?: string | undefined
  readonly note?: string | undefined
  readonly remember?: string | undefined
  readonly save?: string | undefined
  readonly json: boolean
}

/** Null: no error. */
export function wrongFlags(flags: ChatFlags, question: string): string | null {
  if (flags.save === '') return '--save needs the name of a folder.'
  if (flags.json && flags.save !== undefined)
    return '--json names the files; get them without it: --thread and --save.'
  return flags.approve === undefined && flags.deny === undefined
    ? allowedCalls(flags)
    : misused(flags, question)
}

function allowedCalls({ note, remember, digest }: ChatFlags): string | null {
  return (note ?? remember ?? digest) === undefined
    ? null
    : '--digest, --note and --remember go with an answer.'
}

/** The error in an answer's options. */
function misused(
  { approve, deny, thread, digest, note, remember, json }: ChatFlags,
  question: string,
): string | null {
  if (approve !== undefined && deny !== undefined) return 'Either --approve or --deny.'
  if (json) return 'An answer to a call is given without --json.'
  if (!thread) return 'The answer needs --thread, the thread that waits.'
  if (approve !== undefined && digest === undefined)
    return '--approve needs --digest, of the request that you looked at: the command that the chat printed has it.'
  if (question !== '') return 'An answer to a call takes no question.'
  if (note !== undefined && deny === undefined) return '--note goes with --deny.'
  if (remember === undefined) return null
  return isScope(remember) && approve !== undefined
    ? null
    : '--remember run or --remember thread goes with --approve.'
}

export function approvalChoice({ approve, note, remember }: ChatFlags): ApprovalChoice {
  if (approve === undefined) return { decision: 'deny', note: note || null, remember: null }
  const scope = remember !== undefined && isScope(remember) ? remember : null
  return { decision: 'approve', note: null, remember: scope }
}

function isScope(word: string): word is 'run' | 'thread' {
  return word === 'run' || word === 'thread'
}
