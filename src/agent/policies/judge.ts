// The policies that judge each call, and how their verdicts become one. To add a policy, add it to the list.

import { ALLOW, type CallFacts, type Policy, type Verdict } from '../policy.ts'
import { checkApprovalRule } from './approval.ts'
import { checkFrequency } from './frequency.ts'
import { checkToolLists } from './lists.ts'
import { checkOrigin } from './origin.ts'

/** In their order; one that asks somebody else comes last. */
export const POLICIES: readonly Policy[] = [checkToolLists, checkFrequency, checkApprovalRule, checkOrigin]

/**
 * One that denies wins, whatever the others ask: a person is not asked about a call that will not be made. Else all that ask, as
 * one: a person hears that the rule asks, and that untrusted content may have asked for the call. At once where all of them
 * answer at once.
 */
export function judgeCall(
  facts: CallFacts,
  policies: readonly Policy[] = POLICIES,
): Verdict | Promise<Verdict> {
  let asks: Verdict | null = null
  for (const [n, policy] of policies.entries()) {
    const verdict = policy(facts)
    if (verdict instanceof Promise) return later(facts, asks, verdict, policies.slice(n + 1))
    if (verdict.do === 'deny') return verdict
    asks = both(asks, verdict)
  }
  return asks ?? ALLOW
}

async function later(
  facts: CallFacts,
  before: Verdict | null,
  pending: Promise<Verdict>,
  rest: readonly Policy[],
): Promise<Verdict> {
  const verdict = await pending
  if (verdict.do === 'deny') return verdict
  const behind = await judgeCall(facts, rest)
  if (behind.do === 'deny') return behind
  return both(both(before, verdict), behind) ?? ALLOW
}

/** The first that asks, with the reasons of both; null if neither asks. */
function both(first: Verdict | null, second: Verdict): Verdict | null {
  if (second.do !== 'ask') return first
  return first?.do === 'ask' ? { ...second, ...first, reason: `${first.reason} ${second.reason}` } : second
}
