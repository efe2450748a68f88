// Validates combinations of the chat's options; each error is one sentence. Pure.

import type { ApprovalChoice } from '../../src/thread/approvals/api.ts'

export interface ChatFlags {
  readonly approve?: string | undefined
  readonly deny?: string | undefined
  readonly digest?: string | undefined
  readonly thread?: string | undefined
  readonly last: boolean
  readonly note?: string | undefined
  readonly remember?: string | undefined
  readonly save?: string | undefined
  readonly json: boolean
}

/** What is wrong with the options, or null if they are valid. */
export function findFlagError(flags: ChatFlags, question: string): string | null {
  if (flags.last && flags.thread) return 'Use either --thread or --last, not both.'
  if (flags.last && (flags.approve ?? flags.deny) !== undefined)
    return '--approve and --deny require --thread instead of --last: the decision is on one call.'
  if (flags.save === '') return '--save needs a folder name.'
  if (flags.json && flags.save !== undefined)
    return '--json only names the files. To download them, use --thread and --save without --json.'
  return flags.approve === undefined && flags.deny === undefined
    ? findStrayDecisionFlag(flags)
    : findDecisionError(flags, question)
}

/** Options of a decision are errors if there is no decision. */
function findStrayDecisionFlag({ note, remember, digest }: ChatFlags): string | null {
  return (note ?? remember ?? digest) === undefined
    ? null
    : 'Use --digest, --note and --remember only with --approve or --deny.'
}

/** What is wrong with the options of --approve or --deny, or null. */
function findDecisionError(
  { approve, deny, thread, digest, note, remember, json }: ChatFlags,
  question: string,
): string | null {
  if (approve !== undefined && deny !== undefined) return 'Use either --approve or --deny, not both.'
  if (json) return '--approve and --deny cannot be combined with --json.'
  if (!thread) return '--approve and --deny require --thread: the ID of the waiting thread.'
  if (approve !== undefined && digest === undefined)
    return '--approve requires --digest: the digest of the request that you reviewed. It is in the command that the chat printed.'
  if (question !== '') return '--approve and --deny cannot be combined with a question.'
  if (note !== undefined && deny === undefined) return 'Use --note only with --deny.'
  if (remember === undefined) return null
  return isScope(remember) && approve !== undefined
    ? null
    : 'Use --remember run or --remember thread, and only with --approve.'
}

export function approvalChoice({ approve, note, remember }: ChatFlags): ApprovalChoice {
  if (approve === undefined) return { decision: 'deny', note: note || null, remember: null }
  const scope = remember !== undefined && isScope(remember) ? remember : null
  return { decision: 'approve', note: null, remember: scope }
}

function isScope(word: string): word is 'run' | 'thread' {
  return word === 'run' || word === 'thread'
}
