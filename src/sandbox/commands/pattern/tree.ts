// The syntax tree of a regular expression.

import type { CharSet } from './char-set.ts'

/** Positions: the start or end of a line (`^`, `$`) or of the text, and word boundaries. */
export type Mark =
  | 'lineStart'
  | 'lineEnd'
  | 'textStart'
  | 'textEnd'
  | 'wordEdge'
  | 'noWordEdge'
  | 'wordStart'
  | 'wordEnd'
  | 'noWordBefore'
  | 'noWordAfter'

export type Tree =
  | { readonly kind: 'char'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly items: readonly Tree[] }
  | { readonly kind: 'choice'; readonly options: readonly Tree[] }
  | { readonly kind: 'group'; readonly index: number; readonly body: Tree }
  /** `max` may be infinite. */
  | { readonly kind: 'repeat'; readonly body: Tree; readonly min: number; readonly max: number }
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'reference'; readonly index: number }

/** An invalid pattern, with the C library's message. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

export function sequence(items: readonly Tree[]): Tree {
  const [only] = items
  return only && items.length === 1 ? only : { kind: 'sequence', items }
}

export function choice(options: readonly Tree[]): Tree {
  const [only] = options
  return only && options.length === 1 ? only : { kind: 'choice', options }
}
