// Formats findings as SARIF 2.1.0, which code hosts and editors show next to the lines.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '../../src/skills/skill.ts'
import type { CheckedSkill } from './check.ts'
import { uriOf } from '../lib/shown-path.ts'

interface Rule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  readonly defaultConfiguration: { readonly level: Finding['severity'] }
}

interface PhysicalLocation {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: 'CWD' }
  readonly region?: { readonly startLine: number }
}

interface SarifResult {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: Finding['severity']
  readonly message: { readonly text: string }
  readonly suppressions?: readonly [{ readonly kind: 'external'; readonly justification: string }]
  readonly locations: readonly {
    readonly physicalLocation: PhysicalLocation
    /** The path of a file inside an archive, because no URI can refer to it. */
    readonly logicalLocations?: readonly [{ readonly fullyQualifiedName: string; readonly kind: 'resource' }]
  }[]
}

/** A SARIF log of one run with all findings. SARIF's levels have the same names as the severities. */
export function sarif(skills: readonly CheckedSkill[], cwd: string, version: string): object {
  const rules = rulesOf(skills)
  const ruleIndexes = new Map(rules.map(({ id }, index) => [id, index]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'satchel skills:check', semanticVersion: version, rules } },
        columnKind: 'unicodeCodePoints',
        originalUriBaseIds: { CWD: { uri: pathToFileURL(join(cwd, '/')).href } },
        results: skills.flatMap((skill) =>
          skill.findings.map((finding) => resultOf(skill, finding, cwd, ruleIndexes.get(finding.rule) ?? 0)),
        ),
      },
    ],
  }
}

function rulesOf(skills: readonly CheckedSkill[]): readonly Rule[] {
  const rules = new Map<string, Rule>()
  for (const { findings } of skills)
    for (const { rule, severity } of findings)
      if (!rules.has(rule))
        rules.set(rule, {
          id: rule,
          shortDescription: { text: ruleDescription(rule) },
          defaultConfiguration: { level: severity },
        })
  return [...rules.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function ruleDescription(rule: string): string {
  return `${rule.charAt(0).toUpperCase()}${rule.slice(1).replaceAll('-', ' ')}.`
}

function resultOf(skill: CheckedSkill, finding: Finding, cwd: string, ruleIndex: number): SarifResult {
  const { rule, severity, file, line, message, fix, accepted } = finding
  // No URI can refer to a file inside an archive, so the message names the file and line.
  const archivePosition = skill.isArchived ? `${file}${line === null ? '' : `:${line}`}: ` : ''
  const uri = uriOf(skill.isArchived ? skill.location : skill.fileLocation(file), cwd)
  const physicalLocation: PhysicalLocation = {
    artifactLocation: { uri, ...(!uri.startsWith('file:') && { uriBaseId: 'CWD' as const }) },
    ...(line !== null && !skill.isArchived && { region: { startLine: line } }),
  }
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: `${archivePosition}${message} ${fix}` },
    ...(accepted && { suppressions: [{ kind: 'external', justification: accepted.reason }] as const }),
    locations: [
      {
        physicalLocation,
        ...(skill.isArchived && {
          logicalLocations: [{ fullyQualifiedName: file, kind: 'resource' }] as const,
        }),
      },
    ],
  }
}
