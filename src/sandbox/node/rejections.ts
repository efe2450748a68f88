// Tracks rejected promises without a handler, as QuickJS reports them. Counted references keep their values
// alive.

import { TAG } from './names.ts'

import type { Memory } from '../wasm/memory.ts'

export class Rejections {
  readonly #memory: Memory
  /** Reasons by promise, both as the 64 bits of a JSValue. */
  readonly #open = new Map<bigint, bigint>()

  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** QuickJS calls this with context, promise, reason, and whether it is handled now. */
  readonly track = (_context: number, promise: bigint, reason: bigint, handled: number): void => {
    if (handled !== 0) this.#open.delete(promise)
    else {
      this.#keep(promise)
      this.#keep(reason)
      this.#open.set(promise, reason)
    }
  }

  /** A value with a negative tag begins with its reference count. */
  #keep(bits: bigint): void {
    const tag = Number(BigInt.asIntN(32, bits >> 32n))
    if (tag >= 0 || tag < TAG.string - 5) return
    const at = Number(BigInt.asUintN(32, bits))
    this.#memory.setU32(at, this.#memory.u32(at) + 1)
  }

  /** Returns the unhandled reasons, each only once. */
  take(): readonly bigint[] {
    const reasons = [...this.#open.values()]
    this.#open.clear()
    return reasons
  }

  clear(): void {
    this.#open.clear()
  }
}
