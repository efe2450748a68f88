// What a schema says of a request, in words for its sender: each field by its path. Never quotes a value.

import type * as z from 'zod'
import { FIELD_ERRORS_MAX } from '../limits.ts'

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
    return [{ path: at(path), message: words(issue.message) }]
  const meant = closest(issue.errors)
  if (meant) return meant.flatMap((inner) => said(inner, path))
  const kinds = issue.errors.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === 'invalid_type' ? inner.expected : [])),
  )
  return [{ path: at(path), message: kinds.length > 0 ? `must be ${kinds.join(' or ')}` : 'does not fit' }]
}

/** The alternative that the sender came closest to: its errors lie inside the value. Null: none fits at all. */
function closest(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const reach = (branch: readonly Issue[]): number =>
    Math.max(...branch.map((inner) => inner.path.length + (inner.code === 'unrecognized_keys' ? 1 : 0)))
  const best = branches.toSorted((a, b) => reach(b) - reach(a))[0]
  return best && reach(best) > 0 ? best : null
}

function words(message: string): string {
  return message.replace(/^Invalid input: /, '').replace(/^expected .*, received undefined$/, 'is missing')
}
