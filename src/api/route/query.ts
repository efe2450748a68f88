// Checks that a URL contains only query parameters that its route lists, each at most once. Does not check their values.

import type { Failure } from '../../lib/result.ts'
import { findCloseNames } from '../../lib/suggest.ts'
import { cutText } from '../../lib/text.ts'
import { FIELD_ERRORS_MAX, PAIR_KEY_MAX_CHARS } from '../../limits/requests.ts'

/** The query parameters of every route that returns a list. */
export const PAGE_QUERY: readonly string[] = ['limit', 'cursor']

/** Refuses unknown parameters, because ignoring `?dryrun=1` would publish. Returns null if all names are known. */
export function refuseUnknownQuery(url: string, knownParameters: readonly string[]): Failure | null {
  const seenNames = new Set<string>()
  const invalidParameters: { readonly name: string; readonly isDuplicate: boolean }[] = []
  for (const name of new URL(url).searchParams.keys()) {
    const isDuplicate = seenNames.has(name)
    if (invalidParameters.length < FIELD_ERRORS_MAX && (isDuplicate || !knownParameters.includes(name)))
      invalidParameters.push({ name, isDuplicate })
    seenNames.add(name)
  }
  if (invalidParameters.length === 0) return null
  const errors = invalidParameters.map(({ name, isDuplicate }) => ({
    path: cutText(name, PAIR_KEY_MAX_CHARS),
    message: isDuplicate ? 'appears more than once in the query' : unknownMessage(name, knownParameters),
  }))
  const problems = errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
  const accepted =
    knownParameters.length > 0 ? `only the parameters ${knownParameters.join(', ')}` : 'no query parameters'
  return { code: 'invalid_request', detail: `${problems}. This route accepts ${accepted}.`, errors }
}

function unknownMessage(name: string, knownParameters: readonly string[]): string {
  const close = findCloseNames(name, knownParameters)
  const hint = close.length > 0 ? ` (did you mean ${close.join(', ')}?)` : ''
  return `is not a parameter of this route${hint}`
}
