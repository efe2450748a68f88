// Describes tool calls for users: a verb and its object. Draws nothing.

import { signal, type Signal } from '@preact/signals'

import type { ToolLabel } from '../../agent/tool.ts'
import { field, pathsOf } from '../lib/fields.ts'
import { nameOf } from './files.ts'
import type { ToolItem } from './items.ts'

/** Labels by tool name, from the server. Until they arrive, and for tools without one, the tool's name is shown. */
export const labels: Signal<ReadonlyMap<string, ToolLabel>> = signal(new Map())

/** Characters of the object on one line; the opened step has all of it. */
const OBJECT_CHARS = 120

export function actOf(name: string): ToolLabel {
  const label = labels.value.get(name)
  if (label) return label
  const [now, past, failed] = [`Calling ${name}`, `Called ${name}`, `The call failed: ${name}`]
  return { icon: 'tool', now, past, failed, many: 'times' }
}

/** What the call acts on, in one line; '' if nothing short describes it. */
function objectOf({ name, input, skill }: Pick<ToolItem, 'name' | 'input' | 'skill'>): string {
  if (!labels.value.has(name)) return ''
  const text =
    skill?.name ??
    field(input, 'pattern') ??
    field(input, 'query') ??
    addressOf(input) ??
    field(input, 'command') ??
    (pathsOf(input).map(nameOf).join(', ') || field(input, 'name'))
  const [line = ''] = (text ?? '').trim().split('\n')
  const points = Array.from(line)
  return points.length > OBJECT_CHARS ? `${points.slice(0, OBJECT_CHARS).join('')}…` : line
}

/** "Reading severity-levels.md", "Read severity-levels.md". */
export function lineOf(item: ToolItem): { readonly verb: string; readonly object: string } {
  if (item.state === 'denied') return { verb: `Denied: ${item.name}`, object: objectOf(item) }
  const act = actOf(item.name)
  const verb = { running: act.now, done: act.past, failed: act.failed, stopped: act.now }[item.state]
  return { verb, object: objectOf(item) }
}

function addressOf(input: unknown): string | null {
  const url = field(input, 'url')
  return url === null ? null : url.replace(/^https?:\/\//, '')
}
