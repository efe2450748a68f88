// One run of the interpreter as its host calls see it: tree, open files, meter, output and surroundings. Holds, does nothing.

import { KEPT_ROOTS } from './tree.ts'

import type { Memory } from './memory.ts'
import type { Meter } from './meter.ts'
import type { File, Folder } from './nodes.ts'
import type { OpenFiles } from './open-files.ts'
import type { Tree } from './tree.ts'

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
  for (const [name, device, writable] of DEVICES) tree.device(`/dev/${name}`, device, writable)
}

const DEVICES = [
  ['null', 'null', true],
  ['zero', 'zero', true],
  ['random', 'random', false],
  ['urandom', 'random', false],
  ['stdin', 'stdin', false],
  ['stdout', 'stdout', true],
  ['stderr', 'stderr', true],
] as const

/** Opens the standard streams as 0, 1 and 2. */
export function openStreams(tree: Tree, files: OpenFiles): void {
  for (const [name, flags] of [
    ['stdin', 0],
    ['stdout', 1],
    ['stderr', 1],
  ] as const) {
    const node = tree.find(tree.root, `/dev/${name}`)
    if (typeof node !== 'number') files.open(node, flags)
  }
}

export const WORKSPACE = KEPT_ROOTS[1] ?? '/'
