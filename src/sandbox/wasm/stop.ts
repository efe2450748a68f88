// The two ways in which a host call ends a guest. They are errors, because only throwing unwinds a
// WebAssembly stack.

import type { StopReason } from '../guest.ts'

/** Thrown when the guest exits. */
export class Exit extends Error {
  override readonly name = 'Exit'
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code & 0xff
  }
}

/** Thrown when a limit or the caller ends the guest. Guest code cannot catch it. */
export class Killed extends Error {
  override readonly name = 'Killed'
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`stopped: ${reason}`)
    this.reason = reason
  }
}
