// Limits how often one tool may be called in a run, regardless of its input: a loop may vary its input.

import { TOOL_FREQUENCY_STOP, TOOL_FREQUENCY_WARN } from './limits.ts'
import type { CallFacts, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'

export function checkFrequency({ name, earlierCalls }: CallFacts): Verdict {
  const times = earlierCalls + 1
  if (times > TOOL_FREQUENCY_STOP)
    return {
      do: 'deny',
      policy: 'frequency',
      message: `Not run: ${name} was already called ${earlierCalls} times in this run, and the limit is ${TOOL_FREQUENCY_STOP}. Answer with what you have.`,
    }
  return ALLOW
}

/** The warning added to the result of call number TOOL_FREQUENCY_WARN; empty for all other calls. */
export function frequencyRemark(name: string, earlierCalls: number): string {
  return earlierCalls + 1 === TOOL_FREQUENCY_WARN
    ? `\n\n[You have called ${name} ${TOOL_FREQUENCY_WARN} times in this run; after ${TOOL_FREQUENCY_STOP} calls it is refused. Finish, or find an approach that needs fewer calls.]`
    : ''
}
