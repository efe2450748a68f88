// Formats a request body for a person: JSON and forms with one line per field, so that truncation hides no field and no value can
// displace another. The result is displayed, never sent.

import { jsonDepth } from '../lib/json-depth.ts'
import { cutText } from '../lib/text.ts'
import { JSON_MAX_DEPTH } from '../limits/requests.ts'

/** Lengths to which each value may be shortened. The first length with which the formatted body fits is used. */
const VALUE_MAX_CHARS_CHOICES: readonly number[] = [Infinity, 400, 100, 40]

interface FormattedBody {
  readonly text: string
  /** The number of characters to which long values were truncated, or null if no value was truncated. */
  readonly valueMaxChars: number | null
}

/** Formats a JSON or form body to at most `maxChars`. Returns null for other bodies, and for bodies with too many fields. */
export function formatBody(body: string, maxChars: number): FormattedBody | null {
  const format = jsonFormatter(body) ?? formFormatter(body)
  if (format === null) return null
  for (const valueChars of VALUE_MAX_CHARS_CHOICES) {
    const text = format(valueChars)
    if (text.length <= maxChars) return { text, valueMaxChars: text === format(Infinity) ? null : valueChars }
  }
  return null
}

type Formatter = (valueChars: number) => string

/**
 * Formats only JSON that is the same after parsing and serializing. Other JSON, such as with duplicate names or with numbers that
 * would be rounded, is shown as it is sent.
 */
function jsonFormatter(body: string): Formatter | null {
  if (!/^[[{]/.test(body) || jsonDepth(body) > JSON_MAX_DEPTH) return null
  try {
    const value: unknown = JSON.parse(body)
    return JSON.stringify(value) === body ? (valueChars) => formatJson(value, valueChars, '') : null
  } catch {
    return null
  }
}

function formFormatter(body: string): Formatter | null {
  if (!body.includes('=') || new URLSearchParams(body).toString() !== body) return null
  const fields = body.split('&')
  return (valueChars) => fields.map((field) => shorten(field, valueChars, (text) => text)).join('\n&')
}

function formatJson(value: unknown, valueChars: number, indent: string): string {
  if (typeof value === 'string') return quote(value, valueChars)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => formatJson(item, valueChars, inner))
    : Object.entries(value).map(
        ([name, child]) => `${quote(name, valueChars)}: ${formatJson(child, valueChars, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (lines.length === 0) return `${open}${close}`
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`
}

function quote(text: string, chars: number): string {
  return shorten(text, chars, JSON.stringify)
}

/** Puts the note after the quotes, where no value can forge it. */
function shorten(text: string, chars: number, write: (text: string) => string): string {
  if (text.length <= chars) return write(text)
  return `${write(cutText(text, chars))} [… the first ${chars} of ${text.length} characters]`
}
