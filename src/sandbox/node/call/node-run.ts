// The state of one run of the interpreter: its tree, open files, output and limits. The functions that use it are in
// calls.ts.

import type { Packages } from '../../wasm/packages.ts'
import type { GuestRun } from '../../wasm/run.ts'

export interface NodeRun extends GuestRun {
  readonly packages: Packages
  readonly stdin: Uint8Array
  /** Bytes of the interpreter's memory. */
  readonly usedBytes: () => number
}
