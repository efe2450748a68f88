// What the demo model does with files that the user attached: read them, write a summary of them, present it. Pure; what it
// says of a file is in demo-summary.ts.

import { cutText } from '../lib/text.ts'
import type { Json } from './json.ts'
import { asText } from './json.ts'
import type { ToolAnswer, Turn, Upload } from './demo-read.ts'
import { describe } from './demo-summary.ts'

/** Without calls: the words with which the work ends. */
export interface FilesStep {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: Json }[]
}

/** All of them must be offered. */
export const FILE_TOOLS = ['read_file', 'write_file', 'present_files'] as const

const FILES_AT_ONCE = 4
const WRITES = 3
const REASON_CHARS = 300
const PICTURED = /^(?:image|audio|video)\//

const INTRODUCTION = 'Counted by the demo model from what it could read. It judges nothing.'

/** The next step of a turn with attached files; null where none of them could hold text. */
export function planFiles(turn: Turn): FilesStep | null {
  const files = turn.uploads.filter(({ type }) => !PICTURED.test(type)).slice(0, FILES_AT_ONCE)
  if (files.length === 0) return null
  const reads = turn.answers.filter((answer) => answer.tool === 'read_file')
  const read = files.map((file) => ({ file, answer: reads.find(({ input }) => input['path'] === file.path) }))
  const unread = read.filter(({ answer }) => answer === undefined).map(({ file }) => file.path)
  if (unread.length > 0)
    return {
      text: `I read ${unread.map(nameOf).join(', ')}.`,
      calls: unread.map((path) => ({ name: 'read_file', input: { path } })),
    }

  const parts = read.flatMap(({ file, answer }) => (answer === undefined ? [] : [partOf(file, answer)]))
  const left = turn.uploads.filter((file) => !files.includes(file)).map(({ path }) => path)
  const lines = [
    ...parts.map(({ name, line }) => `- ${name}: ${line}`),
    ...left.map((path) => `- ${nameOf(path)}: not read`),
  ].join('\n')
  if (parts.every(({ failed }) => failed))
    return { text: `I could read none of the attached files:\n${lines}`, calls: [] }

  const writes = turn.answers.filter((answer) => answer.tool === 'write_file')
  const written = writes.find((answer) => !answer.isError)
  if (written === undefined) {
    const said = writes.at(-1)?.text.trim()
    if (said !== undefined && writes.length >= WRITES)
      return { text: `No summary could be written: ${cutText(said, REASON_CHARS)}\n\n${lines}`, calls: [] }
    const path = freePath([...turn.written, ...writes.map(pathOf)])
    const more = left.length > 0 ? [`Not read: ${left.map(nameOf).join(', ')}.`] : []
    const about = parts.map(({ name, markdown }) => `## ${name}\n\n${markdown}`)
    const content = `${['# Summary', INTRODUCTION, ...about, ...more].join('\n\n')}\n`
    const text = said === undefined ? `I write ${path}.` : `That was refused. I try ${path}.`
    return { text, calls: [{ name: 'write_file', input: { path, content } }] }
  }
  const path = pathOf(written)
  const presented = turn.answers.find((answer) => answer.tool === 'present_files')
  if (presented === undefined)
    return { text: 'I hand it over.', calls: [{ name: 'present_files', input: { paths: [path] } }] }
  const shown = presented.isError
    ? ` It could not be presented: ${cutText(presented.text.trim(), REASON_CHARS)}`
    : ''
  return { text: `${path} says what I counted.${shown}\n\n${lines}`, calls: [] }
}

interface Part {
  readonly name: string
  readonly line: string
  readonly markdown: string
  readonly failed: boolean
}

// How read_file ends what it had to cut, and what it says of a file without a byte.
const CUT = /\n\[cut(?: near line (\d+ of \d+))?[^\n]*\]$/
const EMPTY = '(empty)'

function partOf(file: Upload, answer: ToolAnswer): Part {
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

/** `summary.md`, or the first `summary-2.md` … that was not written before. */
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
