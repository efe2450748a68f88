// Detects templates that write JSON or a form as a string, where an input could end its field and add others, whatever
// the content type. Ignores other formats.

import type { TemplatePart } from './template.ts'

/** A prefix that may precede JSON: `payload=`, `data: `, `callback(`. */
const LABEL = /^\s*(?:[\w$.-]+\s*[=:(])?\s*/
const JSON_FIELD = /[{,[]\s*"[^"]*"\s*:/
const FORM = /^[\w.%[\]+-]+=/
const FORM_WITH_SEVERAL_FIELDS = /^[\w.%[\]+-]+=[^&]*&[\w.%[\]+-]+=/

/** Whether a template contains an input and also other parts. */
export function isMixed(parts: readonly TemplatePart[]): boolean {
  return parts.length > 1 && parts.some(({ kind }) => kind === 'input')
}

export function isJsonText(parts: readonly TemplatePart[]): boolean {
  return isMixed(parts) && possibleReadings(parts).some(looksLikeJson)
}

/**
 * Whether the template looks like a form. In a template for an entire body, one field is enough. Elsewhere
 * two are required, because `x=1` also occurs in prose.
 */
export function isFormText(parts: readonly TemplatePart[], isCompleteBody: boolean): boolean {
  return isMixed(parts) && (isCompleteBody ? FORM : FORM_WITH_SEVERAL_FIELDS).test(fillInputs(parts).trim())
}

/** The path segments and query values of a URL, decoded as a server would. */
export function valuesInUrl(parts: readonly TemplatePart[]): readonly (readonly TemplatePart[])[] {
  const values: TemplatePart[][] = [[]]
  for (const part of parts) {
    const pieces = part.kind === 'text' ? part.text.split(/[/?&=]/) : [null]
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) values.push([])
      values.at(-1)?.push(piece === null ? part : { kind: 'text', text: decodeFormText(piece) })
    }
  }
  return values
}

function decodeFormText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The complete text, and each line that contains an input, because each line may be a separate record. */
function possibleReadings(parts: readonly TemplatePart[]): readonly string[] {
  const lines = fillInputs(parts, '1\0').split('\n')
  return [
    fillInputs(parts),
    ...lines.filter((line) => line.includes('\0')).map((line) => line.replaceAll('\0', '')),
  ]
}

/** Replaces each input with a digit, which is valid JSON both as a value and inside a string. */
function fillInputs(parts: readonly TemplatePart[], input = '1'): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : input)).join('')
}

function looksLikeJson(text: string): boolean {
  const json = text.replace(LABEL, '').trim()
  if (!/^[{[]/.test(json)) return false
  if (JSON_FIELD.test(json)) return true
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
