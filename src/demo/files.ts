// Plans what the demo model does with attached files: it runs the skill's script on them or reads them, then writes and presents
// a summary. Pure. The text about each file is composed in summary.ts.

import { cutText } from '../lib/text.ts'
import type { Json } from '../lib/json.ts'
import { asText } from '../lib/json.ts'
import type { DemoSkill, ToolAnswer, DemoTurn, AttachedFile } from './read.ts'
import { jobsFor, printedByCommand } from './scripts.ts'
import type { ScriptJob, Printed } from './scripts.ts'
import { describe } from './summary.ts'

/** One step of the model. If it has no calls, its text is the final answer. */
export interface FilesStep {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: Json }[]
}

/** The tools that work on files needs. All of them must be available. */
export const FILE_TOOLS = ['read_file', 'write_file', 'present_files'] as const

const FILES_AT_ONCE = 4
const WRITES = 3
const REASON_CHARS = 300
const MEDIA_TYPE = /^(?:image|audio|video)\//

const INTRODUCTION =
  'The demo model computed these figures from what it could read. It does not interpret them.'

/**
 * Plans the next step of a turn with attached files. Returns null if none of them can contain text. `skill`: the skill whose
 * scripts may be run, or null.
 */
export function planFiles(turn: DemoTurn, skill: DemoSkill | null): FilesStep | null {
  const files = turn.uploads.filter(({ type }) => !MEDIA_TYPE.test(type)).slice(0, FILES_AT_ONCE)
  if (files.length === 0) return null
  const scripted = skill === null ? NO_SCRIPTS : runScripts(turn, jobsFor(skill, files))
  if ('calls' in scripted) return scripted
  const { ran, charts } = scripted

  const reads = turn.answers.filter((answer) => answer.tool === 'read_file')
  const read = files.map((file) => ({ file, answer: reads.find(({ input }) => input['path'] === file.path) }))
  const unread = read
    .filter(({ file, answer }) => answer === undefined && !ran.has(file.path))
    .map(({ file }) => file.path)
  if (unread.length > 0)
    return {
      text: `I read ${unread.map(nameOf).join(', ')}.`,
      calls: unread.map((path) => ({ name: 'read_file', input: { path } })),
    }

  const parts = read.flatMap(({ file, answer }) => {
    const printed = ran.get(file.path)
    if (printed !== undefined) return [computed(file, printed, charts.get(file.path) ?? null)]
    return answer === undefined ? [] : [partOf(file, answer)]
  })
  const left = turn.uploads.filter((file) => !files.includes(file)).map(({ path }) => path)
  const lines = [
    ...parts.map(({ name, line }) => `- ${name}: ${line}`),
    ...left.map((path) => `- ${nameOf(path)}: not read`),
  ].join('\n')
  if (parts.every(({ failed }) => failed))
    return { text: `I could not read any of the attached files:\n${lines}`, calls: [] }

  const writes = turn.answers.filter((answer) => answer.tool === 'write_file')
  const written = writes.find((answer) => !answer.isError)
  if (written === undefined) {
    const refusal = writes.at(-1)?.text.trim()
    if (refusal !== undefined && writes.length >= WRITES)
      return { text: `No summary could be written: ${cutText(refusal, REASON_CHARS)}\n\n${lines}`, calls: [] }
    const path = freePath([...turn.written, ...writes.map(pathOf)])
    const more = left.length > 0 ? [`Not read: ${left.map(nameOf).join(', ')}.`] : []
    const about = parts.map(({ name, markdown }) => `## ${name}\n\n${markdown}`)
    const content = `${['# Summary', INTRODUCTION, ...about, ...more].join('\n\n')}\n`
    const text = refusal === undefined ? `I am writing ${path}.` : `That was refused. I am trying ${path}.`
    return { text, calls: [{ name: 'write_file', input: { path, content } }] }
  }
  const path = pathOf(written)
  const presented = turn.answers.find((answer) => answer.tool === 'present_files')
  if (presented === undefined) {
    const paths = [path, ...charts.values()]
    return { text: 'I am presenting it.', calls: [{ name: 'present_files', input: { paths } }] }
  }
  const shown = presented.isError
    ? ` It could not be presented: ${cutText(presented.text.trim(), REASON_CHARS)}`
    : ''
  const chartNotes = [...charts.values()].map((chart) => ` ${chart} shows them as a chart.`).join('')
  return { text: `${path} contains the figures.${chartNotes}${shown}\n\n${lines}`, calls: [] }
}

interface Scripted {
  /** The outputs by the path of the upload. */
  readonly ran: ReadonlyMap<string, Printed>
  readonly charts: ReadonlyMap<string, string>
}

const NO_SCRIPTS: Scripted = { ran: new Map(), charts: new Map() }

/** Returns the next commands, or the results of all commands. Omits failed scripts, whose files are read instead. */
function runScripts(turn: DemoTurn, jobs: ReadonlyMap<string, ScriptJob>): FilesStep | Scripted {
  const unrun = [...jobs].filter(([, { command }]) => printedByCommand(command, turn.answers) === null)
  if (unrun.length > 0)
    return bash(
      unrun.map(([path, { script }]) => `I am running ${script} on ${nameOf(path)}.`).join(' '),
      unrun.map(([, { command }]) => command),
    )
  const ran = new Map<string, Printed>()
  const charts = new Map<string, string>()
  const undrawn: string[] = []
  for (const [path, { command, chart }] of jobs) {
    const printed = printedByCommand(command, turn.answers)
    if (printed === null || printed === 'failed') continue
    ran.set(path, printed)
    const drawn = chart && printedByCommand(chart.command, turn.answers)
    if (chart && drawn === null) undrawn.push(chart.command)
    if (chart && drawn && drawn !== 'failed') charts.set(path, chart.path)
  }
  return undrawn.length > 0 ? bash('The script can also draw a chart.', undrawn) : { ran, charts }
}

function bash(text: string, commands: readonly string[]): FilesStep {
  return { text, calls: commands.map((command) => ({ name: 'bash', input: { command } })) }
}

interface Part {
  readonly name: string
  readonly line: string
  readonly markdown: string
  readonly failed: boolean
}

/** Quotes a script's output for a file unchanged. */
function computed(
  file: AttachedFile,
  { lines: [line = '', ...more], markdown }: Printed,
  chart: string | null,
): Part {
  const name = nameOf(file.path)
  const picture = chart === null ? [] : [`![Chart](<${nameOf(chart)}>)`]
  return {
    name,
    line: [line, ...more.map((one) => `  - ${one}`)].join('\n'),
    markdown: [markdown, ...picture].join('\n\n'),
    failed: false,
  }
}

// The endings and texts of read_file's results: for a truncated file and for an empty one.
const CUT = /\n\[cut(?: near line (\d+ of \d+))?[^\n]*\]$/
const EMPTY = '(empty)'

function partOf(file: AttachedFile, answer: ToolAnswer): Part {
  const name = nameOf(file.path)
  if (answer.isError) {
    const why = `could not be read: ${cutText(answer.text.replace(/\s+/g, ' ').trim(), REASON_CHARS)}`
    return { name, line: why, markdown: `It ${why}`, failed: true }
  }
  const cut = CUT.exec(answer.text)
  const part = cut && (cut[1] === undefined ? 'in part' : `up to line ${cut[1]}`)
  const text = answer.text === EMPTY ? '' : answer.text.replace(CUT, '')
  return { name, ...describe(text, file.type, part), failed: false }
}

/** `summary.md`, or if it was already written, the first free name from `summary-2.md` on. */
function freePath(taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const path = `/mnt/user-data/outputs/summary${count === 1 ? '' : `-${count}`}.md`
    if (!taken.includes(path)) return path
  }
}

function pathOf(answer: ToolAnswer): string {
  return asText(answer.input['path'])
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
