// Formats the report of a build: a table of the skills, the findings and a summary.

import { join } from 'node:path'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { shownPath } from '../lib/shown-path.ts'
import { columns } from '../lib/columns.ts'
import { countsLine, totalsOf } from '../lib/finding-counts.ts'
import { findingLines } from '../lib/finding-lines.ts'
import { harmlessLine } from '../lib/terminal.ts'
import type { BuildOutcome, BuiltSkill } from './build.ts'
import { unseenLine } from '../skill-folders/unseen.ts'

const HEAD = ['name', 'category', 'level 1', 'level 2', 'files', 'bytes', 'warnings', '']
const NUMBERS = new Set([2, 3, 4, 5, 6])

/** A table with a row for each skill that can be loaded and the totals of the live ones. */
export function skillTable(skills: readonly BuiltSkill[]): string[] {
  const loaded = skills.filter((skill) => skill.entry !== null)
  const live = loaded.filter((skill) => !skill.hidden)
  const sum = (pick: (skill: BuiltSkill) => number): string =>
    count(live.reduce((total, skill) => total + pick(skill), 0))
  const total = [
    `${live.length} live`,
    '',
    sum((skill) => skill.entry?.tokens.index ?? 0),
    sum((skill) => skill.entry?.tokens.body ?? 0),
    sum((skill) => skill.entry?.files ?? 0),
    sum((skill) => skill.entry?.bytes ?? 0),
    sum(warnings),
    '',
  ]
  return columns([HEAD, ...loaded.map(row), total], NUMBERS)
}

function row(skill: BuiltSkill): string[] {
  const { entry } = skill
  if (!entry) return []
  const state = skill.hidden ? 'hidden' : entry.enabled ? '' : 'off'
  return [
    harmlessLine(entry.name),
    entry.category,
    count(entry.tokens.index),
    count(entry.tokens.body),
    count(entry.files),
    count(entry.bytes),
    count(warnings(skill)),
    state,
  ]
}

function warnings(skill: BuiltSkill): number {
  return skill.findings.filter((finding) => finding.severity === 'warning').length
}

function count(value: number): string {
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

function filtered(outcome: BuildOutcome, wanted: (finding: Finding) => boolean): BuildOutcome {
  const skills = outcome.skills.map((skill) => ({ ...skill, findings: skill.findings.filter(wanted) }))
  return { ...outcome, skills, findings: outcome.findings.filter(wanted) }
}

/**
 * The folders that were not searched, and the numbers of skills found, loaded and live, of tools, and of findings.
 * `notes` is true if notes were shown.
 */
export function summaryLines(
  { skills, build, findings, unseen }: BuildOutcome,
  cwd: string,
  notes: boolean,
): string[] {
  const loaded = skills.filter((skill) => skill.entry !== null)
  const hidden = loaded.filter((skill) => skill.hidden).length
  const parts = [`${loaded.length} of ${skills.length} skills loaded`, `${loaded.length - hidden} live`]
  if (hidden > 0) parts.push(`${hidden} hidden by another of the same name`)
  const tools = build.index.tools?.length ?? 0
  if (tools > 0) parts.push(`${tools} ${tools === 1 ? 'tool' : 'tools'}`)
  const left = unseenLine(unseen, (path) => shownPath(path, cwd))
  const all = [...skills.flatMap((skill) => skill.findings), ...findings]
  return [
    ...(left === null ? [] : [left]),
    `${parts.join(', ')}; ${countsLine(totalsOf([{ findings: all }]), notes)}; build ${build.digest}`,
  ]
}
