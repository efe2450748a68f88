// Checks that a URL contains only query parameters that its route lists, each at most once. Does not check their values.

import type { Failure } from '../../lib/result.ts'
import { findCloseNames } from '../../lib/suggest.ts'
import { cutText } from '../../lib/text.ts'
import { FIELD_ERRORS_MAX, PAIR_KEY_MAX_CHARS } from '../../limits/requests.ts'

/** The query parameters of every route that returns a list. */
export const PAGE_QUERY: readonly string[] = ['limit', 'cursor']

/** Refuses unknown parameters, because ignoring `?dryrun=1` would publish. Returns null if all names are known. */
export function queryRefusal(url: string, known: readonly string[]): Failure | null {
  const seen = new Set<string>()
  const invalid: { readonly name: string; readonly isDuplicate: boolean }[] = []
  for (const name of new URL(url).searchParams.keys()) {
    const isDuplicate = seen.has(name)
    if (invalid.length < FIELD_ERRORS_MAX && (isDuplicate || !known.includes(name)))
      invalid.push({ name, isDuplicate })
    seen.add(name)
  }
  if (invalid.length === 0) return null
  const errors = invalid.map(({ name, isDuplicate }) => ({
    path: cutText(name, PAIR_KEY_MAX_CHARS),
    message: isDuplicate ? 'appears more than once in the query' : unknownMessage(name, known),
  }))
  const problems = errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
  const accepted = known.length > 0 ? `only the parameters ${known.join(', ')}` : 'no query parameters'
  return { code: 'invalid_request', detail: `${problems}. This route accepts ${accepted}.`, errors }
}

function unknownMessage(name: string, known: readonly string[]): string {
  const close = findCloseNames(name, known)
  const hint = close.length > 0 ? ` (did you mean ${close.join(', ')}?)` : ''
  return `is not a parameter of this route${hint}`
}
