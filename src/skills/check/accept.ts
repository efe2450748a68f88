// Errors of the scan that a person accepts with a reason: which ones can be accepted, and their effect. Pure; stores
// nothing.

import { didYouMean } from '../../lib/suggest.ts'
import { quoted } from '../format/finding.ts'
import { NEVER_ACCEPTED, RULES } from '../scan/rules/rules.ts'
import type { Accepted, Finding } from '../skill.ts'
import type { Judged } from './judge.ts'

/** One rule, for every file of a skill that it refuses. */
export interface Acceptance {
  readonly rule: string
  readonly reason: string
}

const ACCEPTABLE = new Set(
  Object.entries(RULES).flatMap(([id, { severity }]) =>
    severity === 'error' && !NEVER_ACCEPTED.has(id) ? [id] : [],
  ),
)

/** Whether a finding that refuses a skill can be accepted. */
export function isAcceptable({ rule }: Pick<Finding, 'rule'>): boolean {
  return ACCEPTABLE.has(rule)
}

/** Why a rule can never be accepted; null if it can. */
export function whyNever(rule: string): string | null {
  if (ACCEPTABLE.has(rule)) return null
  const can = `These can be accepted: ${[...ACCEPTABLE].toSorted().join(', ')}.`
  if (NEVER_ACCEPTED.has(rule)) return `${quoted(rule)} can never be accepted. ${can}`
  return `${quoted(rule)} is not an error of the scan.${didYouMean(rule, [...ACCEPTABLE])} ${can}`
}

/** The errors of a request to accept findings, each with its position. */
export function unfit(
  accept: readonly Acceptance[],
  refusing: readonly Finding[],
): readonly { readonly path: string; readonly message: string }[] {
  const rules = accept.map(({ rule }) => rule)
  return rules.flatMap((rule, at) => {
    const message =
      whyNever(rule) ??
      (rules.indexOf(rule) < at ? `${quoted(rule)} is named twice. Name each rule once.` : null) ??
      (refusing.some((finding) => finding.rule === rule)
        ? null
        : `${quoted(rule)} refuses nothing in this skill. Leave it out.`)
    return message === null ? [] : [{ path: `accept[${at}].rule`, message }]
  })
}

/** States a reason once for each rule and file. With hundreds of findings, repeats would fill the answers. */
export function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const stated = new Set<string>()
  return findings.map((finding) => {
    const { accepted, ...rest } = finding
    const ruleInFile = `${finding.rule} ${finding.file}`
    if (!accepted) return finding
    if (stated.has(ruleInFile)) return rest
    stated.add(ruleInFile)
    return finding
  })
}

/** The same judgement with accepted errors turned into warnings that carry the reason. */
export function accepting<T extends Pick<Judged, 'findings' | 'refusing'>>(
  judged: T,
  answerTo: (finding: Finding) => Accepted | undefined,
): T {
  const findings = judged.findings.map((finding): Finding => {
    const accepted = finding.severity === 'error' && isAcceptable(finding) ? answerTo(finding) : undefined
    return accepted ? { ...finding, severity: 'warning', accepted } : finding
  })
  return { ...judged, findings, refusing: findings.filter(({ severity }) => severity === 'error') }
}
