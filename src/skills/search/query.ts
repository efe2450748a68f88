// Parses the three forms of a query: `select:a,b` names skills; `+part rest` requires a part of the name (not of the
// description or body); anything else is free text.

import { SEARCH_TERMS_MAX } from './limits.ts'
import { fold } from './tokens.ts'

export type Query =
  /** Each name once, in query order. */
  | { readonly form: 'select'; readonly names: readonly string[] }
  | {
      readonly form: 'rank'
      /** Folded parts that a name must contain: the first SEARCH_TERMS_MAX, each once. */
      readonly musts: readonly string[]
      readonly text: string
    }

/** Null for an empty query: blank, or a lone `+`. No part of it is ever used as a pattern. */
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
  const musts: string[] = []
  let at = 0
  for (; parts[at]?.startsWith('+'); at++) musts.push(fold(parts[at]?.slice(1) ?? ''))
  const text = parts.slice(at).join(' ')
  const demanded = [...new Set(musts.filter(Boolean))].slice(0, SEARCH_TERMS_MAX)
  return demanded.length === 0 && text === '' ? null : { form: 'rank', musts: demanded, text }
}
