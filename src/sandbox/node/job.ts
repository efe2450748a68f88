// Runs one job: creates its files, runs the interpreter until its event loop is empty, and collects the changes. No
// state survives a job.

import { NODE_HEAP_MAX_BYTES } from '../limits.ts'
import { NODE_FILES_MAX_BYTES } from './call/limits.ts'
import { filesOf } from '../wasm/changes.ts'
import { addDevices } from '../wasm/devices.ts'
import {
  printedRun,
  crashMessage,
  endRun,
  runningJob,
  startRun,
  type GuestEnd,
  type GuestEngine,
} from '../wasm/run.ts'
import { Exit, Killed } from '../wasm/stop.ts'
import { handleCalls } from './calls.ts'
import { readCommand, VERSION } from './command.ts'

import type { Image } from '../wasm/image.ts'
import type { GuestHost, GuestJob, GuestResult, StopReason } from '../guest.ts'
import type { NodeOrder } from './command.ts'
import type { Machine, Surroundings } from './machine.ts'
import type { Running } from '../wasm/lock.ts'
import type { Packages } from '../wasm/packages.ts'
import type { NodeRun } from './call/node-run.ts'

/** The state that an isolate keeps for all jobs. */
export interface Interpreter extends GuestEngine {
  readonly machine: Machine
  readonly image: Image
  readonly packages: Packages
}

/** Exit codes as used by `timeout` and shells. An interpreter that runs out of memory aborts. */
const EXIT_CODES: Readonly<Record<StopReason, number>> = {
  time: 124,
  stall: 124,
  refused: 2,
  steps: 124,
  output: 141,
  cancelled: 130,
  memory: 134,
  files: 1,
}
const ABORTED_EXIT_CODE = 134

/** Starts a job. The interpreter must be idle. */
export function beginJob(interpreter: Interpreter, job: GuestJob, host: GuestHost): Running {
  const command = readCommand(job.argv)
  if (!('order' in command)) return printedRun(command, interpreter.now)
  const { machine, image, now, packages } = interpreter
  const started = startRun(interpreter, job, host, NODE_FILES_MAX_BYTES, (tree) => {
    addDevices(tree)
    packages.mount(tree)
  })
  const run: NodeRun = {
    ...started,
    packages,
    stdin: job.stdin,
    usedBytes: () => machine.memory.bytes.length,
  }
  const surroundings: Surroundings = {
    meter: run.meter,
    heapBytes: Math.min(job.limits.heapBytes, NODE_HEAP_MAX_BYTES),
    refusedMemory: false,
    now,
    call: handleCalls(run),
  }
  const result = async (): Promise<GuestResult> => {
    run.filesBefore = filesOf(run.tree)
    machine.attach(surroundings)
    machine.enter(image)
    const ended: unknown = await runToEnd(machine, run, command.order, job).catch((error: unknown) => error)
    machine.attach(null)
    return endRun('node', run, endOf(ended, surroundings, run))
  }
  return runningJob(run, result())
}

/**
 * Runs the script, then its promise jobs and timers in Node's order, until there are none left. Returns the exit code.
 */
async function runToEnd(
  machine: Machine,
  run: NodeRun,
  order: NodeOrder,
  { env }: GuestJob,
): Promise<number> {
  const { meter } = run
  await requireAnswer(machine.ask('start', JSON.stringify({ ...order, env, version: VERSION })))
  for (;;) {
    await settle(machine)
    const wait = Number(await requireAnswer(machine.ask('next')))
    if (wait < 0) return Number(await requireAnswer(machine.ask('end')))
    if (wait > 0 && (await meter.sleep(wait))) throw new Killed(meter.stopReason ?? 'time')
    await requireAnswer(machine.ask('turn'))
  }
}

/** Runs ticks and promise jobs until there are none left, then reports unhandled rejections. */
async function settle(machine: Machine): Promise<void> {
  for (;;) {
    const ticked = (await requireAnswer(machine.ask('tick'))) === 1
    const jobs = await machine.runJobs()
    if (ticked || jobs > 0) continue
    const reasons = machine.rejections.take()
    if (reasons.length === 0) return
    for (const reason of reasons) await machine.askOf('unhandled', reason)
  }
}

/** Throws if the guest's dispatcher itself failed, for lack of memory or stack space. */
async function requireAnswer(answer: Promise<unknown>): Promise<unknown> {
  const value = await answer
  if (value === undefined) throw new Error('JavaScript heap out of memory')
  return value
}

/** Maps the end of a guest to a result. A limit that caused the failure is reported as the stop reason. */
function endOf(ended: unknown, { refusedMemory }: Surroundings, { tree, meter }: NodeRun): GuestEnd {
  if (ended instanceof Killed)
    return { exitCode: EXIT_CODES[ended.reason], stopped: ended.reason, message: '' }
  const refused: StopReason | null = refusedMemory ? 'memory' : tree.quota.wasRefused ? 'files' : null
  if (typeof ended === 'number' || ended instanceof Exit) {
    const exitCode = typeof ended === 'number' ? ended & 0xff : ended.code
    return { exitCode, stopped: exitCode === 0 ? null : refused, message: '' }
  }
  if (meter.stopReason !== null)
    return { exitCode: EXIT_CODES[meter.stopReason], stopped: meter.stopReason, message: '' }
  return { exitCode: ABORTED_EXIT_CODE, stopped: refused, message: `FATAL ERROR: ${crashMessage(ended)}\n` }
}
