// Reads JSON from rows. An unreadable row affects only itself: its reader gets a replacement.

import { jsonDepth } from '../../lib/json-depth.ts'
import { STORED_MAX_DEPTH } from './limits.ts'

/** The list or object of a row's JSON; null if it is neither, or nests too deep for the code after parsing. */
export function readStored<T extends object>(text: string): T | null {
  if (!/^[[{]/.test(text) || jsonDepth(text) > STORED_MAX_DEPTH) return null
  try {
    // The column's writer is its reader, so the caller names the type.
    return JSON.parse(text) as T
  } catch {
    return null
  }
}

/** The JSON of a value for a row. Throws if it could not be read again. */
export function writeStored(value: unknown): string {
  const text = JSON.stringify(value)
  if (jsonDepth(text) > STORED_MAX_DEPTH)
    throw new Error(`JSON that nests deeper than ${STORED_MAX_DEPTH} levels is not stored.`)
  return text
}
