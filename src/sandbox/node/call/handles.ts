// Host objects that a guest refers to by number, such as an unfinished digest. They are dropped when the job ends.

import { Killed } from '../../wasm/stop.ts'
import { NODE_HANDLES_MAX } from './limits.ts'

import type { CallResult } from './call.ts'
import type { Value } from './values.ts'

export class Handles<T extends object> {
  readonly #byNumber = new Map<Value | undefined, T>()
  #last = 0

  /** Stores `held` and returns its number, or a failure if there are too many. */
  add(held: T): CallResult {
    if (this.#byNumber.size >= NODE_HANDLES_MAX)
      return failed(
        'ERR_OUT_OF_RESOURCES',
        `more than ${NODE_HANDLES_MAX} unfinished digests, ciphers or streams: finish some first`,
      )
    this.#byNumber.set((this.#last += 1), held)
    return this.#last
  }

  /** The object with this number. Throws if there is none. */
  get(number: Value | undefined): T {
    const held = this.#byNumber.get(number)
    if (held) return held
    throw new Error('there is no such handle')
  }

  /** Like `get`, but also removes the object. */
  take(number: Value | undefined): T {
    const held = this.get(number)
    this.#byNumber.delete(number)
    return held
  }

  drop(number: Value | undefined): void {
    this.#byNumber.delete(number)
  }
}

export function failed(code: string, message: string): CallResult {
  return { failed: { code, message } }
}

/** The failure for an error of a host library. Its code is `code` unless the error has its own. Rethrows `Killed`. */
export function failedBy(error: unknown, code: string): CallResult {
  if (error instanceof Killed) throw error
  const own: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return failed(typeof own === 'string' ? own : code, error instanceof Error ? error.message : String(error))
}
