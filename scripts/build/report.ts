// What a build says to a person: a table of the skills, then its findings.

import { join } from 'node:path'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { shownPath } from '../check-skills/places.ts'
import { findingLines } from '../lib/finding-lines.ts'
import { oneLine } from '../lib/terminal.ts'
import type { BuildOutcome, BuiltSkill } from './build.ts'

const HEAD = ['name', 'category', 'level 1', 'level 2', 'files', 'bytes', 'warnings', '']

/** The table: one row a skill that can be loaded, then totals of those that are live. */
export function skillTable(skills: readonly BuiltSkill[]): string {
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
  const rows = [HEAD, ...loaded.map(row), total]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)))
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column < 2 || column === 7 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function row(skill: BuiltSkill): string[] {
  const { entry } = skill
  if (!entry) return []
  const state = skill.hidden ? 'hidden' : entry.enabled ? '' : 'off'
  return [
    oneLine(entry.name),
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

/** Errors and warnings of all skills, then those of the folders; notes only when asked for. `cwd` shortens paths. */
export function outcomeLines(outcome: BuildOutcome, cwd: string, notes: boolean): string[] {
  return [
    ...outcome.skills.flatMap(({ location, skillFile, findings }) =>
      // SKILL.md may have another name where it lies.
      findingLines(findings, notes, '', (file) =>
        shownPath(join(location, file === SKILL_FILE ? skillFile : file), cwd),
      ),
    ),
    ...findingLines(outcome.findings, notes, '', (path) => shownPath(path, cwd)),
  ]
}

/** One line: how many were found, can be loaded, are live. */
export function summaryLine({ skills, build }: BuildOutcome): string {
  const loaded = skills.filter((skill) => skill.entry !== null)
  const hidden = loaded.filter((skill) => skill.hidden).length
  const parts = [`${loaded.length} of ${skills.length} skills loaded`, `${loaded.length - hidden} live`]
  if (hidden > 0) parts.push(`${hidden} hidden by another of the same name`)
  const tools = build.index.tools?.length ?? 0
  if (tools > 0) parts.push(`${tools} ${tools === 1 ? 'tool' : 'tools'}`)
  return `${parts.join(', ')}; build ${build.digest}`
}
