// What an edit of just-bash's bundle is: a text that is found as often as said, and what is put in its place.

export interface Edit {
  readonly find: RegExp
  readonly times: number
  /** As in String.replace: `$1` is the first group. */
  readonly put: string
}
