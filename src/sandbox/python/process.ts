// The state of one run that the host calls use: tree, open files, meter, output and environment.

import { FILE_COMMANDS } from '../bash/command-names.ts'
import { addDevices } from '../wasm/devices.ts'

import type { SqliteModules } from './sqlite/modules.ts'
import type { Packages } from '../wasm/packages.ts'
import type { Memory } from '../wasm/memory.ts'
import type { File, Folder } from '../wasm/nodes.ts'
import type { GuestRun } from '../wasm/run.ts'
import type { Tree } from '../wasm/tree.ts'

export interface Process extends GuestRun {
  readonly packages: Packages
  /** Loads SQLite when a script first uses it. */
  readonly loadSqlite: () => Promise<SqliteModules>
  readonly memory: Memory
  /** The variables that the interpreter reads when it starts. The job's own environment is set later. */
  readonly startEnv: readonly string[]
  /** Maximum memory of Python and the growth of SQLite together. */
  readonly heapBytes: number
  /** Number of bytes by which SQLite's memory has grown. */
  sqliteGrowthBytes: number
  /** A file that is removed from the tree when it is opened, or null. */
  removedOnOpen: File | null
  /** Whether memory was refused. */
  refusedMemory: boolean
}

/** The path of the standard library, which is searched before the files of a guest. */
const STDLIB = '/lib/python313.zip'
/** Where a job's command line is stored until the interpreter has read it. */
export const ORDER_FILE = '/.order'

/** Adds the files that every tree has in addition to the job's files. */
export function addInterpreterFiles(tree: Tree, stdlib: Uint8Array): void {
  tree.put(STDLIB, { bytes: stdlib })
  tree.folders('/lib/python3.13/lib-dynload')
  addDevices(tree)
  PROGRAMS.parent = tree.folders('/usr')
  PROGRAMS.parent.entries.set(PROGRAMS.name, PROGRAMS)
  tree.root.entries.set(PROGRAMS.name, PROGRAMS)
}

/**
 * The folder `/usr/bin`, which all jobs share, with the programs that a script can start. Its first inode is above
 * those of packages.
 */
const PROGRAMS = programFolder(2_000_000_000)

function programFolder(firstInode: number): Folder {
  const facts = { writable: false, changedMs: 315_532_800_000, mode: 0o755 }
  const folder: Folder = {
    ...facts,
    kind: 'folder',
    inode: firstInode,
    name: 'bin',
    parent: null,
    entries: new Map(),
  }
  for (const [index, name] of FILE_COMMANDS.entries())
    folder.entries.set(name, {
      ...facts,
      kind: 'file',
      inode: firstInode + index + 1,
      name,
      parent: folder,
      size: 0,
      bytes: new Uint8Array(0),
      source: null,
      pack: null,
      dirty: false,
      isReported: false,
      openCount: 0,
    })
  return folder
}
