// The state of one run of the interpreter that its host calls use: tree, open files, meter, output and
// environment.

import { addDevices } from '../wasm/devices.ts'

import type { Packages } from '../wasm/packages.ts'
import type { Memory } from '../wasm/memory.ts'
import type { File } from '../wasm/nodes.ts'
import type { GuestRun } from '../wasm/run.ts'
import type { Tree } from '../wasm/tree.ts'

export interface Process extends GuestRun {
  readonly packages: Packages
  readonly memory: Memory
  /** The variables that the interpreter reads when it starts. The job's own environment is set later. */
  readonly startEnv: readonly string[]
  readonly heapBytes: number
  /** A file that is removed from the tree when it is opened, or null. */
  removedOnOpen: File | null
  /** Whether memory was refused. */
  refusedMemory: boolean
}

/** The path of the standard library, which is searched before the files of a guest. */
const STDLIB = '/lib/python313.zip'
/** Where a job's command line is stored until the interpreter has read it. */
export const ORDER_FILE = '/.order'

/** Adds the files that every tree has in addition to those of the job. */
export function addInterpreterFiles(tree: Tree, stdlib: Uint8Array): void {
  tree.put(STDLIB, { bytes: stdlib })
  tree.folders('/lib/python3.13/lib-dynload')
  addDevices(tree)
}
