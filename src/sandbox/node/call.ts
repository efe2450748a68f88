// What a call of the guest is, for those who answer some. Shapes, and bytes of what was handed over.

import type { CallFailure } from './errors.ts'
import type { Value } from './values.ts'

/** An answer, or why there is none. */
export type CallResult = Value | { readonly failed: CallFailure }
export type HostCall = (...args: readonly Value[]) => CallResult | Promise<CallResult>

/** Text or bytes that a guest handed over; an empty buffer comes as nothing. */
export function bytesOf(value: Value | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value
  return new TextEncoder().encode(typeof value === 'string' ? value : '')
}
