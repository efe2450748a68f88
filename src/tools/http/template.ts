// The templates of an HTTP tool's request: parsed, checked, and filled in one pass, so that a filled value is never
// parsed as a template. Knows nothing of URLs or headers: the caller decides how a value is encoded.

import { err, ok, type Result } from '../../lib/result.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { SECRET_NAME } from '../../secrets/name.ts'

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `path`: names of fields, from the root of the input. */
  | { readonly kind: 'input'; readonly path: readonly string[] }
  | { readonly kind: 'secret'; readonly name: string }

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const FIELD = /^[A-Za-z0-9_-]{1,64}$/

/** Failure: a text that follows the field's path: `has …`. */
export function parseTemplate(template: string): Result<readonly TemplatePart[], string> {
  const parts: TemplatePart[] = []
  let end = 0
  const text = (upTo: number): void => {
    if (upTo > end) parts.push({ kind: 'text', text: template.slice(end, upTo) })
  }
  for (const match of template.matchAll(PLACEHOLDER)) {
    const part = placeholder((match[1] ?? '').trim())
    if (!part.ok) return part
    text(match.index)
    parts.push(part.value)
    end = match.index + match[0].length
  }
  text(template.length)
  // JSON objects may end in `}}`, so only an opening must belong to a placeholder.
  if (parts.some((part) => part.kind === 'text' && part.text.includes('{{')))
    return err('has "{{" without a placeholder: write {{input.field}} or {{secrets.NAME}}')
  return ok(parts)
}

function placeholder(inner: string): Result<TemplatePart, string> {
  const [root, ...names] = inner.split('.')
  const bad = err(
    `has a malformed placeholder {{${inner.slice(0, 80)}}}: write {{input.field}}, {{input.a.b}} or {{secrets.NAME}}`,
  )
  if (root === 'secrets') {
    const [name, ...more] = names
    return name !== undefined && more.length === 0 && SECRET_NAME.test(name)
      ? ok({ kind: 'secret', name })
      : bad
  }
  const fits = names.length > 0 && names.length <= JSON_MAX_DEPTH && names.every((name) => FIELD.test(name))
  return root === 'input' && fits ? ok({ kind: 'input', path: names }) : bad
}

/** A value in a text: lists and objects as JSON, null as nothing. */
export function templateText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The path of the one input that is the whole template; null otherwise. */
export function lonePath(parts: readonly TemplatePart[]): readonly string[] | null {
  const [only, ...more] = parts
  return only?.kind === 'input' && more.length === 0 ? only.path : null
}

/** Every text in a JSON value, with its path. Names of fields are not templates. */
export function* textsOf(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [readonly string[], string]> {
  if (typeof value === 'string') yield [path, value]
  else if (Array.isArray(value))
    for (const [index, one] of value.entries()) yield* textsOf(one, [...path, String(index)])
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) yield* textsOf(one, [...path, name])
}
