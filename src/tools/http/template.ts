// Parses the templates of an HTTP tool's request into parts, so that a value that is filled in is never parsed as a
// template. The caller decides how values are encoded.

import { err, ok, type Result } from '../../lib/result.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { SECRET_NAME } from '../../secrets/name.ts'

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `path` contains the names of the fields, from the root of the input. */
  | { readonly kind: 'input'; readonly path: readonly string[] }
  | { readonly kind: 'secret'; readonly name: string }

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const FIELD = /^[A-Za-z0-9_-]{1,64}$/

/** Parses a template. The error continues a sentence that begins with the field's path: `has …`. */
export function parseTemplate(template: string): Result<readonly TemplatePart[], string> {
  const parts: TemplatePart[] = []
  let partEnd = 0
  const addText = (textEnd: number): void => {
    if (textEnd > partEnd) parts.push({ kind: 'text', text: template.slice(partEnd, textEnd) })
  }
  for (const match of template.matchAll(PLACEHOLDER)) {
    const part = parsePlaceholder((match[1] ?? '').trim())
    if (!part.ok) return part
    addText(match.index)
    parts.push(part.value)
    partEnd = match.index + match[0].length
  }
  addText(template.length)
  // JSON objects may end in `}}`, so only `{{` is checked.
  if (parts.some((part) => part.kind === 'text' && part.text.includes('{{')))
    return err('has "{{" without a valid placeholder; write {{input.field}} or {{secrets.NAME}}')
  return ok(parts)
}

function parsePlaceholder(inner: string): Result<TemplatePart, string> {
  const [root, ...names] = inner.split('.')
  const malformed = err(
    `has a malformed placeholder {{${inner.slice(0, 80)}}}; write {{input.field}}, {{input.a.b}} or {{secrets.NAME}}`,
  )
  if (root === 'secrets') {
    const [name] = names
    return name !== undefined && names.length === 1 && SECRET_NAME.test(name)
      ? ok({ kind: 'secret', name })
      : malformed
  }
  const hasValidNames =
    names.length > 0 && names.length <= JSON_MAX_DEPTH && names.every((name) => FIELD.test(name))
  return root === 'input' && hasValidNames ? ok({ kind: 'input', path: names }) : malformed
}

/** Converts a value to text: lists and objects to JSON, null to an empty string. */
export function templateText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The path of the input if the template consists of exactly one input, otherwise null. */
export function lonePath(parts: readonly TemplatePart[]): readonly string[] | null {
  const [part] = parts
  return part?.kind === 'input' && parts.length === 1 ? part.path : null
}

/** Yields every string in a JSON value with its path, except the names of fields, which are not templates. */
export function* textsOf(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [readonly string[], string]> {
  if (typeof value === 'string') yield [path, value]
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsOf(item, [...path, String(index)])
  else if (typeof value === 'object' && value !== null)
    for (const [name, field] of Object.entries(value)) yield* textsOf(field, [...path, name])
}
