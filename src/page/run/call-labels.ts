// Describes tool calls in words, with the server's labels. Renders nothing.

import { signal, type Signal } from '@preact/signals'

import type { ToolLabel } from '../../agent/tool.ts'
import { defaultLabel, describeCall, shownToolName } from '../../client/call-text.ts'
import type { IconName } from '../parts/icon.tsx'
import type { ToolItem } from './items.ts'

/** Labels by tool name, from the server. A tool without a label is shown by its name. */
export const labels: Signal<ReadonlyMap<string, ToolLabel>> = signal(new Map())

/** What each tool does, by name: the first sentence of its description, from the server. */
export const purposes: Signal<ReadonlyMap<string, string>> = signal(new Map())

export function labelOf(name: string): ToolLabel {
  return labels.value.get(name) ?? defaultLabel(name)
}

/** Titles for built-in tools, whose descriptions are written for the model. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['bash', 'Run a command'],
  ['web_fetch', 'Fetch a page from the web'],
  ['web_search', 'Search the web'],
  ['write_file', 'Write a file'],
])

/** What a call of the tool would do, as a title, or null if it is not known. */
export function titleOfCall(name: string): string | null {
  return TITLES.get(name) ?? purposes.value.get(name) ?? null
}

/** The icon of a tool. On the page, a pencil means to edit, and angle brackets mean source code. */
export function iconOfCall(name: string): IconName {
  const { icon } = labelOf(name)
  return { pencil: 'write' as const, code: 'terminal' as const }[String(icon)] ?? icon
}

/** The line of a step, such as "Reading severity-levels.md" or "Read severity-levels.md". */
export function callLine(item: ToolItem): { readonly verb: string; readonly object: string } {
  const { name, input, state, skill } = item
  const label = labels.value.get(name) ?? null
  const { verb, object } = describeCall({ name, input, state, skillName: skill?.name ?? null }, label)
  // The name of a tool without a label is part of the verb. The page emphasizes it like an object.
  const shown = shownToolName(name)
  if (object === '' && verb.endsWith(` ${shown}`))
    return { verb: verb.slice(0, -shown.length - 1), object: shown }
  return { verb, object: scriptName(object) ?? object }
}

const SCRIPT_NAMES: ReadonlyMap<string, string> = new Map([
  ['python', 'a Python script'],
  ['python3', 'a Python script'],
  ['node', 'a JavaScript script'],
  ['bash', 'a shell script'],
  ['sh', 'a shell script'],
])

/** What a command runs if its script is part of it, as in "python3 - <<'END'"; null for any other command. */
function scriptName(command: string): string | null {
  const [, program = ''] = /^(\w+)(?: +-\S*)* *<<-? *['"]?\w+['"]?$/.exec(command) ?? []
  return SCRIPT_NAMES.get(program) ?? null
}
