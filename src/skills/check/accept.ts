// Errors of the scan that somebody accepts with a reason: which may be, and what becomes of them. Pure; keeps nothing.

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

/** Of a finding that refuses a skill: whether it may be accepted. */
export function isAcceptable({ rule }: Pick<Finding, 'rule'>): boolean {
  return ACCEPTABLE.has(rule)
}

/** Why a rule cannot be accepted, whatever the skill; null: it can. */
export function whyNever(rule: string): string | null {
  if (ACCEPTABLE.has(rule)) return null
  const can = `What can be accepted: ${[...ACCEPTABLE].toSorted().join(', ')}.`
  if (NEVER_ACCEPTED.has(rule)) return `${quoted(rule)} can never be accepted. ${can}`
  return `${quoted(rule)} is no error of the scan.${didYouMean(rule, [...ACCEPTABLE])} ${can}`
}

/** What is wrong with a wish beside the findings that refuse the skill, each by its place. */
export function unfit(
  accept: readonly Acceptance[],
  refusing: readonly Finding[],
): readonly { readonly path: string; readonly message: string }[] {
  const rules = accept.map(({ rule }) => rule)
  return rules.flatMap((rule, at) => {
    const message =
      whyNever(rule) ??
      (rules.indexOf(rule) < at ? `${quoted(rule)} is there twice. Name each rule once.` : null) ??
      (refusing.some((finding) => finding.rule === rule)
        ? null
        : `${quoted(rule)} refuses nothing of this skill. Leave it out.`)
    return message === null ? [] : [{ path: `accept[${at}].rule`, message }]
  })
}

/** An answer is said once for a rule and a file: repeated with each of hundreds of findings, it would fill the answers. */
export function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const said = new Set<string>()
  return findings.map((finding) => {
    const { accepted, ...rest } = finding
    const place = `${finding.rule} ${finding.file}`
    if (!accepted) return finding
    if (said.has(place)) return rest
    said.add(place)
    return finding
  })
}

/** The same judgement, where errors for which there is an answer are warnings that carry it. */
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
