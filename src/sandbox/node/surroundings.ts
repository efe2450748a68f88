// One run of the interpreter: its tree, open files, output and limits. Data only; calls.ts works on it.

import type { GuestRun } from '../wasm/run.ts'

export interface Room extends GuestRun {
  readonly stdin: Uint8Array
}
