// One run of the interpreter: its tree, open files, output and limits. Holds; what is done with them is in calls.ts.

import type { GuestRun } from '../wasm/run.ts'

export interface Room extends GuestRun {
  readonly stdin: Uint8Array
}
