// What an opened step shows: a terminal, a file, a web address, or fields. Pure.

import { stringIn } from '../lib/fields.ts'
import { extensionOf, nameOf } from './files.ts'
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
      readonly kind: 'fields'
      readonly result: string
    }

export function stepViewOf({ name, input, preview, state, skill }: ToolItem): StepView {
  const command = name === 'bash' ? stringIn(input, 'command') : null
  if (command !== null) return { kind: 'terminal', command, ...terminalOutput(preview, state) }
  if (skill) return { kind: 'skill', name: skill.name }
  const path = stringIn(input, 'path')
  const content = stringIn(input, 'content')
  if (name === 'write_file' && path !== null && content !== null)
    return { kind: 'file', path, text: content, language: languageFor(path) }
  if (name === 'read_file' && path !== null && state === 'done')
    return { kind: 'file', path, text: withoutFrame(preview), language: languageFor(path) }
  return { kind: 'fields', result: withoutFrame(preview) }
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

/** The text without the tags in which a result is framed for the model. */
function withoutFrame(text: string): string {
  return text.replace(/^<([a-z_]+)(?: [^>\n]*)?>\n?/, '').replace(/\n?<\/[a-z_]+>$/, '')
}

function languageFor(path: string): string {
  return extensionOf(nameOf(path))
}

/** The fields of an input as text. Values that are not text are shown as JSON. */
export function inputFields(input: unknown): readonly (readonly [string, string])[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  ])
}
