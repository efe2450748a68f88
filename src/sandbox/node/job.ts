// One job from the caller's words to what came of it: its tree is laid out, the interpreter runs until nothing is left to
// do, the difference is taken. Nothing of a job outlives it.

import { SKILLS_READ_ONLY } from '../read-only.ts'
import { NODE_FILES_MAX_BYTES, NODE_HEAP_MAX_BYTES } from './limits.ts'
import { changesSince, emptyFolders, filesOf } from '../wasm/changes.ts'
import { layOut } from '../wasm/lay-out.ts'
import { Meter } from '../wasm/meter.ts'
import { OpenFiles } from '../wasm/open-files.ts'
import { GuestOutput } from '../wasm/output.ts'
import { addDevices, openStreams } from '../wasm/devices.ts'
import { quotaOf } from '../wasm/quota.ts'
import { Exit, Killed } from '../wasm/stop.ts'
import { KEPT_ROOTS, Tree } from '../wasm/tree.ts'
import { answering } from './calls.ts'
import { readCommand, VERSION } from './command.ts'

import type { Image } from '../wasm/image.ts'
import type { GuestHost, GuestJob, GuestResult, Stopped } from '../guest.ts'
import type { Order } from './command.ts'
import type { Machine, Surroundings } from './machine.ts'
import type { Running } from '../wasm/lock.ts'
import type { Room } from './surroundings.ts'

/** What an isolate has, for all jobs. */
export interface Interpreter {
  readonly machine: Machine
  readonly image: Image
  readonly now: () => number
  readonly random: (bytes: Uint8Array) => void
}

/** As `timeout` and the shells say it; an interpreter without memory aborts. */
const EXIT: Readonly<Record<Stopped, number>> = {
  time: 124,
  stall: 124,
  steps: 124,
  output: 141,
  cancelled: 130,
  memory: 134,
  files: 1,
}
const EXIT_ABORTED = 134
const WORKSPACE = KEPT_ROOTS[1] ?? '/'

/** Begins `job`. The interpreter must be idle. */
export function beginJob(interpreter: Interpreter, job: GuestJob, host: GuestHost): Running {
  const command = readCommand(job.argv)
  if (!('order' in command))
    return { result: Promise.resolve(answeredAtOnce(command)), seenMs: interpreter.now, cancel: () => {} }
  const said = async (text: string): Promise<void> => host.progress(text)
  const output = new GuestOutput(job.limits.outputBytes, job.quiet ? null : said, interpreter.now)
  const { machine, image } = interpreter
  const room = roomOf(interpreter, job, host, output)
  const surroundings: Surroundings = {
    meter: room.meter,
    heapBytes: Math.min(job.limits.heapBytes, NODE_HEAP_MAX_BYTES),
    refusedMemory: false,
    now: interpreter.now,
    call: answering(room),
  }
  const result = async (): Promise<GuestResult> => {
    const before = filesOf(room.tree)
    machine.attach(surroundings)
    machine.enter(image)
    const ended: unknown = await live(machine, room, command.order, job).catch((error: unknown) => error)
    machine.attach(null)
    const { exitCode, stopped, words } = judge(ended, surroundings, room)
    const elsewhere = exitCode !== 0 && room.tree.triedSkills ? `node: ${SKILLS_READ_ONLY}\n` : ''
    output.add('stderr', new TextEncoder().encode(words + elsewhere))
    await output.end()
    const shown = {
      exitCode,
      stdout: output.all('stdout'),
      stderr: output.all('stderr'),
      steps: room.meter.steps,
      stopped,
    }
    if (stopped !== null) return { ...shown, changes: [] }
    const fetch = async (source: string): Promise<Uint8Array> =>
      (await room.fetch(source)) ?? new Uint8Array(0)
    const changes = await changesSince(before, room.tree, fetch)
    return { ...shown, changes, folders: emptyFolders(room.tree) }
  }
  return { result: result(), seenMs: () => room.meter.seenMs, cancel: () => room.meter.cancel() }
}

function answeredAtOnce(said: { exitCode: number; stdout: string; stderr: string }): GuestResult {
  const [stdout, stderr] = [said.stdout, said.stderr].map((text) => new TextEncoder().encode(text))
  const empty = new Uint8Array(0)
  return {
    exitCode: said.exitCode,
    stdout: stdout ?? empty,
    stderr: stderr ?? empty,
    changes: [],
    stopped: null,
    steps: 0,
  }
}

/** Runs the script, then its jobs and timers in Node's order, until nothing is left. Gives the exit code. */
async function live(machine: Machine, room: Room, order: Order, { env }: GuestJob): Promise<number> {
  const { meter } = room
  await told(machine.ask('start', JSON.stringify({ ...order, env, version: VERSION })))
  for (;;) {
    await settle(machine)
    const wait = Number(await told(machine.ask('next')))
    if (wait < 0) return Number(await told(machine.ask('end')))
    if (wait > 0 && (await meter.sleep(wait))) throw new Killed(meter.asked ?? 'time')
    await told(machine.ask('turn'))
  }
}

/** What was put off to the next tick and promise jobs, until neither is left; then rejections that nobody handled. */
async function settle(machine: Machine): Promise<void> {
  for (;;) {
    const ticked = (await told(machine.ask('tick'))) === 1
    const jobs = await machine.runJobs()
    if (ticked || jobs > 0) continue
    const reasons = machine.rejections.take()
    if (reasons.length === 0) return
    for (const reason of reasons) await machine.askOf('unhandled', reason)
  }
}

/** The guest's own side failed to answer: it is out of memory or stack, whatever it was doing. */
async function told(answer: Promise<unknown>): Promise<unknown> {
  const value = await answer
  if (value === undefined) throw new Error('JavaScript heap out of memory')
  return value
}

/** What the end of a guest means. A limit that it ran into and failed by is why it ended, too. */
function judge(
  ended: unknown,
  { refusedMemory }: Surroundings,
  { tree, meter }: Room,
): { exitCode: number; stopped: Stopped | null; words: string } {
  if (ended instanceof Killed) return { exitCode: EXIT[ended.why], stopped: ended.why, words: '' }
  const refused: Stopped | null = refusedMemory ? 'memory' : tree.quota.refused ? 'files' : null
  if (typeof ended === 'number' || ended instanceof Exit) {
    const exitCode = typeof ended === 'number' ? ended & 0xff : ended.code
    return { exitCode, stopped: exitCode === 0 ? null : refused, words: '' }
  }
  if (meter.asked !== null) return { exitCode: EXIT[meter.asked], stopped: meter.asked, words: '' }
  const why = ended instanceof RangeError ? 'the stack is too deep' : String(ended)
  return { exitCode: EXIT_ABORTED, stopped: refused, words: `FATAL ERROR: ${why}\n` }
}

function roomOf(
  { now, random, machine }: Interpreter,
  job: GuestJob,
  host: GuestHost,
  output: GuestOutput,
): Room {
  const { limits, stdin } = job
  const began = now()
  const tree = new Tree(quotaOf(limits.fileBytes, limits.files, NODE_FILES_MAX_BYTES), now)
  addDevices(tree)
  layOut(tree, job)
  const files = new OpenFiles(tree, { stdin, random, write: (stream, bytes) => output.write(stream, bytes) })
  openStreams(tree, files)
  const cwd = tree.find(tree.root, job.cwd)
  return {
    tree,
    files,
    output,
    stdin,
    random,
    now,
    elapsed: () => now() - began,
    meter: new Meter(limits, machine.fuel, now, () => output.say(false)),
    fetch: async (source) => host.read(source),
    cwd: typeof cwd !== 'number' && cwd.kind === 'folder' ? cwd : tree.folders(WORKSPACE),
  }
}
