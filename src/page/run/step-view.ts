// What an opened step shows: a terminal, a skill, a file, a web page, or fields and an answer. Pure.

import { parseJson, stringIn } from '../lib/fields.ts'
import { jsonText } from './details.ts'
import { extensionOf } from './files.ts'
import type { ToolItem } from './items.ts'

export type StepView =
  | {
      readonly kind: 'terminal'
      readonly command: string
      readonly output: string
      readonly exit: string | null
      readonly note: string
    }
  | { readonly kind: 'skill'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly text: string; readonly language: string }
  | {
      readonly kind: 'page'
      readonly url: string
      readonly text: string
      /** What went wrong, as a word or a status, or null. */
      readonly failure: string | null
    }
  | {
      readonly kind: 'fields'
      /** The status of an HTTP response, or null if there was none. */
      readonly status: string | null
      readonly answer: Readable
    }

/** A text, or fields with a name and a value each. */
export type Readable = string | readonly (readonly [name: string, value: string])[]

export function stepViewOf({ name, input, preview, state, skill }: ToolItem): StepView {
  const command = name === 'bash' ? stringIn(input, 'command') : null
  if (command !== null) return { kind: 'terminal', command, ...terminalOutput(preview, state) }
  const skillName =
    skill?.name ?? (name === 'load_skill' && state === 'done' ? stringIn(input, 'name') : null)
  if (skillName !== null) return { kind: 'skill', name: skillName }
  const path = stringIn(input, 'path')
  const content = stringIn(input, 'content')
  if (name === 'write_file' && path !== null && content !== null)
    return { kind: 'file', path, text: content, language: extensionOf(path) }
  if (name === 'read_file' && path !== null && state === 'done')
    return { kind: 'file', path, text: withoutFrame(preview), language: extensionOf(path) }
  const url = name === 'web_fetch' ? stringIn(input, 'url') : null
  if (url !== null) {
    const text = withoutFrame(preview)
    return { kind: 'page', url, ...(state === 'failed' ? fetchFailure(text) : { text, failure: null }) }
  }
  const { status, body } = splitResponse(withoutFrame(preview))
  return { kind: 'fields', status, answer: readable(body) }
}

/** The last note of a command's result, which Satchel adds in brackets. */
const COMMAND_NOTE = /(?:^|\n)\[([^\n]*)\]$/

function terminalOutput(
  preview: string,
  state: ToolItem['state'],
): { readonly output: string; readonly exit: string | null; readonly note: string } {
  const text = withoutFrame(preview)
  const note = state === 'running' ? null : COMMAND_NOTE.exec(text)
  const output = note ? text.slice(0, note.index) : text
  const [, code = null] = /\bExit code (\d+)\./.exec(note?.[1] ?? '') ?? []
  const exit = code === null ? (state === 'failed' ? 'failed' : null) : `exit ${code}`
  return { output, exit, note: (note?.[1] ?? '').replace(/\s*\bExit code \d+\.\s*/, ' ').trim() }
}

/** The status of a page that could not be fetched, and the rest of the message (src/tools/web/web-fetch.ts). */
function fetchFailure(text: string): { readonly failure: string; readonly text: string } {
  const [sentence = '', status = null] = /^\S+ responded with status (\d{3})\.\s*/.exec(text) ?? []
  return { failure: status === null ? 'failed' : `HTTP ${status}`, text: text.slice(sentence.length) }
}

/** The text without the tags that wrap a result for the model. */
function withoutFrame(text: string): string {
  return text.replace(/^<([a-z_]+)(?: [^>\n]*)?>\n?/, '').replace(/\n?<\/[a-z_]+>$/, '')
}

/** Splits the result of an HTTP tool (src/tools/http/answer.ts). Its status and headers are the lines before the first empty one. */
function splitResponse(text: string): { readonly status: string | null; readonly body: string } {
  const [, status = null, headers = '', body = ''] =
    /^HTTP (\d{3})[^\n]*\n((?:[^\n]+\n)*)(?:\n([^]*))?$/.exec(`${text}\n`) ?? []
  if (status === null) return { status, body: text }
  return { status: `HTTP ${status}`, body: [headers.trim(), body.trimEnd()].filter(Boolean).join('\n\n') }
}

/** JSON as readable fields or lines; any other text unchanged. */
function readable(text: string): Readable {
  if (!/^\s*[[{]/.test(text)) return text
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return withoutJsonSigns(text)
  return Array.isArray(value) ? linesOf(value, READABLE_DEPTH).join('\n') : inputFields(value)
}

/** Removes the punctuation of indented JSON that was cut off and cannot be parsed. Other text keeps its lines. */
function withoutJsonSigns(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*[[\]{}]+,?\s*$/.test(line))
    .map((line) =>
      line
        .replace(/^(\s*)"([^"\\]*)": /, '$1$2: ')
        .replace(/^(\s*(?:[^":]*: )?)"/, '$1')
        .replace(/"?,?$/, ''),
    )
    .join('\n')
}

/** The fields of an input as text. */
export function inputFields(input: unknown): readonly (readonly [name: string, value: string])[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).map(([name, value]) => [name, linesOf(value, READABLE_DEPTH).join('\n')])
}

/** Maximum number of levels that are indented. Deeper values are rare, and shown as JSON. */
const READABLE_DEPTH = 6

/** A value as lines: a list has a dash before each entry, and an object a line for each field. */
function linesOf(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value.split('\n')
  if (typeof value !== 'object' || value === null || depth === 0) return [jsonText(value)]
  if (Array.isArray(value))
    return value.flatMap((entry: unknown) =>
      linesOf(entry, depth - 1).map((line, at) => (at === 0 ? `– ${line}` : `  ${line}`)),
    )
  return Object.entries(value).flatMap(([name, field]) => {
    const lines = linesOf(field, depth - 1)
    const isShort = lines.length === 1 && (typeof field !== 'object' || field === null)
    return isShort ? [`${name}: ${lines[0]}`] : [`${name}:`, ...lines.map((line) => `  ${line}`)]
  })
}
