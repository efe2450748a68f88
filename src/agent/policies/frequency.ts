// Limits how often one tool may be called in a run, regardless of its input: a loop may vary its input.

import { TOOL_CALLS_STOP_AT, TOOL_CALLS_WARN_AT } from './limits.ts'
import type { CallFacts, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'

export function checkFrequency({ name, earlierCalls }: CallFacts): Verdict {
  const times = earlierCalls + 1
  if (times > TOOL_CALLS_STOP_AT)
    return {
      do: 'deny',
      policy: 'frequency',
      message: `Not run: ${name} was already called ${earlierCalls} times in this run, and the limit is ${TOOL_CALLS_STOP_AT}. Answer with what you have.`,
    }
  return ALLOW
}

/** The warning added to the result of call number TOOL_CALLS_WARN_AT; empty for all other calls. */
export function frequencyRemark(name: string, earlierCalls: number): string {
  return earlierCalls + 1 === TOOL_CALLS_WARN_AT
    ? `\n\n[You have called ${name} ${TOOL_CALLS_WARN_AT} times in this run; after ${TOOL_CALLS_STOP_AT} calls it is refused. Finish, or find an approach that needs fewer calls.]`
    : ''
}
