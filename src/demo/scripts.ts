// Chooses the script of the loaded skill that the demo model runs on an attached file, and reads its output. Pure. The steps are
// planned in files.ts.

import { cutText } from '../lib/text.ts'
import { asText } from '../lib/json.ts'
import type { DemoSkill, ToolResult, AttachedFile } from './read.ts'

/** The command to run for one file. */
export interface ScriptJob {
  readonly command: string
  /** The script's name for the answer, such as "profile_csv.py of data-analysis". */
  readonly script: string
  /** The command that draws a chart, and the chart's path; null if the skill does not document this option. */
  readonly chart: { readonly command: string; readonly path: string } | null
}

/** The output of a script. */
export interface ScriptOutput {
  /** The lines before the first heading or table. */
  readonly lines: readonly string[]
  /** The entire output without its title, with headings one level deeper. */
  readonly markdown: string
}

const LINES_SHOWN_MAX = 5
const LINE_MAX_CHARS = 200

/** A command line in the text of a skill: interpreter, script, and an upload with the extension that the script is for. */
const COMMAND_LINE =
  /^\s*((?:python3|node|bash) (\/mnt\/skills\/\S+)) \/mnt\/user-data\/uploads\/\S*\.(\w+)\s*$/gm

/** Extensions of files that can be read like files with another extension. */
const EQUIVALENT_EXTENSIONS: Readonly<Record<string, string>> = { tsv: 'csv' }

/** The jobs by the path of the upload. An upload for which the skill names no script has no job. */
export function findScriptJobs(
  skill: DemoSkill,
  uploads: readonly AttachedFile[],
): ReadonlyMap<string, ScriptJob> {
  const commands = [...skill.text.matchAll(COMMAND_LINE)].filter(([, , script = '']) =>
    skill.files.includes(script.replace(`${skill.root}/`, '')),
  )
  const jobs = new Map<string, ScriptJob>()
  for (const { path } of uploads) {
    const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
    const match = commands.find(([, , , kind]) => kind === (EQUIVALENT_EXTENSIONS[extension] ?? extension))
    if (match === undefined) continue
    const [, program = '', script = ''] = match
    const command = `${program} ${quoteForShell(path)}`
    const name = script.slice(script.lastIndexOf('/') + 1)
    const canDrawChart = skill.text.includes('--chart') && skill.text.includes('`auto`')
    const chartFile = chartPath(path, uploads)
    const chart = canDrawChart
      ? { command: `${command} --chart auto --out ${quoteForShell(chartFile)}`, path: chartFile }
      : null
    jobs.set(path, { command, script: `${name} of ${skill.name}`, chart })
  }
  return jobs
}

/** The output of a command, `failed` if the command failed or printed nothing, or null if it has not been run. */
export function outputOfCommand(
  command: string,
  answers: readonly ToolResult[],
): ScriptOutput | 'failed' | null {
  const answer = answers.find(({ tool, input }) => tool === 'bash' && asText(input['command']) === command)
  if (answer === undefined) return null
  if (answer.isError || /\[(?:Exit code|Stopped) [^\n]*\]$/.test(answer.text)) return 'failed'
  // Remove the note that the tool appends to the script's output.
  const text = answer.text.replace(/\n\[Files changed: [^\n]*\]$/, '').trim()
  if (text === '') return 'failed'
  const body = text.replace(/^# [^\n]*\n+/, '')
  const lines = (body.split(/^(?:#|\|)/m)[0] ?? '').split('\n').filter((line) => line.trim() !== '')
  return {
    lines: lines.slice(0, LINES_SHOWN_MAX).map((line) => cutText(line.replace(/^- /, ''), LINE_MAX_CHARS)),
    markdown: body.replace(/^#/gm, '##'),
  }
}

/** The chart's path: in the folder of the summary, and named after the upload. */
function chartPath(path: string, uploads: readonly AttachedFile[]): string {
  const sameStem = uploads.filter((upload) => stemOf(upload.path) === stemOf(path))
  const name = sameStem.length > 1 ? path.slice(path.lastIndexOf('/') + 1) : stemOf(path)
  return `/mnt/user-data/outputs/${name}-chart.svg`
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}

/** Quotes a path as a single shell word. */
function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
