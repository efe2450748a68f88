// Judges each call by all policies and combines their verdicts. To add a policy, add it to POLICIES.

import { ALLOW, type CallFacts, type Policy, type Verdict } from '../policy.ts'
import { checkApprovalRule } from './approval.ts'
import { checkFrequency } from './frequency.ts'
import { checkToolLists } from './tool-lists.ts'
import { checkOrigin } from './origin.ts'

/** In the order in which they run. Policies that are asynchronous belong last. */
export const POLICIES: readonly Policy[] = [checkToolLists, checkFrequency, checkApprovalRule, checkOrigin]

/**
 * The combined verdict on a call. A denial overrides every question, because nobody should be asked about a call that will not be
 * made. Otherwise all questions are merged into one that gives every reason. Synchronous if all policies are.
 */
export function judgeCall(
  facts: CallFacts,
  policies: readonly Policy[] = POLICIES,
): Verdict | Promise<Verdict> {
  let question: Verdict | null = null
  for (const [index, policy] of policies.entries()) {
    const verdict = policy(facts)
    if (verdict instanceof Promise) return judgeAsync(facts, question, verdict, policies.slice(index + 1))
    if (verdict.do === 'deny') return verdict
    question = mergeQuestions(question, verdict)
  }
  return question ?? ALLOW
}

/** Continues judgeCall from the first policy that is asynchronous. */
async function judgeAsync(
  facts: CallFacts,
  question: Verdict | null,
  pending: Promise<Verdict>,
  remaining: readonly Policy[],
): Promise<Verdict> {
  const verdict = await pending
  if (verdict.do === 'deny') return verdict
  const remainingVerdict = await judgeCall(facts, remaining)
  if (remainingVerdict.do === 'deny') return remainingVerdict
  return mergeQuestions(mergeQuestions(question, verdict), remainingVerdict) ?? ALLOW
}

/** One question with the reasons of both verdicts, or null if neither asks. */
function mergeQuestions(first: Verdict | null, second: Verdict): Verdict | null {
  if (second.do !== 'ask') return first
  return first?.do === 'ask' ? { ...second, ...first, reason: `${first.reason} ${second.reason}` } : second
}
