// Reads and writes JSON in rows. If a row cannot be read, only that row is affected: its caller uses a
// replacement.

import { jsonDepth } from '../../lib/json-depth.ts'
import { STORED_JSON_MAX_DEPTH } from './limits.ts'

/**
 * Parses a row's JSON. Returns null if it is not a list or object, or if it nests too deeply to be processed.
 */
export function readStored<T extends object>(text: string): T | null {
  if (!/^[[{]/.test(text) || jsonDepth(text) > STORED_JSON_MAX_DEPTH) return null
  try {
    // The cast is safe: the caller that reads the column is also its writer.
    return JSON.parse(text) as T
  } catch {
    return null
  }
}

/** The JSON of a value for a row. Throws if readStored could not read it. */
export function writeStored(value: unknown): string {
  const text = JSON.stringify(value)
  if (jsonDepth(text) > STORED_JSON_MAX_DEPTH)
    throw new Error(`The JSON nests deeper than ${STORED_JSON_MAX_DEPTH} levels and cannot be stored.`)
  return text
}
