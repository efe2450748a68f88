// The three forms of a query: `select:a,b` names skills, `+part rest` demands a part of the name (not of the
// description, nor of the text), the rest is free text.

import { SEARCH_TERMS_MAX } from './limits.ts'
import { fold } from './tokens.ts'

export type Query =
  /** Each name once, in the order asked. */
  | { readonly form: 'select'; readonly names: readonly string[] }
  | {
      readonly form: 'rank'
      /** Folded parts that a name must have, all of them: the first SEARCH_TERMS_MAX, each once. */
      readonly musts: readonly string[]
      readonly text: string
    }

/** Null for a query that asks for nothing: blank, or a lone `+`. No part of it is ever run as a pattern. */
export function readQuery(query: string): Query | null {
  const asked = query.trim()
  const select = /^select\s*:/i.exec(asked)
  if (select) {
    const names = asked
      .slice(select[0].length)
      .split(/[,\s]+/)
      .filter(Boolean)
    return names.length === 0 ? null : { form: 'select', names: Array.from(new Set(names)) }
  }
  const words = asked.split(/\s+/)
  const musts: string[] = []
  let at = 0
  for (; words[at]?.startsWith('+'); at++) musts.push(fold(words[at]?.slice(1) ?? ''))
  const text = words.slice(at).join(' ')
  const demanded = [...new Set(musts.filter(Boolean))].slice(0, SEARCH_TERMS_MAX)
  return demanded.length === 0 && text === '' ? null : { form: 'rank', musts: demanded, text }
}
