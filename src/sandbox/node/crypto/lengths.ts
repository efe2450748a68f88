// How long a digest or a derived key may be that a script asks for.

import { integer } from '../../wasm/guest-numbers.ts'
import { failed } from '../call/handles.ts'
import { NODE_DERIVED_MAX_BYTES } from '../call/limits.ts'

import type { CallResult } from '../call/call.ts'

/** The length in bytes; null if it is none, or too long. */
export function derivedLength(value: unknown): number | null {
  return integer(value, 0, NODE_DERIVED_MAX_BYTES)
}

export function tooLong(value: unknown): CallResult {
  return failed(
    'ERR_OUT_OF_RANGE',
    `digests and derived keys may have up to ${NODE_DERIVED_MAX_BYTES} bytes here, not ${String(value)}`,
  )
}
