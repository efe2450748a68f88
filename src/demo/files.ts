// Plans what the demo model does with attached files: it runs the skill's script on them or reads them, then writes and presents
// a summary. Pure. The text about each file is composed in summary.ts.

import { cutText } from '../lib/text.ts'
import type { Json } from '../lib/json.ts'
import { asText } from '../lib/json.ts'
import type { DemoSkill, ToolResult, DemoTurn, AttachedFile } from './read.ts'
import { findScriptJobs, outputOfCommand } from './scripts.ts'
import type { ScriptJob, ScriptOutput } from './scripts.ts'
import { describeFile } from './summary.ts'

/** One step of the model. If it has no calls, its text is the final answer. */
export interface FilesStep {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: Json }[]
}

/** The tools that the work on files needs. All of them must be available. */
export const FILE_TOOLS = ['read_file', 'write_file', 'present_files'] as const

const FILES_READ_MAX = 4
const WRITE_ATTEMPTS_MAX = 3
const REASON_MAX_CHARS = 300
const NON_TEXT_TYPE = /^(?:image|audio|video)\//

const INTRODUCTION =
  'The demo model computed these figures from what it could read. It does not interpret them.'

/**
 * Plans the next step of a turn with attached files. Returns null if none of them can contain text. `skill`: the skill whose
 * scripts may be run, or null.
 */
export function planFiles(turn: DemoTurn, skill: DemoSkill | null): FilesStep | null {
  const files = turn.uploads
    .filter(({ mediaType }) => !NON_TEXT_TYPE.test(mediaType))
    .slice(0, FILES_READ_MAX)
  if (files.length === 0) return null
  const scriptResults = skill === null ? NO_SCRIPTS : runScripts(turn, findScriptJobs(skill, files))
  if ('calls' in scriptResults) return scriptResults
  const { outputs, charts } = scriptResults

  const readAnswers = turn.toolResults.filter((answer) => answer.tool === 'read_file')
  const readResults = files.map((file) => ({
    file,
    answer: readAnswers.find(({ input }) => input['path'] === file.path),
  }))
  const unreadPaths = readResults
    .filter(({ file, answer }) => answer === undefined && !outputs.has(file.path))
    .map(({ file }) => file.path)
  if (unreadPaths.length > 0)
    return {
      text: `I read ${unreadPaths.map(nameOf).join(', ')}.`,
      calls: unreadPaths.map((path) => ({ name: 'read_file', input: { path } })),
    }

  const parts = readResults.flatMap(({ file, answer }) => {
    const output = outputs.get(file.path)
    if (output !== undefined) return [summarizeOutput(file, output, charts.get(file.path) ?? null)]
    return answer === undefined ? [] : [summarizeRead(file, answer)]
  })
  const skippedPaths = turn.uploads.filter((file) => !files.includes(file)).map(({ path }) => path)
  const lines = [
    ...parts.map(({ name, line }) => `- ${name}: ${line}`),
    ...skippedPaths.map((path) => `- ${nameOf(path)}: not read`),
  ].join('\n')
  if (parts.every(({ hasFailed }) => hasFailed))
    return { text: `I could not read any of the attached files:\n${lines}`, calls: [] }

  const writeCalls = turn.toolResults.filter((answer) => answer.tool === 'write_file')
  const successfulWrite = writeCalls.find((answer) => !answer.isError)
  if (successfulWrite === undefined) {
    const refusal = writeCalls.at(-1)?.text.trim()
    if (refusal !== undefined && writeCalls.length >= WRITE_ATTEMPTS_MAX)
      return {
        text: `No summary could be written: ${cutText(refusal, REASON_MAX_CHARS)}\n\n${lines}`,
        calls: [],
      }
    const path = unusedPath([...turn.writtenPaths, ...writeCalls.map(pathOf)])
    const skippedNotes = skippedPaths.length > 0 ? [`Not read: ${skippedPaths.map(nameOf).join(', ')}.`] : []
    const sections = parts.map(({ name, markdown }) => `## ${name}\n\n${markdown}`)
    const content = `${['# Summary', INTRODUCTION, ...sections, ...skippedNotes].join('\n\n')}\n`
    const text =
      refusal === undefined
        ? `I am writing ${nameOf(path)}.`
        : `That was refused. I am trying ${nameOf(path)}.`
    return { text, calls: [{ name: 'write_file', input: { path, content } }] }
  }
  const path = pathOf(successfulWrite)
  const presented = turn.toolResults.find((answer) => answer.tool === 'present_files')
  if (presented === undefined) {
    const paths = [path, ...charts.values()]
    return { text: 'I am presenting it.', calls: [{ name: 'present_files', input: { paths } }] }
  }
  const presentError = presented.isError
    ? ` It could not be presented: ${cutText(presented.text.trim(), REASON_MAX_CHARS)}`
    : ''
  const chartNotes = [...charts.values()].map((chart) => ` ${nameOf(chart)} shows them as a chart.`).join('')
  return { text: `${nameOf(path)} contains the figures.${chartNotes}${presentError}\n\n${lines}`, calls: [] }
}

interface ScriptResults {
  /** The outputs by the path of the upload. */
  readonly outputs: ReadonlyMap<string, ScriptOutput>
  readonly charts: ReadonlyMap<string, string>
}

const NO_SCRIPTS: ScriptResults = { outputs: new Map(), charts: new Map() }

/** Returns the next commands, or the results of all commands. Omits failed scripts, whose files are read instead. */
function runScripts(turn: DemoTurn, jobs: ReadonlyMap<string, ScriptJob>): FilesStep | ScriptResults {
  const pendingJobs = [...jobs].filter(
    ([, { command }]) => outputOfCommand(command, turn.toolResults) === null,
  )
  if (pendingJobs.length > 0)
    return bashStep(
      pendingJobs.map(([path, { script }]) => `I am running ${script} on ${nameOf(path)}.`).join(' '),
      pendingJobs.map(([, { command }]) => command),
    )
  const outputs = new Map<string, ScriptOutput>()
  const charts = new Map<string, string>()
  const pendingCharts: string[] = []
  for (const [path, { command, chart }] of jobs) {
    const output = outputOfCommand(command, turn.toolResults)
    if (output === null || output === 'failed') continue
    outputs.set(path, output)
    const chartOutput = chart && outputOfCommand(chart.command, turn.toolResults)
    if (chart && chartOutput === null) pendingCharts.push(chart.command)
    if (chart && chartOutput && chartOutput !== 'failed') charts.set(path, chart.path)
  }
  return pendingCharts.length > 0
    ? bashStep('The script can also draw a chart.', pendingCharts)
    : { outputs, charts }
}

function bashStep(text: string, commands: readonly string[]): FilesStep {
  return { text, calls: commands.map((command) => ({ name: 'bash', input: { command } })) }
}

interface FileSummary {
  readonly name: string
  readonly line: string
  readonly markdown: string
  readonly hasFailed: boolean
}

/** Quotes a script's output for a file unchanged. */
function summarizeOutput(
  file: AttachedFile,
  { lines: [line = '', ...otherLines], markdown }: ScriptOutput,
  chart: string | null,
): FileSummary {
  const name = nameOf(file.path)
  const picture = chart === null ? [] : [`![Chart](<${nameOf(chart)}>)`]
  return {
    name,
    line: [line, ...otherLines.map((item) => `  - ${item}`)].join('\n'),
    markdown: [markdown, ...picture].join('\n\n'),
    hasFailed: false,
  }
}

// The endings and texts of read_file's results: for a truncated file and for an empty one.
const TRUNCATION_NOTE = /\n\[cut(?: near line (\d+ of \d+))?[^\n]*\]$/
const EMPTY_FILE_TEXT = '(empty)'

function summarizeRead(file: AttachedFile, answer: ToolResult): FileSummary {
  const name = nameOf(file.path)
  if (answer.isError) {
    const failure = `could not be read: ${cutText(answer.text.replace(/\s+/g, ' ').trim(), REASON_MAX_CHARS)}`
    return { name, line: failure, markdown: `It ${failure}`, hasFailed: true }
  }
  const truncation = TRUNCATION_NOTE.exec(answer.text)
  const readPart = truncation && (truncation[1] === undefined ? 'in part' : `up to line ${truncation[1]}`)
  const text = answer.text === EMPTY_FILE_TEXT ? '' : answer.text.replace(TRUNCATION_NOTE, '')
  return { name, ...describeFile(text, file.mediaType, readPart), hasFailed: false }
}

/** `summary.md`, or if it was already written, the first free name from `summary-2.md` on. */
function unusedPath(existingPaths: readonly string[]): string {
  for (let count = 1; ; count++) {
    const path = `/mnt/user-data/outputs/summary${count === 1 ? '' : `-${count}`}.md`
    if (!existingPaths.includes(path)) return path
  }
}

function pathOf(answer: ToolResult): string {
  return asText(answer.input['path'])
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
