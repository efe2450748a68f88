// Which script of the loaded skill the demo model runs for an attached file, and what it takes from the output. Pure; the
// steps are in files.ts.

import { cutText } from '../lib/text.ts'
import { asText } from '../lib/json.ts'
import type { DemoSkill, ToolAnswer, AttachedFile } from './read.ts'

/** What is run for one file. */
export interface ScriptJob {
  readonly command: string
  /** For the answer, such as "profile_csv.py of data-analysis". */
  readonly script: string
  /** Where the script draws, too; null where the skill does not say that it can. */
  readonly chart: { readonly command: string; readonly path: string } | null
}

/** What a script printed. */
export interface Printed {
  /** Its first paragraph and its first list, a line each. */
  readonly lines: readonly string[]
  /** All of it, one level deeper, without its title. */
  readonly markdown: string
}

const LINES_SHOWN = 5
const LINE_CHARS = 200

/** A skill shows a command as it is typed: interpreter, script, and an upload of the kind that it is for. */
const COMMAND = /^\s*((?:python3|node|bash) (\/mnt\/skills\/\S+)) \/mnt\/user-data\/uploads\/\S*\.(\w+)\s*$/gm

/** A kind of file stands for others that are read in the same way. */
const ALIKE: Readonly<Record<string, string>> = { tsv: 'csv' }

/** By path of the upload; empty where the skill names no script for any of them. */
export function jobsFor(skill: DemoSkill, uploads: readonly AttachedFile[]): ReadonlyMap<string, ScriptJob> {
  const shown = [...skill.text.matchAll(COMMAND)].filter(([, , script = '']) =>
    skill.files.includes(script.replace(`${skill.root}/`, '')),
  )
  const jobs = new Map<string, ScriptJob>()
  for (const { path } of uploads) {
    const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
    const found = shown.find(([, , , kind]) => kind === (ALIKE[ending] ?? ending))
    if (found === undefined) continue
    const [, program = '', script = ''] = found
    const command = `${program} ${quoted(path)}`
    const name = script.slice(script.lastIndexOf('/') + 1)
    const draws = skill.text.includes('--chart') && skill.text.includes('`auto`')
    const out = chartPath(path, uploads)
    const chart = draws ? { command: `${command} --chart auto --out ${quoted(out)}`, path: out } : null
    jobs.set(path, { command, script: `${name} of ${skill.name}`, chart })
  }
  return jobs
}

/** What a command printed; null: it was not run, `failed`: it did not do what it should. */
export function printedByCommand(command: string, answers: readonly ToolAnswer[]): Printed | 'failed' | null {
  const answer = answers.find(({ tool, input }) => tool === 'bash' && asText(input['command']) === command)
  if (answer === undefined) return null
  if (answer.isError || /\[(?:Exit code|Stopped) [^\n]*\]$/.test(answer.text)) return 'failed'
  // What the tool says after the output is not the script's.
  const text = answer.text.replace(/\n\[Files changed: [^\n]*\]$/, '').trim()
  if (text === '') return 'failed'
  const body = text.replace(/^# [^\n]*\n+/, '')
  const lines = (body.split(/^(?:#|\|)/m)[0] ?? '').split('\n').filter((line) => line.trim() !== '')
  return {
    lines: lines.slice(0, LINES_SHOWN).map((line) => cutText(line.replace(/^- /, ''), LINE_CHARS)),
    markdown: body.replace(/^#/gm, '##'),
  }
}

/** Next to the summary, named like the upload. */
function chartPath(path: string, uploads: readonly AttachedFile[]): string {
  const twins = uploads.filter((other) => stemOf(other.path) === stemOf(path))
  const name = twins.length > 1 ? path.slice(path.lastIndexOf('/') + 1) : stemOf(path)
  return `/mnt/user-data/outputs/${name}-chart.svg`
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}

/** One word of a shell, whatever is in it. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
