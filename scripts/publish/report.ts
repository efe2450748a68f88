// Formats the output of publishing: the state, findings and files of each skill. Text of skills is made
// harmless.

import { readLiveFile } from '../../src/client/catalog.ts'
import { counted } from '../../src/lib/counted.ts'
import { findingLines } from '../lib/finding-lines.ts'
import { explainFailure } from '../lib/server.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import type { ComparedSkill } from './exchange.ts'
import type { Sendable } from './gather.ts'
import { lineDiff } from './line-diff.ts'
import type { PublishPorts } from './ports.ts'

const SIGNS = { added: '+', removed: '-', changed: '~', same: ' ' } as const
const STYLES = { new: 'green', changed: 'yellow', same: 'dim' } as const

/** The changes of each skill, and the number of unchanged skills. */
export function comparisonLines(skills: readonly ComparedSkill[], notes: boolean): string[] {
  const lines: string[] = []
  for (const { state, skill, diff, findings } of skills) {
    if (state === 'same') continue
    const bytes = skill.files.reduce((sum, { blob }) => sum + blob.size, 0)
    const size = `${counted(skill.files.length, 'file')}, ${counted(bytes, 'byte')}`
    lines.push(
      `${paint(STYLES[state], state.padEnd(8))} ${harmlessLine(skill.name)}  ${paint('dim', `${size}, ${harmlessLine(skill.location)}`)}`,
    )
    if (state === 'changed')
      for (const file of diff) lines.push(`    ${SIGNS[file.change]} ${harmlessLine(file.path)}`)
    lines.push(...findingLines([...skill.findings, ...findings], notes, '    '))
  }
  const unchangedCount = skills.filter(({ state }) => state === 'same').length
  if (unchangedCount > 0)
    lines.push(
      paint(
        'dim',
        `same     ${counted(unchangedCount, 'skill')}, identical to the live ${unchangedCount === 1 ? 'version' : 'versions'}`,
      ),
    )
  return lines
}

/**
 * Prints a line after each tenth of the files, so that thousands of files do not print thousands of lines.
 */
export function createProgressReporter(say: (line: string) => void): (done: number, all: number) => void {
  return (done, all) => {
    const step = Math.max(10, Math.ceil(all / 10))
    if (done % step === 0 || done === all)
      say(`  sent ${done.toLocaleString('en-US')} of ${counted(all, 'file')}`)
  }
}

/** Shows the changed lines of every file. Files that cannot be fetched are reported and skipped. */
export async function showDiffs(skills: readonly ComparedSkill[], ports: PublishPorts): Promise<void> {
  for (const { skill, diff } of skills)
    for (const { path, change } of diff) {
      const file = skill.files.find((candidate) => candidate.path === path)
      if (change !== 'changed' || !file) continue
      const before = await readLiveFile(ports.client, skill.name, path)
      if (before.ok) ports.say(lineDiff(path, before.value, await file.blob.read()))
      else ports.complain(`${harmlessLine(path)}: ${explainFailure(before.error, ports.url)}`)
    }
}

/** The local file to which a path of the API, such as `skills[3].SKILL.md:2`, refers. */
export function sourceFile(path: string, skills: readonly Sendable[], unpublish: readonly string[]): string {
  const match = /^(skills|unpublish)\[(\d+)\](?:\.(.*))?$/s.exec(path)
  if (!match) return path
  const index = Number(match[2])
  if (match[1] === 'unpublish') return `--unpublish ${unpublish[index] ?? path}`
  const skill = skills[index]
  if (!skill) return path
  const subpath = (match[3] ?? '').replace(/^files\./, '')
  if (subpath === '') return skill.location
  const [, file = subpath, line = ''] = /^(.*?)(:\d+)?$/s.exec(subpath) ?? []
  return `${skill.fileLocation(file)}${line}`
}
