// Types of the messages between the Worker and the isolates that run guest code.

import type { FileMode } from './file-modes.ts'
import type { OrderedOutput } from './write-order.ts'

/** A file that a guest may open. Its bytes are fetched when it is opened. */
export interface GuestFile {
  /** The absolute path. */
  readonly path: string
  readonly bytes: number
  readonly writable: boolean
}
/** A part of a file. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}
/** A part of a file, which the host stores under the name `source`. */
export interface HostPiece {
  readonly source: string
  readonly offset: number
  readonly bytes: number
}
export interface GuestLimits {
  readonly wallMs: number
  readonly steps: number
  readonly outputBytes: number
  /** Total size of all files that the job writes. */
  readonly fileBytes: number
  /** Number of files that the job creates. */
  readonly files: number
  readonly heapBytes: number
}
export interface GuestJob {
  /** Identifies the job for `cancel`. */
  readonly id: string
  /** The command line as typed, such as `['python3', '-c', '…']` or `['node', 'a.mjs']`. */
  readonly argv: readonly string[]
  /** The current folder, such as `/mnt/user-data/workspace`. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: Uint8Array
  /** All files of the tree, without their bytes. */
  readonly files: readonly GuestFile[]
  /** Changes that the calling shell has made so far. */
  readonly overlay: readonly GuestChange[]
  /** The calling shell's umask, if it differs from the default. */
  readonly umask?: number
  /** The empty folders of the calling shell. */
  readonly folders?: readonly string[]
  /** The modes that differ from the defaults. */
  readonly modes?: readonly FileMode[]
  /** Modification times that the calling shell knows, in ms since 1970. */
  readonly times?: readonly FileTime[]
  /** If true, the output is not streamed. */
  readonly quiet?: boolean
  readonly limits: GuestLimits
}
/** The modification time of a file or folder, for programs of the same call: times are not stored. */
export type FileTime = readonly [path: string, ms: number]
export interface GuestChange {
  readonly path: string
  /** The first part of a large content. */
  readonly pieces?: readonly HostPiece[]
  /** The content after `pieces`, or null if the file was removed. */
  readonly bytes: Uint8Array | null
}
/**
 * Why a job was stopped. `stall`: a single shell command blocked the isolate for too long. `refused`: a command would
 * have behaved differently from the real one.
 */
export type StopReason = 'time' | 'stall' | 'refused' | 'steps' | 'output' | 'memory' | 'files' | 'cancelled'
export interface GuestResult extends OrderedOutput {
  readonly exitCode: number
  readonly changes: readonly GuestChange[]
  /** The empty folders after the job. */
  readonly folders?: readonly string[]
  /** The modes of files that the job changed, and modes that it set. */
  readonly modes?: readonly FileMode[]
  /** The modification times that the job set. */
  readonly times?: readonly FileTime[]
  readonly stopped: StopReason | null
  readonly steps: number
}
/** A command that a program runs in the shell of the same call. */
export interface ChildCall {
  /** A name or path, and arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: Uint8Array
  readonly umask: number
  /** Whether stderr goes to the same place as stdout. */
  readonly merged: boolean
  /** What the program has changed since it received the files, or since its last child. */
  readonly changes: readonly GuestChange[]
  /** The program's empty folders. */
  readonly folders: readonly string[]
  /** The modes of files that the program changed, and modes that it set. */
  readonly modes: readonly FileMode[]
  /** The modification times that the program knows. */
  readonly times?: readonly FileTime[]
  /** The time limit in ms; null for the remaining time of the call. */
  readonly wallMs: number | null
}
/**
 * Runs a child to its end. The result has its changes and empty folders, for the program. Rejects with a message if it
 * cannot run.
 */
export type StartChild = (child: ChildCall) => Promise<GuestResult>
/** The RPC callbacks that the host provides to a job. */
export interface GuestHost {
  /** The bytes of a file, or of a range of it; null if it does not exist. Large files are only read in ranges. */
  read(path: string, range?: ByteRange): Promise<Uint8Array | null>
  /**
   * Stores a part of what a job writes until the call ends, because the isolate cannot hold all of it. Rejects with a
   * message if there is no space.
   */
  keep?(bytes: Uint8Array): Promise<HostPiece>
  /** Receives output while the job runs, in batches. */
  progress(text: string): void
  /**
   * Runs a program (python3 or node) for a shell. The program runs other commands with `start`. `wallMs` is its own
   * time limit.
   */
  exec?(
    job: Omit<GuestJob, 'id' | 'files' | 'limits'> & { readonly wallMs?: number },
    start: StartChild,
  ): Promise<GuestResult>
  /** Runs a command in the shell that started this program. */
  readonly start?: StartChild
}
/** The WorkerEntrypoint of each isolate. While another job runs, `run` returns `busy` immediately. */
export interface Guest {
  run(job: GuestJob, host: GuestHost): Promise<GuestResult | { readonly busy: true }>
  cancel(id: string): Promise<void>
  ping(): Promise<void>
}
