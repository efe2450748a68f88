// Describes what a value may hold: text that someone else controls, keys, or text from a connection.

import { moreSevere } from '../shell/shell-origin.ts'
import type { Origin } from '../shell/shell-origin.ts'

export interface Taint {
  /** The origin of text from another machine or decoded text; null for other text. */
  readonly origin: Origin | null
  /**
   * True if the text took a detour, such as a variable or a filter. Honest installers pipe it directly into a
   * shell.
   */
  readonly isIndirect: boolean
  /** True for a file that was only extracted from an archive. */
  readonly isExtracted: boolean
  /** 1 for a single token, which has honest uses; 2 for key files or the whole environment; 0 for neither. */
  readonly secretLevel: 0 | 1 | 2
  /** The program that printed the token. */
  readonly owner: string
  /** True for text from a connection, or for the output of a program that ran text from another machine. */
  readonly isFromConnection: boolean
}

export const CLEAN: Taint = {
  origin: null,
  isIndirect: false,
  isExtracted: false,
  secretLevel: 0,
  owner: '',
  isFromConnection: false,
}

export function mergeTaints(a: Taint, b: Taint): Taint {
  if (a === CLEAN || a === b) return b
  if (b === CLEAN) return a
  return {
    origin: moreSevere(a.origin, b.origin),
    isIndirect: a.isIndirect || b.isIndirect,
    isExtracted: a.isExtracted || b.isExtracted,
    secretLevel: a.secretLevel > b.secretLevel ? a.secretLevel : b.secretLevel,
    owner: a.owner === '' ? b.owner : a.owner,
    isFromConnection: a.isFromConnection || b.isFromConnection,
  }
}

export function markIndirect(taint: Taint): Taint {
  return taint.origin === null ? taint : { ...taint, isIndirect: true }
}
