// The shape of a guest call for its handlers, and the bytes of its arguments.

import type { CallFailure } from './errors.ts'
import type { Value } from './values.ts'

/** A result, or the reason for a failure. */
export type CallResult = Value | { readonly failed: CallFailure }
export type HostCall = (...args: readonly Value[]) => CallResult | Promise<CallResult>

/** Text or bytes from a guest; an empty buffer arrives as undefined. */
export function bytesOf(value: Value | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value
  return new TextEncoder().encode(typeof value === 'string' ? value : '')
}
