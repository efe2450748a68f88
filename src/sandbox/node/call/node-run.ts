// The state of one run of the interpreter: its tree, open files, output and limits.

import type { Packages } from '../../wasm/packages.ts'
import type { GuestRun } from '../../wasm/run.ts'

export interface NodeRun extends GuestRun {
  readonly packages: Packages
  readonly stdin: Uint8Array
  /** Returns the bytes of the interpreter's memory. */
  readonly usedBytes: () => number
}
