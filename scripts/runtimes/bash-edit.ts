// An edit of just-bash's bundle: a text with an exact number of matches, and its replacement.

export interface Edit {
  readonly find: RegExp
  readonly times: number
  /** As in String.replace: `$1` is the first group. */
  readonly put: string
}
