// Describes what a value of a Python or JavaScript file may hold: remote text, keys, or a connection.

import { moreSevere } from '../../shell/shell-origin.ts'
import type { FetchSource } from './fetch-source.ts'

export interface FlowValue {
  /** Where the text was fetched from, or 'decoded'; null for other values. */
  readonly code: FetchSource | null
  /** 1 for a path to keys, 2 for keys, 0 for neither. */
  readonly keys: 0 | 1 | 2
  /** True for a connection, or for text received over one. */
  readonly isFromConnection: boolean
}

export const NOTHING: FlowValue = { code: null, keys: 0, isFromConnection: false }

/** The value with only its `keys`. */
export function withKeysOnly(value: FlowValue): FlowValue {
  return value.keys === 0 ? NOTHING : { ...NOTHING, keys: value.keys }
}

export function mergeValues(a: FlowValue, b: FlowValue): FlowValue {
  if (b === NOTHING) return a
  if (a === NOTHING) return b
  return {
    code: moreSevereSource(a.code, b.code),
    keys: a.keys > b.keys ? a.keys : b.keys,
    isFromConnection: a.isFromConnection || b.isFromConnection,
  }
}

function moreSevereSource(a: FetchSource | null, b: FetchSource | null): FetchSource | null {
  if (a === null || a === 'unknown') return b ?? a
  return b === null || b === 'unknown' ? a : moreSevere(a, b)
}
