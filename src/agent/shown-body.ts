// A body as a person reads it: JSON and forms with a line for each field, so that truncation never hides a field, and no value moves
// others on its line. Pure. The result is shown, never sent.

import { jsonDepth } from '../lib/json-depth.ts'
import { cutText } from '../lib/text.ts'
import { JSON_MAX_DEPTH } from '../limits/requests.ts'

/** Characters that are shown of each value; the first number by which the body fits is taken. */
const VALUE_CHARS: readonly number[] = [Infinity, 400, 100, 40]

interface FormattedBody {
  readonly text: string
  /** Characters of a value beyond which it was cut; null if none was. */
  readonly cut: number | null
}

/** At most `max` characters; null if it is neither, or has too many fields for that. */
export function formatBody(body: string, max: number): FormattedBody | null {
  const written = jsonWriter(body) ?? formWriter(body)
  if (written === null) return null
  for (const chars of VALUE_CHARS) {
    const text = written(chars)
    if (text.length <= max) return { text, cut: text === written(Infinity) ? null : chars }
  }
  return null
}

type Writer = (chars: number) => string

/** Only what says the same when it is written anew: a name that comes twice, or a number that is rounded, is shown as it is sent. */
function jsonWriter(body: string): Writer | null {
  if (!/^[[{]/.test(body) || jsonDepth(body) > JSON_MAX_DEPTH) return null
  try {
    const value: unknown = JSON.parse(body)
    return JSON.stringify(value) === body ? (chars) => written(value, chars, '') : null
  } catch {
    return null
  }
}

function formWriter(body: string): Writer | null {
  if (!body.includes('=') || new URLSearchParams(body).toString() !== body) return null
  const fields = body.split('&')
  return (chars) => fields.map((field) => shortened(field, chars, (text) => text)).join('\n&')
}

function written(value: unknown, chars: number, indent: string): string {
  if (typeof value === 'string') return quoted(value, chars)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((one) => written(one, chars, inner))
    : Object.entries(value).map(([name, one]) => `${quoted(name, chars)}: ${written(one, chars, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (lines.length === 0) return `${open}${close}`
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`
}

function quoted(text: string, chars: number): string {
  return shortened(text, chars, JSON.stringify)
}

/** After the quotes, where no value can say the same of itself. */
function shortened(text: string, chars: number, write: (text: string) => string): string {
  if (text.length <= chars) return write(text)
  return `${write(cutText(text, chars))} [… the first ${chars} of ${text.length} characters]`
}
