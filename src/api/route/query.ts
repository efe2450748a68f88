// What may stand behind the question mark of a path: the names its route lists, each once. Judges no value.

import type { Failure } from '../../lib/result.ts'
import { closeNames } from '../../lib/suggest.ts'
import { cutText } from '../../lib/text.ts'
import { FIELD_ERRORS_MAX, PAIR_KEY_MAX_CHARS } from '../../limits/requests.ts'

/** The `query` of every route that lists. */
export const PAGE_QUERY: readonly string[] = ['limit', 'cursor']

/** A name that nobody reads must not pass unheard: `?dryrun=1` would publish. Null: all are known. */
export function queryRefusal(url: string, known: readonly string[]): Failure | null {
  const seen = new Set<string>()
  const wrong: { readonly name: string; readonly twice: boolean }[] = []
  for (const name of new URL(url).searchParams.keys()) {
    const twice = seen.has(name)
    if (wrong.length < FIELD_ERRORS_MAX && (twice || !known.includes(name))) wrong.push({ name, twice })
    seen.add(name)
  }
  if (wrong.length === 0) return null
  const errors = wrong.map(({ name, twice }) => ({
    path: cutText(name, PAIR_KEY_MAX_CHARS),
    message: twice ? 'stands in the query twice' : unknown(name, known),
  }))
  const said = errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
  const takes = known.length > 0 ? known.join(', ') : 'no query'
  return { code: 'invalid_request', detail: `${said}. This route takes ${takes}.`, errors }
}

function unknown(name: string, known: readonly string[]): string {
  const close = closeNames(name, known)
  const hint = close.length > 0 ? ` (did you mean ${close.join(', ')}?)` : ''
  return `is not a parameter of this route${hint}`
}
