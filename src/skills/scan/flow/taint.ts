// What a value may hold, as far as a reader can tell: text that somebody else chose, keys, or what a connection says. Pure.

import { graver } from '../shell/shell-origin.ts'
import type { Origin } from '../shell/shell-origin.ts'

export interface Taint {
  /** Text from elsewhere, or that nobody can read. */
  readonly code: Origin | null
  /** It came by more than a pipe: nobody who installs a product goes such a way. */
  readonly isBent: boolean
  /** It was only packed: a file out of an archive. */
  readonly isPacked: boolean
  /** 1: one token, which has honest uses; 2: files of keys, or all there is. */
  readonly secret: 0 | 1 | 2
  /** The program that printed the token. */
  readonly owner: string
  /** It comes over a connection, or from a program that was given text from elsewhere. */
  readonly isLive: boolean
}

export const CLEAN: Taint = {
  code: null,
  isBent: false,
  isPacked: false,
  secret: 0,
  owner: '',
  isLive: false,
}

export function both(a: Taint, b: Taint): Taint {
  if (a === CLEAN || a === b) return b
  if (b === CLEAN) return a
  return {
    code: graver(a.code, b.code),
    isBent: a.isBent || b.isBent,
    isPacked: a.isPacked || b.isPacked,
    secret: a.secret > b.secret ? a.secret : b.secret,
    owner: a.owner === '' ? b.owner : a.owner,
    isLive: a.isLive || b.isLive,
  }
}

export function bent(taint: Taint): Taint {
  return taint.code === null ? taint : { ...taint, isBent: true }
}
