// The syntax tree of a `sed` script.

import type { Pattern } from '../pattern/pattern.ts'

/** Null for the last used pattern. */
export type Wanted = Pattern | null

export type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'pattern'; readonly pattern: Wanted }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  /** As the end of a range: this many more lines. */
  | { readonly kind: 'more'; readonly lines: number }
  /** As the end of a range: the next line number that is a multiple. */
  | { readonly kind: 'multiple'; readonly of: number }

/** Part of a replacement. `once` changes the case of the next character, `mode` that of all following text. */
export type ReplacementPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'mode'; readonly mode: 'upper' | 'lower' | 'none' }
  | { readonly kind: 'once'; readonly once: 'upper' | 'lower' }

export interface Substitution {
  readonly pattern: Wanted
  readonly replacement: readonly ReplacementPart[]
  readonly global: boolean
  /** The number of the first match to replace. */
  readonly number: number
  readonly print: boolean
  /** A file to which the result is written. */
  readonly file: string | null
}

export interface SedCommand {
  readonly name: string
  readonly from: Address | null
  readonly to: Address | null
  readonly negated: boolean
  /** The text of `a`, `i` and `c`, a label, or a file name. */
  readonly text: string
  /** The exit code of `q` and `Q`, or the width of `l`. */
  readonly number: number | null
  readonly substitution: Substitution | null
  /** The replacements of `y`. */
  readonly characters: ReadonlyMap<string, string> | null
  /** Index of the next command after a jump or a skipped block; -1 for the end. */
  target: number
}

export interface SedScript {
  readonly commands: readonly SedCommand[]
  /** Whether the script begins with `#n`. */
  readonly quiet: boolean
}
