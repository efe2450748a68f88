// The two ways in which a host call ends a guest. They are thrown: nothing else unwinds a WebAssembly stack.

import type { Stopped } from '../guest.ts'

/** The guest exited. */
export class Exit extends Error {
  override readonly name = 'Exit'
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code & 0xff
  }
}

/** A limit or the caller ended the guest; Python cannot catch it. */
export class Killed extends Error {
  override readonly name = 'Killed'
  readonly why: Stopped

  constructor(why: Stopped) {
    super(`stopped: ${why}`)
    this.why = why
  }
}
