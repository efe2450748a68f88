// An edit of just-bash's bundle replaces a text that must occur an exact number of times.

export interface Edit {
  readonly find: RegExp
  readonly times: number
  /** As in String.replace: `$1` is the first group. */
  readonly put: string
}
