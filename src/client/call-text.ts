// Says what a tool call does, as a verb and its object. The page and the terminal use the same text. Pure.

import type { ToolLabel } from '../agent/tool.ts'

/** `denied`: a person refused it or nobody answered in time, so the call never ran. */
export type DescribedCallState = 'running' | 'done' | 'failed' | 'stopped' | 'denied'

export interface DescribedCall {
  readonly name: string
  readonly input: unknown
  readonly state: DescribedCallState
  /** The skill that the call loaded, or null. */
  readonly skillName: string | null
}

/** Maximum length of the object. The page shows the full input of a step. */
const OBJECT_CHARS_MAX = 120

/** The name of a tool as people read it. That of an MCP tool tells its server and its name there: "add_note on notes". */
export function shownToolName(name: string): string {
  const [, server, tool] = /^mcp_([a-z0-9-]+)_(.+)$/.exec(name) ?? []
  return server === undefined || tool === undefined ? name : `${tool} on ${server}`
}

/** The label of a tool that has none of its own. */
export function defaultLabel(name: string): ToolLabel {
  const shown = shownToolName(name)
  const [now, past, failed] = [`Calling ${shown}`, `Called ${shown}`, `The call failed: ${shown}`]
  return { icon: 'tool', now, past, failed, many: 'times' }
}

/**
 * The text for a call, such as "Reading" and "severity-levels.md", or "Read" once it is done. `label`: that of its tool, or null if
 * it has none; the object is then ''.
 */
export function describeCall(
  call: DescribedCall,
  label: ToolLabel | null,
): { readonly verb: string; readonly object: string } {
  const object = label ? objectOf(call) : ''
  if (call.state === 'denied') return { verb: `Denied: ${shownToolName(call.name)}`, object }
  const { now, past, failed } = label ?? defaultLabel(call.name)
  return { verb: { running: now, done: past, failed, stopped: now }[call.state], object }
}

/** The roots of paths, which only the model needs. */
const FILE_ROOTS = /\/mnt\/(?:user-data|skills\/(?:public|custom))\//g

/** A text without the roots of its paths. */
export function withoutRoots(text: string): string {
  return text.replaceAll(FILE_ROOTS, '')
}

/** What the call acts on, in one line, or '' if no input field describes it. */
function objectOf({ input, skillName }: DescribedCall): string {
  const fields: Readonly<Record<string, unknown>> =
    typeof input === 'object' && input !== null ? { ...input } : {}
  const texts = ['pattern', 'query', 'url', 'command'].map((name) => textOf(fields[name]))
  const [pattern = '', query = '', url = '', command = ''] = texts
  const paths = [fields['path'], ...(Array.isArray(fields['paths']) ? fields['paths'] : [])]
  const names = paths.map((path) => nameOfPath(textOf(path))).filter((name) => name !== '')
  const candidates = [
    skillName ?? '',
    pattern,
    query,
    url.replace(/^https?:\/\//, ''),
    command,
    names.join(', '),
  ]
  const text = candidates.find((candidate) => candidate !== '') ?? textOf(fields['name'])
  const [line = ''] = withoutRoots(text).trim().split('\n')
  const codePoints = Array.from(line)
  return codePoints.length > OBJECT_CHARS_MAX ? `${codePoints.slice(0, OBJECT_CHARS_MAX).join('')}…` : line
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function nameOfPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
