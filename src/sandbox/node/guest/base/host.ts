// The only way out of QuickJS: a function that the host sets. It is removed before any script runs.

type Raw = (operation: string, ...args: readonly Handed[]) => string | number | ArrayBuffer | null | undefined
/** Types that a call can pass. */
export type Handed = string | number | boolean | ArrayBufferLike | null | undefined

// The cast is safe: the machine sets this function before the code runs.
const holder = globalThis as unknown as { host?: Raw }
const raw = holder.host as Raw
delete holder.host

/** A failed call. */
export interface Failure {
  readonly code: string
  readonly message: string
}

/** Calls the host. Returns null if the call failed; `failure` then returns the reason. */
export function tried(
  operation: string,
  ...args: readonly Handed[]
): string | number | ArrayBuffer | null | undefined {
  return raw(operation, ...args)
}

export function failure(): Failure {
  // The cast is safe: the host created this JSON.
  return JSON.parse(String(raw('failure'))) as Failure
}

/** Calls the host and returns text. */
export function textOf(operation: string, ...args: readonly Handed[]): string {
  return String(raw(operation, ...args))
}

/** Converts bytes to the form that the host accepts: a buffer that contains only them. */
export function handed(view: ArrayBufferView): ArrayBufferLike | string {
  if (view.byteLength === 0) return ''
  if (view.byteLength === view.buffer.byteLength) return view.buffer
  return view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)
}

/** Converts bytes that the host returned. */
export function bytesOf(given: unknown): Uint8Array<ArrayBuffer> {
  return given instanceof ArrayBuffer ? new Uint8Array(given) : new Uint8Array(0)
}
