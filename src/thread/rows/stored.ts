// Reads JSON out of rows. A row that cannot be read costs itself only: whoever asks for it gets what stands in its place.

import { jsonDepth } from '../../lib/json-depth.ts'
import { STORED_MAX_DEPTH } from './limits.ts'

/**
 * The list or the object of a row's JSON; null where it is none, or nests so deep that what comes after parsing would not
 * survive it.
 */
export function readStored<T extends object>(text: string): T | null {
  if (!/^[[{]/.test(text) || jsonDepth(text) > STORED_MAX_DEPTH) return null
  try {
    // The column's writer is its reader: the type is the caller's to name.
    return JSON.parse(text) as T
  } catch {
    return null
  }
}

/** The JSON of a value that is to become a row. Throws where it could not be read again. */
export function writeStored(value: unknown): string {
  const text = JSON.stringify(value)
  if (jsonDepth(text) > STORED_MAX_DEPTH)
    throw new Error(`JSON that nests deeper than ${STORED_MAX_DEPTH} levels is not written down.`)
  return text
}
