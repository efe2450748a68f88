// The one way out of QuickJS: a function that the host put there. Taken away from scripts before any runs.

type Raw = (operation: string, ...args: readonly Handed[]) => string | number | ArrayBuffer | null | undefined
/** What may be handed over. */
export type Handed = string | number | boolean | ArrayBufferLike | null | undefined

// The cast: the machine sets it before this code runs.
const holder = globalThis as unknown as { host?: Raw }
const raw = holder.host as Raw
delete holder.host

/** A call that failed. */
export interface Failure {
  readonly code: string
  readonly message: string
}

/** Asks the host; null where it failed, then `failure` says why. */
export function tried(
  operation: string,
  ...args: readonly Handed[]
): string | number | ArrayBuffer | null | undefined {
  return raw(operation, ...args)
}

export function failure(): Failure {
  // The cast: the host's own words.
  return JSON.parse(String(raw('failure'))) as Failure
}

/** Asks for text. */
export function textOf(operation: string, ...args: readonly Handed[]): string {
  return String(raw(operation, ...args))
}

/** Bytes as the host takes them: a buffer that holds them alone. */
export function handed(view: ArrayBufferView): ArrayBufferLike | string {
  if (view.byteLength === 0) return ''
  if (view.byteLength === view.buffer.byteLength) return view.buffer
  return view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)
}

/** The bytes that the host gave. */
export function bytesOf(given: unknown): Uint8Array<ArrayBuffer> {
  return given instanceof ArrayBuffer ? new Uint8Array(given) : new Uint8Array(0)
}
