// Whether a text with inputs in it is JSON or a form by how it reads: an input could close the string or field that it stands
// in there and add others, whatever a header says. Pure. Texts of other languages are not looked at.

import type { TemplatePart } from './template.ts'

/** What may stand before JSON in a text that holds nothing else: `payload=`, `data: `, `callback(`. */
const LABEL = /^\s*(?:[\w$.-]+\s*[=:(])?\s*/
const JSON_FIELD = /[{,[]\s*"[^"]*"\s*:/
const FORM = /^[\w.%[\]+-]+=/
const FORM_OF_SEVERAL = /^[\w.%[\]+-]+=[^&]*&[\w.%[\]+-]+=/

/** A place for an input stands in it, with something around. */
export function isMixed(parts: readonly TemplatePart[]): boolean {
  return parts.length > 1 && parts.some(({ kind }) => kind === 'input')
}

export function isJsonText(parts: readonly TemplatePart[]): boolean {
  return isMixed(parts) && readings(parts).some(looksLikeJson)
}

/** `whole`: it is a body, where one field makes a form; else several do, for `x=1` stands in sentences. */
export function isFormText(parts: readonly TemplatePart[], whole: boolean): boolean {
  return isMixed(parts) && (whole ? FORM : FORM_OF_SEVERAL).test(filled(parts).trim())
}

/** The steps and the fields' values of a URL behind its host, as a server decodes them. */
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

/** All of it, and each line that has an input: one may be a record of its own. */
function readings(parts: readonly TemplatePart[]): readonly string[] {
  const lines = filled(parts, '1\0').split('\n')
  return [
    filled(parts),
    ...lines.filter((line) => line.includes('\0')).map((line) => line.replaceAll('\0', '')),
  ]
}

/** A digit is a value of its own in JSON as well as a part of a string. */
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
