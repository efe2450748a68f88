// The templates of an HTTP tool's request: read, checked, and filled in one pass, so that what is filled in is never read
// as a template again. Knows nothing of URLs or headers: whoever fills says how a value is written in its place.

import { err, ok, type Result } from '../../lib/result.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { SECRET_NAME } from '../../secrets/name.ts'

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `path`: names of fields, from the input's root. */
  | { readonly kind: 'input'; readonly path: readonly string[] }
  | { readonly kind: 'secret'; readonly name: string }

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const FIELD = /^[A-Za-z0-9_-]{1,64}$/

/** Fails in words that follow the field's path: `has …`. */
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
  // JSON ends in `}}` where objects do: only what opens a placeholder must be one.
  if (parts.some((part) => part.kind === 'text' && part.text.includes('{{')))
    return err('has "{{" that begins no placeholder: write {{input.field}} or {{secrets.NAME}}')
  return ok(parts)
}

function placeholder(words: string): Result<TemplatePart, string> {
  const [root, ...names] = words.split('.')
  const bad = err(
    `has a malformed placeholder {{${words.slice(0, 80)}}}: write {{input.field}}, {{input.a.b}} or {{secrets.NAME}}`,
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

/** As it stands in a text: lists and objects as JSON, nothing for null. */
export function templateText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The one placeholder of the input that a template consists of; null where it is anything else. */
export function lonePath(parts: readonly TemplatePart[]): readonly string[] | null {
  const [only, ...more] = parts
  return only?.kind === 'input' && more.length === 0 ? only.path : null
}

/** Every text within a JSON value, with its path. Names of fields are no templates. */
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
