// Limits how often one tool may be called in a run, regardless of its input: a loop may vary its input.

import { TOOL_CALLS_WARN_FRACTION } from './limits.ts'
import type { CallFacts, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'

export function checkFrequency({ name, earlierCalls, callsPerTool }: CallFacts): Verdict {
  if (earlierCalls >= callsPerTool)
    return {
      do: 'deny',
      policy: 'frequency',
      message: `Not run: ${name} was already called ${earlierCalls} times in this run, and the limit is ${callsPerTool}. Answer with what you have.`,
    }
  return ALLOW
}

/** The warning added to the result of the call that reaches a fraction of the limit; empty for all other calls. */
export function frequencyRemark(name: string, earlierCalls: number, callsPerTool: number): string {
  const warnAt = Math.ceil(callsPerTool * TOOL_CALLS_WARN_FRACTION)
  return earlierCalls + 1 === warnAt && warnAt < callsPerTool
    ? `\n\n[You have called ${name} ${warnAt} times in this run; after ${callsPerTool} calls it is refused. Finish, or find an approach that needs fewer calls.]`
    : ''
}
