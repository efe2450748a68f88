// How often one tool may be called in a run, whatever its input: a loop that varies its input is one all the same.

import { TOOL_FREQUENCY_STOP, TOOL_FREQUENCY_WARN } from './limits.ts'
import type { CallFacts, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'

export function checkFrequency({ name, earlierCalls }: CallFacts): Verdict {
  const times = earlierCalls + 1
  if (times > TOOL_FREQUENCY_STOP)
    return {
      do: 'deny',
      policy: 'frequency',
      message: `Not run: ${name} was called ${earlierCalls} times in this run, and ${TOOL_FREQUENCY_STOP} is the most. Answer with what you have.`,
    }
  return ALLOW
}

/** Added to the result of the call that is one too many for a plan; empty for all others. */
export function frequencyRemark(name: string, earlierCalls: number): string {
  return earlierCalls + 1 === TOOL_FREQUENCY_WARN
    ? `\n\n[You called ${name} ${TOOL_FREQUENCY_WARN} times in this run; after ${TOOL_FREQUENCY_STOP} it is refused. Come to an end, or find a way with fewer calls.]`
    : ''
}
