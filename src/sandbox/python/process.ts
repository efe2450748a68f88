// One run of the interpreter as its host calls see it: tree, open files, meter, output and surroundings. Holds, does nothing.

import { addDevices } from '../wasm/devices.ts'
import { KEPT_ROOTS } from '../wasm/tree.ts'

import type { Memory } from '../wasm/memory.ts'
import type { Meter } from '../wasm/meter.ts'
import type { File, Folder } from '../wasm/nodes.ts'
import type { OpenFiles } from '../wasm/open-files.ts'
import type { Tree } from '../wasm/tree.ts'

export interface Process {
  readonly tree: Tree
  readonly files: OpenFiles
  readonly meter: Meter
  readonly memory: Memory
  /** Bytes of a file of the host; null when it has none any more. */
  readonly fetch: (source: string) => Promise<Uint8Array | null>
  /** Fills with random bytes. */
  readonly random: (bytes: Uint8Array) => void
  /** Milliseconds since 1970, and of a clock that never goes back. */
  readonly now: () => number
  readonly monotonic: () => number
  /** Only what the interpreter reads when it starts; a job's own comes later. */
  readonly startEnv: readonly string[]
  readonly heapBytes: number
  cwd: Folder
  /** What has to go once it was opened. */
  once: File | null
  /** Whether memory was refused. */
  refusedMemory: boolean
}

/** The standard library: found before anything that a guest writes. */
const STDLIB = '/lib/python313.zip'
/** Where a job's order lies until the interpreter has read it. */
export const ORDER = '/.order'

/** What every tree has besides a job's own files. */
export function furnish(tree: Tree, stdlib: Uint8Array): void {
  tree.put(STDLIB, { bytes: stdlib })
  tree.folders('/lib/python3.13/lib-dynload')
  addDevices(tree)
}

export const WORKSPACE = KEPT_ROOTS[1] ?? '/'
