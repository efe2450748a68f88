// Writes the measured figures to docs/benchmarks.md, with a table for each part.

import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { rfc3339, systemClock } from '../../../src/lib/clock.ts'
import { ROOT } from '../rig/keys.ts'
import { linesAsMarkdown, type FigureLine } from '../rig/lines.ts'

/** The lines of one part of the benchmark, by the name used with `--only`. */
export interface MeasuredPart {
  readonly name: string
  readonly lines: readonly FigureLine[]
}

const DOCUMENT = join(ROOT, 'docs/benchmarks.md')
/** Parts that are printed but not documented, because their goals are met by a wide margin. */
const PRINTED_ONLY: readonly string[] = [
  'backup',
  'build',
  'documents',
  'grep',
  'push',
  'sandbox-runtimes',
  'skills-build',
  'skills-hostile',
  'skills-next',
  'tool-calls',
  'workspace-scale',
]
const MARKS = ['<!-- figures: npm run bench -- --write -->', '<!-- end of figures -->'] as const

/** Replaces the text between the markers of the document. Throws if they are missing. */
export function writeTables(parts: readonly MeasuredPart[], rounds: number): void {
  const text = readFileSync(DOCUMENT, 'utf8')
  const [from, to] = [text.indexOf(MARKS[0]), text.indexOf(MARKS[1])]
  if (from === -1 || to < from) throw new Error(`${DOCUMENT} has no line ${MARKS[0]} … ${MARKS[1]}.`)
  const when = rfc3339(systemClock()).slice(0, 10)
  const note = `Measured ${when} on ${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${rounds} rounds.`
  const written = parts.filter(({ name }) => !PRINTED_ONLY.includes(name))
  const tables = written.map(({ name, lines }) => `### ${name}\n\n${linesAsMarkdown(lines)}`)
  const block = `${MARKS[0]}\n\n${[note, ...tables].join('\n\n')}\n\n`
  writeFileSync(DOCUMENT, text.slice(0, from) + block + text.slice(to))
}
