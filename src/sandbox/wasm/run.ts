// Runs a job in an interpreter: creates the job's files before it starts, and collects the changed files when it ends.

import { SKILLS_READ_ONLY } from '../read-only.ts'
import { USUAL_UMASK } from '../file-modes.ts'
import { changesSince, emptyFolders, setTimes } from './changes.ts'
import { openStreams } from './devices.ts'
import { negativeErrno } from './errno.ts'
import { addJobFiles } from './add-job-files.ts'
import { fetchFile, fetchRange } from './fetch-file.ts'
import { Meter } from './meter.ts'
import { modesOf } from './modes.ts'
import { OpenFiles } from './open-files.ts'
import { GuestOutput } from './output.ts'
import { quotaOf } from './quota.ts'
import { STORED_ROOTS, Tree } from './tree.ts'

import type { GuestHost, GuestJob, GuestResult, StartChild, StopReason } from '../guest.ts'
import type { Running } from './lock.ts'
import type { File, ContentSource, Folder } from './nodes.ts'

const WORKSPACE = STORED_ROOTS[1] ?? '/'

/** The state that an isolate keeps for all jobs. */
export interface GuestEngine {
  readonly machine: { readonly fuel: { value: number } }
  readonly now: () => number
  readonly random: (bytes: Uint8Array) => void
}

export interface GuestRun {
  readonly tree: Tree
  readonly files: OpenFiles
  readonly output: GuestOutput
  readonly meter: Meter
  /** Fetches a file of this size from the host; null if the file no longer exists. */
  readonly fetch: (source: ContentSource, size: number) => Promise<Uint8Array | null>
  /** Fetches a part of a file from the host; null if the file no longer exists. */
  readonly fetchRange: (source: ContentSource, from: number, length: number) => Promise<Uint8Array | null>
  /** Fills with random bytes. */
  readonly random: (bytes: Uint8Array) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds since the run began. */
  readonly elapsed: () => number
  cwd: Folder
  /** Permissions that new files and folders do not get. */
  umask: number
  /** Runs a command in the shell; null if there is none. */
  readonly start: StartChild | null
  /** The files at the start of the run, or after its last child. */
  filesBefore: ReadonlyMap<string, File>
}

/** What the interpreter has to run according to the command line, or a result that needs no interpreter. */
export type CommandLine<Order> = { readonly order: Order } | PrintedResult

export interface PrintedResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** How a guest ended. `message` goes to stderr. */
export interface GuestEnd {
  readonly exitCode: number
  readonly stopped: StopReason | null
  readonly message: string
}

/** `maxBytes` limits the files in memory. `addInterpreterFiles` adds files that the interpreter itself needs. */
export function startRun(
  { machine, now, random }: GuestEngine,
  job: GuestJob,
  host: GuestHost,
  maxBytes: number,
  addInterpreterFiles: (tree: Tree) => void,
): GuestRun {
  const { limits, stdin } = job
  const startedAt = now()
  const progress = async (text: string): Promise<void> => host.progress(text)
  const output = new GuestOutput(limits.outputBytes, job.quiet ? null : progress, now)
  const tree = new Tree(quotaOf(limits.fileBytes, limits.files, maxBytes), now)
  addInterpreterFiles(tree)
  addJobFiles(tree, job)
  const files = new OpenFiles(tree, { stdin, random, write: (stream, bytes) => output.write(stream, bytes) })
  openStreams(tree, files)
  return {
    tree,
    files,
    output,
    meter: new Meter(limits, machine.fuel, now, () => output.flush(false)),
    fetch: async (source, size) => fetchFile(host, source, size),
    fetchRange: async (source, from, length) => fetchRange(host, source, from, length),
    random,
    now,
    elapsed: () => now() - startedAt,
    cwd: folderAt(tree, job.cwd),
    umask: job.umask ?? USUAL_UMASK,
    start: host.start === undefined ? null : async (child) => startOn(host, child),
    filesBefore: new Map(),
  }
}

async function startOn(host: GuestHost, child: Parameters<StartChild>[0]): Promise<GuestResult> {
  if (!host.start) throw new Error('there is no shell')
  return host.start(child)
}

function folderAt(tree: Tree, path: string): Folder {
  const node = tree.find(tree.root, path)
  // Empty folders are passed separately, because a list of files does not contain them.
  if (node === negativeErrno('NOENT')) return tree.folders(path)
  return typeof node !== 'number' && node.kind === 'folder' ? node : tree.folders(WORKSPACE)
}

/** The result of a run. `name` is the interpreter, for messages. */
export async function endRun(
  name: string,
  { tree, output, meter, fetch, filesBefore }: GuestRun,
  { exitCode, stopped, message }: GuestEnd,
): Promise<GuestResult> {
  const skillsHint = exitCode !== 0 && tree.triedSkills ? `${name}: ${SKILLS_READ_ONLY}\n` : ''
  output.add('stderr', new TextEncoder().encode(message + skillsHint))
  await output.end()
  const outcome = { exitCode, ...output.written, steps: meter.steps, stopped }
  if (stopped !== null) return { ...outcome, changes: [] }
  const changes = await changesSince(
    filesBefore,
    tree,
    async (source, size) => (await fetch(source, size)) ?? new Uint8Array(0),
  )
  return { ...outcome, changes, folders: emptyFolders(tree), modes: modesOf(tree), times: setTimes(tree) }
}

/** A handle for a caller that waits for a run. */
export function runningJob({ meter }: GuestRun, result: Promise<GuestResult>): Running {
  return { result, lastSeenAt: () => meter.lastSeenAt, cancel: () => meter.cancel() }
}

/** The result of a command line that needs no run. */
export function printedRun({ exitCode, ...texts }: PrintedResult, now: () => number): Running {
  const [stdout, stderr] = [texts.stdout, texts.stderr].map((text) => new TextEncoder().encode(text))
  const empty = new Uint8Array(0)
  const printed = { exitCode, stdout: stdout ?? empty, stderr: stderr ?? empty }
  const result = Promise.resolve({ ...printed, changes: [], stopped: null, steps: 0 })
  return { result, lastSeenAt: now, cancel: () => {} }
}

/** The engine's own error: a stack overflow, or a trap in the interpreter. */
export function crashMessage(error: unknown): string {
  return error instanceof RangeError ? 'the stack is too deep' : String(error)
}
