// Whether a text with inputs in it looks like JSON or a form: an input could close the string or field around it and
// add others, whatever a header says. Pure. Ignores other formats.

import type { TemplatePart } from './template.ts'

/** What may precede JSON in a text without other content: `payload=`, `data: `, `callback(`. */
const LABEL = /^\s*(?:[\w$.-]+\s*[=:(])?\s*/
const JSON_FIELD = /[{,[]\s*"[^"]*"\s*:/
const FORM = /^[\w.%[\]+-]+=/
const FORM_OF_SEVERAL = /^[\w.%[\]+-]+=[^&]*&[\w.%[\]+-]+=/

/** It contains an input, and other parts. */
export function isMixed(parts: readonly TemplatePart[]): boolean {
  return parts.length > 1 && parts.some(({ kind }) => kind === 'input')
}

export function isJsonText(parts: readonly TemplatePart[]): boolean {
  return isMixed(parts) && readings(parts).some(looksLikeJson)
}

/** `whole`: it is a body, where one field makes a form; otherwise two are needed, because `x=1` occurs in sentences. */
export function isFormText(parts: readonly TemplatePart[], whole: boolean): boolean {
  return isMixed(parts) && (whole ? FORM : FORM_OF_SEVERAL).test(filled(parts).trim())
}

/** The path segments and query values of a URL, as a server decodes them. */
export function valuesInUrl(parts: readonly TemplatePart[]): readonly (readonly TemplatePart[])[] {
  const values: TemplatePart[][] = [[]]
  for (const part of parts) {
    const pieces = part.kind === 'text' ? part.text.split(/[/?&=]/) : [null]
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) values.push([])
      values.at(-1)?.push(piece === null ? part : { kind: 'text', text: decoded(piece) })
    }
  }
  return values
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The whole text, and each line with an input: a line may be a record of its own. */
function readings(parts: readonly TemplatePart[]): readonly string[] {
  const lines = filled(parts, '1\0').split('\n')
  return [
    filled(parts),
    ...lines.filter((line) => line.includes('\0')).map((line) => line.replaceAll('\0', '')),
  ]
}

/** A digit is valid in JSON both as a value and in a string. */
function filled(parts: readonly TemplatePart[], input = '1'): string {
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
