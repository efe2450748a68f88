// Asks for approval if the rule of the tool requires it, regardless of what the conversation contains.

import { valueAt } from '../../lib/json-pointer.ts'
import { ALLOW, type CallFacts, type Verdict } from '../policy.ts'
import { describeCondition, isMet } from './conditions.ts'

export function checkApprovalRule({ approval: rule, isInvalidCall, input }: CallFacts): Verdict {
  if (rule.ask === 'never') return ALLOW
  // An invalid call sends nothing, and its result explains why.
  if (isInvalidCall) return ALLOW
  if (rule.ask === 'always') return ask('This tool requires approval for every call.')
  const metCondition = (rule.when ?? []).find((condition) => {
    const { field: pointer } = condition
    return isMet(condition, valueAt(input, pointer))
  })
  return metCondition ? ask(`This tool requires approval if ${describeCondition(metCondition)}.`) : ALLOW
}

function ask(reason: string): Verdict {
  return { do: 'ask', policy: 'approval', reason }
}
