// Describes what a value may hold: text that someone else controls, keys, or text from a connection.

import { graver } from '../shell/shell-origin.ts'
import type { Origin } from '../shell/shell-origin.ts'

export interface Taint {
  /** The origin of text from another machine or decoded text; null for other text. */
  readonly code: Origin | null
  /**
   * True if the text took a detour, such as a variable or a filter. Honest installers pipe it directly into a
   * shell.
   */
  readonly isBent: boolean
  /** True for a file that was only extracted from an archive. */
  readonly isPacked: boolean
  /** 1 for a single token, which has honest uses; 2 for key files or the whole environment; 0 for neither. */
  readonly secret: 0 | 1 | 2
  /** The program that printed the token. */
  readonly owner: string
  /** True for text from a connection, or for the output of a program that ran text from another machine. */
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
