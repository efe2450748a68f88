// Asks where the tool's own rule says so. Never looks at what is in the conversation.

import { valueAt } from '../../lib/json-pointer.ts'
import { ALLOW, type CallFacts, type Verdict } from '../policy.ts'
import { describeCondition, holds } from './conditions.ts'

export function checkApprovalRule({ approval: rule, unfit, input }: CallFacts): Verdict {
  if (rule.ask === 'never') return ALLOW
  // Nothing is sent, and the call itself says why.
  if (unfit) return ALLOW
  if (rule.ask === 'always') return ask('The rule of this tool asks before every call.')
  const hit = (rule.when ?? []).find((condition) => holds(condition, valueAt(input, condition.field)))
  return hit ? ask(`The rule of this tool asks where ${describeCondition(hit)}.`) : ALLOW
}

function ask(reason: string): Verdict {
  return { do: 'ask', policy: 'approval', reason }
}
