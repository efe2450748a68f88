// Parses the three forms of a query: `select:a,b` names skills; `+part text` requires a part of the name and ranks by
// the text; anything else is free text.

import { SEARCH_TERMS_MAX } from './limits.ts'
import { fold } from './tokens.ts'

export type Query =
  /** The names, each once, in query order. */
  | { readonly form: 'select'; readonly names: readonly string[] }
  | {
      readonly form: 'rank'
      /** The folded parts that a name must contain, each once, at most SEARCH_TERMS_MAX. */
      readonly requiredParts: readonly string[]
      readonly text: string
    }

/** The parsed query, or null if it is empty: blank, or only a `+`. No part of it is ever used as a pattern. */
export function readQuery(query: string): Query | null {
  const trimmed = query.trim()
  const select = /^select\s*:/i.exec(trimmed)
  if (select) {
    const names = trimmed
      .slice(select[0].length)
      .split(/[,\s]+/)
      .filter(Boolean)
    return names.length === 0 ? null : { form: 'select', names: Array.from(new Set(names)) }
  }
  const parts = trimmed.split(/\s+/)
  const requiredParts: string[] = []
  let index = 0
  for (; parts[index]?.startsWith('+'); index++) requiredParts.push(fold(parts[index]?.slice(1) ?? ''))
  const text = parts.slice(index).join(' ')
  const required = [...new Set(requiredParts.filter(Boolean))].slice(0, SEARCH_TERMS_MAX)
  return required.length === 0 && text === '' ? null : { form: 'rank', requiredParts: required, text }
}
