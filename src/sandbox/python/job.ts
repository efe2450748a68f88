// One job from the caller's words to what came of it: its tree is laid out, the interpreter runs, the difference is taken.
// Nothing of a job outlives it.

import { SKILLS_READ_ONLY } from '../read-only.ts'
import { PYTHON_FILES_MAX_BYTES, PYTHON_HEAP_MAX_BYTES } from './limits.ts'
import { changesSince, emptyFolders, filesOf } from '../wasm/changes.ts'
import { readCommand } from './command.ts'
import { failed } from '../wasm/errno.ts'
import { layOut } from '../wasm/lay-out.ts'
import { Meter } from '../wasm/meter.ts'
import { OpenFiles } from '../wasm/open-files.ts'
import { GuestOutput } from '../wasm/output.ts'
import { openStreams } from '../wasm/devices.ts'
import { furnish, ORDER, WORKSPACE } from './process.ts'
import { Exit, Killed } from '../wasm/stop.ts'
import { quotaOf } from '../wasm/quota.ts'
import { Tree } from '../wasm/tree.ts'

import type { Order } from './command.ts'
import type { Image } from '../wasm/image.ts'
import type { Machine } from './machine.ts'
import type { File, Folder, Node } from '../wasm/nodes.ts'
import type { Process } from './process.ts'
import type { Running } from '../wasm/lock.ts'
import type { GuestChange, GuestHost, GuestJob, GuestResult, Stopped } from '../guest.ts'

/** What an isolate has, for all jobs. */
export interface Interpreter {
  readonly machine: Machine
  readonly image: Image
  readonly stdlib: Uint8Array
  readonly now: () => number
  readonly random: (bytes: Uint8Array) => void
}

/** As `timeout` and the shells say it. */
const EXIT: Readonly<Partial<Record<Stopped, number>>> = {
  time: 124,
  steps: 124,
  output: 141,
  cancelled: 130,
}
const EXIT_ABORTED = 134

/** Begins `job`. The interpreter must be idle. */
export function beginJob(interpreter: Interpreter, job: GuestJob, host: GuestHost): Running {
  const command = readCommand(job.argv)
  if (!('order' in command)) {
    const [stdout, stderr] = [command.stdout, command.stderr].map((text) => new TextEncoder().encode(text))
    const { exitCode } = command
    const empty = new Uint8Array(0)
    const result = {
      exitCode,
      stdout: stdout ?? empty,
      stderr: stderr ?? empty,
      changes: [],
      stopped: null,
      steps: 0,
    }
    return { result: Promise.resolve(result), seenMs: interpreter.now, cancel: () => {} }
  }
  const said = async (text: string): Promise<void> => host.progress(text)
  const output = new GuestOutput(job.limits.outputBytes, job.quiet ? null : said, interpreter.now)
  const process = processOf(interpreter, job, host, command.order, output)
  return {
    result: run(interpreter, process, output),
    seenMs: () => process.meter.seenMs,
    cancel: () => process.meter.cancel(),
  }
}

async function run(
  { machine, image }: Interpreter,
  process: Process,
  output: GuestOutput,
): Promise<GuestResult> {
  const before = filesOf(process.tree)
  machine.attach(process)
  const ended = await machine.enter(image).catch((error: unknown) => error)
  machine.attach(null)
  const { code, stopped, words } = judge(ended, process)
  const elsewhere = code !== 0 && process.tree.triedSkills ? `python3: ${SKILLS_READ_ONLY}\n` : ''
  output.add('stderr', new TextEncoder().encode(words + elsewhere))
  await output.end()
  const failure = {
    exitCode: code,
    stdout: output.all('stdout'),
    stderr: output.all('stderr'),
    steps: process.meter.steps,
  }
  if (stopped !== null) return { ...failure, changes: [], stopped }
  const fetch = async (source: string): Promise<Uint8Array> =>
    (await process.fetch(source)) ?? new Uint8Array(0)
  const changes: readonly GuestChange[] = await changesSince(before, process.tree, fetch)
  return { ...failure, changes, folders: emptyFolders(process.tree), stopped }
}

/** What the end of a guest means. A limit that it ran into and failed by is why it ended, too. */
function judge(
  ended: unknown,
  { meter, tree, ...process }: Process,
): { code: number; stopped: Stopped | null; words: string } {
  if (ended instanceof Killed) return { code: EXIT[ended.why] ?? 1, stopped: ended.why, words: '' }
  if (!(ended instanceof Exit))
    return { code: EXIT_ABORTED, stopped: null, words: `Fatal Python error: ${crash(ended)}\n` }
  if (meter.asked !== null) return { code: EXIT[meter.asked] ?? 1, stopped: meter.asked, words: '' }
  const refused: Stopped | null = process.refusedMemory ? 'memory' : tree.quota.refused ? 'files' : null
  return { code: ended.code, stopped: ended.code === 0 ? null : refused, words: '' }
}

/** The engine's own words: a stack that is too deep, or a trap inside of the interpreter. */
function crash(error: unknown): string {
  return error instanceof RangeError ? 'the stack is too deep' : String(error)
}

function processOf(
  interpreter: Interpreter,
  job: GuestJob,
  host: GuestHost,
  order: Order,
  output: GuestOutput,
): Process {
  const { machine, now, random, stdlib } = interpreter
  const { limits } = job
  const began = now()
  const tree = new Tree(quotaOf(limits.fileBytes, limits.files, PYTHON_FILES_MAX_BYTES), now)
  furnish(tree, stdlib)
  layOut(tree, job)
  const once: File = tree.put(ORDER, { bytes: orderBytes(order, job) })
  const files = new OpenFiles(tree, {
    stdin: job.stdin,
    random,
    write: (stream, bytes) => output.write(stream, bytes),
  })
  openStreams(tree, files)
  const cwd = tree.find(tree.root, job.cwd)
  return {
    tree,
    files,
    memory: machine.memory,
    meter: new Meter(limits, machine.fuel, now, () => output.say(false)),
    fetch: async (source) => host.read(source),
    random,
    now,
    monotonic: () => now() - began,
    startEnv: [],
    heapBytes: Math.min(limits.heapBytes, PYTHON_HEAP_MAX_BYTES),
    // An empty folder is in no list of files.
    cwd: cwd === failed('NOENT') ? tree.folders(job.cwd) : folderOr(cwd, tree.folders(WORKSPACE)),
    once,
    refusedMemory: false,
  }
}

function folderOr(found: Node | number, other: Folder): Folder {
  return typeof found !== 'number' && found.kind === 'folder' ? found : other
}

function orderBytes(order: Order, { env }: GuestJob): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...order, env, workspace: WORKSPACE }))
}
