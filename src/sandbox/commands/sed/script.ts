// A parsed script of `sed`.

import type { Pattern } from '../pattern/pattern.ts'

/** Null: the pattern used last. */
export type Wanted = Pattern | null

export type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'pattern'; readonly pattern: Wanted }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  /** As the end of a range: this many lines more. */
  | { readonly kind: 'more'; readonly lines: number }
  /** As the end of a range: the next multiple. */
  | { readonly kind: 'multiple'; readonly of: number }

/** Part of a replacement. `once`: the case of the next character; `mode`: the case of all that follows. */
export type ReplacementPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'mode'; readonly mode: 'upper' | 'lower' | 'none' }
  | { readonly kind: 'once'; readonly once: 'upper' | 'lower' }

export interface Substitution {
  readonly pattern: Wanted
  readonly replacement: readonly ReplacementPart[]
  readonly global: boolean
  /** The first match that is replaced. */
  readonly number: number
  readonly print: boolean
  /** A file that the result is written to. */
  readonly file: string | null
}

export interface SedCommand {
  readonly name: string
  readonly from: Address | null
  readonly to: Address | null
  readonly negated: boolean
  /** Text of `a`, `i`, `c`; a label; a file. */
  readonly text: string
  /** Exit code of `q` and `Q`, width of `l`. */
  readonly number: number | null
  readonly substitution: Substitution | null
  /** For `y`: pairs of characters. */
  readonly characters: ReadonlyMap<string, string> | null
  /** Index of the command to go on with: after a jump, or behind a block that is skipped. -1: the end. */
  target: number
}

export interface SedScript {
  readonly commands: readonly SedCommand[]
  /** It begins with `#n`. */
  readonly quiet: boolean
}
