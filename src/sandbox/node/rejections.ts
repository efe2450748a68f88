// Tracks rejected promises without a handler, as QuickJS reports them. Increments the reference counts of their values,
// so that QuickJS does not free them.

import { TAG } from './call/names.ts'

import type { Memory } from '../wasm/memory.ts'

export class Rejections {
  readonly #memory: Memory
  /** The rejection reasons by promise, both as the 64 bits of a JSValue. */
  readonly #rejected = new Map<bigint, bigint>()

  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** QuickJS calls this when a promise is rejected without a handler, and when it gets a handler later. */
  readonly track = (_context: number, promise: bigint, reason: bigint, handled: number): void => {
    if (handled !== 0) this.#rejected.delete(promise)
    else {
      this.#retain(promise)
      this.#retain(reason)
      this.#rejected.set(promise, reason)
    }
  }

  /** A value with a negative tag begins with its reference count. */
  #retain(bits: bigint): void {
    const tag = Number(BigInt.asIntN(32, bits >> 32n))
    if (tag >= 0 || tag < TAG.string - 5) return
    const address = Number(BigInt.asUintN(32, bits))
    this.#memory.setU32(address, this.#memory.u32(address) + 1)
  }

  /** Returns the unhandled reasons, each only once. */
  take(): readonly bigint[] {
    const reasons = [...this.#rejected.values()]
    this.#rejected.clear()
    return reasons
  }

  clear(): void {
    this.#rejected.clear()
  }
}
