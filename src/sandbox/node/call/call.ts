// Types of guest calls and their handlers, and a function that reads bytes from arguments.

import type { CallFailure } from './errors.ts'
import type { Value } from './values.ts'

/** A result, or the reason for a failure. */
export type CallResult = Value | { readonly failed: CallFailure }
export type HostCall = (...args: readonly Value[]) => CallResult | Promise<CallResult>

/** The bytes of an argument that is text or a buffer. QuickJS passes an empty buffer as undefined. */
export function bytesOf(value: Value | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value
  return new TextEncoder().encode(typeof value === 'string' ? value : '')
}
