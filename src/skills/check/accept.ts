// Decides which scan errors a person can accept with a reason, and applies these acceptances to a judgement. Pure.

import { didYouMean } from '../../lib/suggest.ts'
import { quoted } from '../format/finding.ts'
import { NEVER_ACCEPTED, RULES } from '../scan/rules/rules.ts'
import type { Accepted, Finding } from '../skill.ts'
import type { Judged } from './judge.ts'

/** Accepts all errors of one rule in a skill. */
export interface Acceptance {
  readonly rule: string
  readonly reason: string
}

const ACCEPTABLE = new Set(
  Object.entries(RULES).flatMap(([id, { severity }]) =>
    severity === 'error' && !NEVER_ACCEPTED.has(id) ? [id] : [],
  ),
)

/** Whether an error can be accepted. */
export function isAcceptable({ rule }: Pick<Finding, 'rule'>): boolean {
  return ACCEPTABLE.has(rule)
}

/** Why errors of a rule can never be accepted; null if they can. */
export function whyNotAcceptable(rule: string): string | null {
  if (ACCEPTABLE.has(rule)) return null
  const acceptableRules = `You can accept these rules: ${[...ACCEPTABLE].toSorted().join(', ')}.`
  if (NEVER_ACCEPTED.has(rule))
    return `Errors of the rule ${quoted(rule)} can never be accepted. ${acceptableRules}`
  return `${quoted(rule)} is not a rule whose errors can be accepted.${didYouMean(rule, [...ACCEPTABLE])} ${acceptableRules}`
}

/** The problems of a request to accept errors, each with its position. */
export function acceptProblems(
  accept: readonly Acceptance[],
  refusing: readonly Finding[],
): readonly { readonly path: string; readonly message: string }[] {
  const rules = accept.map(({ rule }) => rule)
  return rules.flatMap((rule, index) => {
    const message =
      whyNotAcceptable(rule) ??
      (rules.indexOf(rule) < index ? `${quoted(rule)} is listed twice. List each rule once.` : null) ??
      (refusing.some((finding) => finding.rule === rule)
        ? null
        : `This skill has no errors from the rule ${quoted(rule)}. Remove this rule from the accepted ones.`)
    return message === null ? [] : [{ path: `accept[${index}].rule`, message }]
  })
}

/** Keeps the reason only in the first finding of each rule and file: hundreds of repeats would fill the response. */
export function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const seenRules = new Set<string>()
  return findings.map((finding) => {
    const { accepted, ...rest } = finding
    const ruleInFile = `${finding.rule} ${finding.file}`
    if (!accepted) return finding
    if (seenRules.has(ruleInFile)) return rest
    seenRules.add(ruleInFile)
    return finding
  })
}

/** The judgement with accepted errors turned into warnings that contain the reason. */
export function applyAcceptances<T extends Pick<Judged, 'findings' | 'refusing'>>(
  judged: T,
  acceptanceOf: (finding: Finding) => Accepted | undefined,
): T {
  const findings = judged.findings.map((finding): Finding => {
    const accepted = finding.severity === 'error' && isAcceptable(finding) ? acceptanceOf(finding) : undefined
    return accepted ? { ...finding, severity: 'warning', accepted } : finding
  })
  return { ...judged, findings, refusing: findings.filter(({ severity }) => severity === 'error') }
}
