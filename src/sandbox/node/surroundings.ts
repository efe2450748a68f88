// The state of one run of the interpreter: its tree, open files, output and limits. The functions are in
// calls.ts.

import type { GuestRun } from '../wasm/run.ts'

export interface Room extends GuestRun {
  readonly stdin: Uint8Array
}
