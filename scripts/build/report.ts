// Formats the report of a build: a table of the skills, the findings and a summary.

import { join } from 'node:path'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { shownPath } from '../lib/shown-path.ts'
import { formatColumns } from '../lib/columns.ts'
import { countsLine, countFindings } from '../lib/finding-counts.ts'
import { findingLines } from '../lib/finding-lines.ts'
import { harmlessLine } from '../lib/terminal.ts'
import type { BuildOutcome, BuiltSkill } from './build.ts'
import { unsearchedMessage } from '../skill-folders/unseen.ts'

const HEADINGS = ['name', 'category', 'level 1', 'level 2', 'files', 'bytes', 'warnings', '']
const NUMBER_COLUMNS = new Set([2, 3, 4, 5, 6])

/** A table with a row for each skill that can be loaded and the totals of the live ones. */
export function skillTable(skills: readonly BuiltSkill[]): string[] {
  const loaded = skills.filter((skill) => skill.entry !== null)
  const liveSkills = loaded.filter((skill) => !skill.isHidden)
  const formatSum = (valueOf: (skill: BuiltSkill) => number): string =>
    formatCount(liveSkills.reduce((total, skill) => total + valueOf(skill), 0))
  const total = [
    `${liveSkills.length} live`,
    '',
    formatSum((skill) => skill.entry?.tokens.index ?? 0),
    formatSum((skill) => skill.entry?.tokens.body ?? 0),
    formatSum((skill) => skill.entry?.files ?? 0),
    formatSum((skill) => skill.entry?.bytes ?? 0),
    formatSum(warningCount),
    '',
  ]
  return formatColumns([HEADINGS, ...loaded.map(tableRow), total], NUMBER_COLUMNS)
}

function tableRow(skill: BuiltSkill): string[] {
  const { entry } = skill
  if (!entry) return []
  const state = skill.isHidden ? 'hidden' : entry.enabled ? '' : 'off'
  return [
    harmlessLine(entry.name),
    entry.category,
    formatCount(entry.tokens.index),
    formatCount(entry.tokens.body),
    formatCount(entry.files),
    formatCount(entry.bytes),
    formatCount(warningCount(skill)),
    state,
  ]
}

function warningCount(skill: BuiltSkill): number {
  return skill.findings.filter((finding) => finding.severity === 'warning').length
}

function formatCount(value: number): string {
  return value.toLocaleString('en-US')
}

/**
 * The findings of all skills, then those of folders. Paths are relative to `cwd`. Includes notes if `notes` is true.
 */
export function outcomeLines(outcome: BuildOutcome, cwd: string, notes: boolean): string[] {
  return [
    ...outcome.skills.flatMap(({ location, skillFile, findings }) =>
      // SKILL.md may have another name on disk.
      findingLines(findings, notes, '', (file) =>
        shownPath(join(location, file === SKILL_FILE ? skillFile : file), cwd),
      ),
    ),
    ...findingLines(outcome.findings, notes, '', (path) => shownPath(path, cwd)),
  ]
}

/** The outcome with only its errors, which hide a skill or a folder. */
export function onlyErrors(outcome: BuildOutcome): BuildOutcome {
  return filtered(outcome, ({ severity }) => severity === 'error')
}

/** The outcome without its errors. */
export function withoutErrors(outcome: BuildOutcome): BuildOutcome {
  return filtered(outcome, ({ severity }) => severity !== 'error')
}

function filtered(outcome: BuildOutcome, isWanted: (finding: Finding) => boolean): BuildOutcome {
  const skills = outcome.skills.map((skill) => ({ ...skill, findings: skill.findings.filter(isWanted) }))
  return { ...outcome, skills, findings: outcome.findings.filter(isWanted) }
}

/**
 * The folders that were not searched, and the numbers of skills found, loaded and live, of tools, and of findings.
 * `notes` is true if notes were shown.
 */
export function summaryLines(
  { skills, build, findings, unsearched }: BuildOutcome,
  cwd: string,
  notes: boolean,
): string[] {
  const loaded = skills.filter((skill) => skill.entry !== null)
  const hidden = loaded.filter((skill) => skill.isHidden).length
  const parts = [`${loaded.length} of ${skills.length} skills loaded`, `${loaded.length - hidden} live`]
  if (hidden > 0) parts.push(`${hidden} hidden by another of the same name`)
  const tools = build.index.tools?.length ?? 0
  if (tools > 0) parts.push(`${tools} ${tools === 1 ? 'tool' : 'tools'}`)
  const unsearchedLine = unsearchedMessage(unsearched, (path) => shownPath(path, cwd))
  const all = [...skills.flatMap((skill) => skill.findings), ...findings]
  return [
    ...(unsearchedLine === null ? [] : [unsearchedLine]),
    `${parts.join(', ')}; ${countsLine(countFindings([{ findings: all }]), notes)}; build ${build.digest}`,
  ]
}
