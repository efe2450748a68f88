// Describes tool calls for users, as a verb and its object. Renders nothing.

import { signal, type Signal } from '@preact/signals'

import type { ToolLabel } from '../../agent/tool.ts'
import { stringIn, pathsOf } from '../lib/fields.ts'
import { nameOf } from './files.ts'
import type { ToolItem } from './items.ts'

/** Labels by tool name, from the server. A tool without a label is shown by its name. */
export const labels: Signal<ReadonlyMap<string, ToolLabel>> = signal(new Map())

/** What each tool does, by name: the first sentence of its description, from the server. */
export const purposes: Signal<ReadonlyMap<string, string>> = signal(new Map())

/** Maximum length of the object in a step's line. The opened step shows the full input. */
const OBJECT_CHARS_MAX = 120

export function labelOf(name: string): ToolLabel {
  const label = labels.value.get(name)
  if (label) return label
  const [now, past, failed] = [`Calling ${name}`, `Called ${name}`, `The call failed: ${name}`]
  return { icon: 'tool', now, past, failed, many: 'times' }
}

/** The roots of paths, which only the model needs. */
const FILE_ROOTS = /\/mnt\/(?:user-data|skills\/(?:public|custom))\//g

/** A text without the roots of its paths. */
export function withoutRoots(text: string): string {
  return text.replaceAll(FILE_ROOTS, '')
}

/** What the call acts on, in one line, or '' if no input field describes it. */
function objectOf({ name, input, skill }: Pick<ToolItem, 'name' | 'input' | 'skill'>): string {
  if (!labels.value.has(name)) return ''
  const text =
    skill?.name ??
    stringIn(input, 'pattern') ??
    stringIn(input, 'query') ??
    addressOf(input) ??
    stringIn(input, 'command') ??
    (pathsOf(input).map(nameOf).join(', ') || stringIn(input, 'name'))
  const [line = ''] = withoutRoots(text ?? '')
    .trim()
    .split('\n')
  const codePoints = Array.from(line)
  return codePoints.length > OBJECT_CHARS_MAX ? `${codePoints.slice(0, OBJECT_CHARS_MAX).join('')}…` : line
}

/** The line of a step, such as "Reading severity-levels.md" or "Read severity-levels.md". */
export function callLine(item: ToolItem): { readonly verb: string; readonly object: string } {
  if (item.state === 'denied') return { verb: `Denied: ${item.name}`, object: objectOf(item) }
  const label = labelOf(item.name)
  const verb = { running: label.now, done: label.past, failed: label.failed, stopped: label.now }[item.state]
  return { verb, object: objectOf(item) }
}

function addressOf(input: unknown): string | null {
  const url = stringIn(input, 'url')
  return url === null ? null : url.replace(/^https?:\/\//, '')
}
