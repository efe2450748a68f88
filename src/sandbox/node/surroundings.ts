// One run of the interpreter: its tree, open files, output and limits. Holds; what is done with them is in calls.ts.

import type { Meter } from '../wasm/meter.ts'
import type { Folder } from '../wasm/nodes.ts'
import type { OpenFiles } from '../wasm/open-files.ts'
import type { GuestOutput } from '../wasm/output.ts'
import type { Tree } from '../wasm/tree.ts'

export interface Room {
  readonly tree: Tree
  readonly files: OpenFiles
  readonly output: GuestOutput
  readonly meter: Meter
  readonly stdin: Uint8Array
  /** Bytes of a file of the host; null when it has none any more. */
  readonly fetch: (source: string) => Promise<Uint8Array | null>
  /** Fills with random bytes. */
  readonly random: (bytes: Uint8Array) => void
  readonly now: () => number
  /** Milliseconds since the run began. */
  readonly elapsed: () => number
  cwd: Folder
}
