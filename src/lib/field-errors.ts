// What a schema says of a request, in words for its sender: each field by its path. Never quotes a value.

import type * as z from 'zod'
import { FIELD_ERRORS_MAX } from '../limits/requests.ts'

export interface FieldError {
  readonly path: string
  readonly message: string
}

type Issue = z.core.$ZodIssue

export function fieldErrors(issues: readonly Issue[]): readonly FieldError[] {
  return issues.flatMap((issue) => said(issue, [])).slice(0, FIELD_ERRORS_MAX)
}

type Path = readonly PropertyKey[]

function said(issue: Issue, before: Path): readonly FieldError[] {
  const path = [...before, ...issue.path]
  const at = (key: Path): string => key.map(String).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: at([...path, key]), message: 'is not a field of this request' }))
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return [{ path: at(path), message: words(issue) }]
  const meant = closest(issue.errors)
  if (meant) return meant.flatMap((inner) => said(inner, path))
  const kinds = issue.errors.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === 'invalid_type' ? kindOf(inner.expected) : [])),
  )
  if (issue.errors.flat().every((inner) => inner.message.endsWith(MISSING)))
    return [{ path: at(path), message: 'is missing' }]
  return [{ path: at(path), message: kinds.length > 0 ? `must be ${kinds.join(' or ')}` : 'does not fit' }]
}

/** The alternative that the sender came closest to: its errors lie inside the value. Null: none fits at all. */
function closest(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const reach = (branch: readonly Issue[]): number =>
    Math.max(...branch.map((inner) => inner.path.length + (inner.code === 'unrecognized_keys' ? 1 : 0)))
  const best = branches.toSorted((a, b) => reach(b) - reach(a))[0]
  return best && reach(best) > 0 ? best : null
}

/** How the schema library ends what it says of an absent field. */
const MISSING = ', received undefined'

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function kindOf(expected: string): string {
  return KINDS[expected] ?? expected
}

/** Our own words as they are; the schema library's only where it says nothing that we know. */
function words(issue: Issue): string {
  const { message } = issue
  if (message.endsWith(MISSING)) return 'is missing'
  if (!/^(?:Too (?:small|big): |Invalid )/.test(message)) return message
  if (issue.code === 'invalid_type') return `must be ${kindOf(issue.expected)}`
  if (issue.code === 'invalid_value') return oneOf(issue.values)
  // The field that tells which of several shapes is meant.
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options) return oneOf(issue.options)
  if (issue.code === 'invalid_format') return FORMATS[issue.format] ?? 'does not fit'
  if (issue.code === 'too_small')
    return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum))
  if (issue.code === 'too_big')
    return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum))
  if (issue.code === 'invalid_key') return 'has a name that does not fit'
  return 'does not fit'
}

const FORMATS: Readonly<Record<string, string>> = {
  base64: 'must be padded standard base64',
  url: 'must be an https URL',
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((one) => (typeof one === 'string' ? JSON.stringify(one) : String(one)))
  return shown.length === 1 ? `must be ${shown[0]}` : `must be one of ${shown.join(', ')}`
}

const COUNTED: Readonly<Record<string, string>> = { string: 'character', array: 'item' }

function bound(origin: string, side: string, limit: number): string {
  const unit = COUNTED[origin]
  if (unit === undefined) return `must be ${side} ${limit}`
  if (side === 'at least' && limit === 1) return 'must not be empty'
  return `must have ${side} ${limit} ${unit}${limit === 1 ? '' : 's'}`
}
