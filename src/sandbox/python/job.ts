// Runs one job: creates its files, runs the interpreter, and collects the changes. No state survives a job.

import { PYTHON_HEAP_MAX_BYTES } from '../limits.ts'
import { PYTHON_FILES_MAX_BYTES } from './limits.ts'
import { filesOf } from '../wasm/changes.ts'
import { readCommand } from './command.ts'
import {
  printedRun,
  crashMessage,
  endRun,
  runningJob,
  startRun,
  type GuestEnd,
  type GuestEngine,
} from '../wasm/run.ts'
import { addInterpreterFiles, ORDER_FILE } from './process.ts'
import { Exit, Killed } from '../wasm/stop.ts'

import type { PythonOrder } from './command.ts'
import type { Image } from '../wasm/image.ts'
import type { Machine } from './machine.ts'
import type { Packages } from '../wasm/packages.ts'
import type { Process } from './process.ts'
import type { Running } from '../wasm/lock.ts'
import type { GuestHost, GuestJob, GuestResult, StopReason } from '../guest.ts'

/** The state that an isolate keeps for all jobs. */
export interface Interpreter extends GuestEngine {
  readonly machine: Machine
  readonly image: Image
  readonly stdlib: Uint8Array
  readonly packages: Packages
  readonly loadSqlite: Process['loadSqlite']
}

/** Exit codes as used by `timeout` and shells. */
const EXIT_CODES: Readonly<Partial<Record<StopReason, number>>> = {
  time: 124,
  steps: 124,
  output: 141,
  cancelled: 130,
}
const ABORTED_EXIT_CODE = 134

/** Starts a job. The interpreter must be idle. */
export function beginJob(interpreter: Interpreter, job: GuestJob, host: GuestHost): Running {
  const command = readCommand(job.argv)
  if (!('order' in command)) return printedRun(command, interpreter.now)
  const { machine, image, stdlib, packages, loadSqlite } = interpreter
  const run = startRun(interpreter, job, host, PYTHON_FILES_MAX_BYTES, (tree) => {
    addInterpreterFiles(tree, stdlib)
    packages.mount(tree)
  })
  const process: Process = {
    ...run,
    packages,
    loadSqlite,
    memory: machine.memory,
    startEnv: [],
    heapBytes: Math.min(job.limits.heapBytes, PYTHON_HEAP_MAX_BYTES),
    sqliteGrowthBytes: 0,
    removedOnOpen: run.tree.put(ORDER_FILE, { bytes: orderBytes(command.order, job) }),
    refusedMemory: false,
  }
  const result = async (): Promise<GuestResult> => {
    process.filesBefore = filesOf(process.tree)
    machine.attach(process)
    const ended = await machine.enter(image).catch((error: unknown) => error)
    machine.attach(null)
    return endRun('python3', process, endOf(ended, process))
  }
  return runningJob(process, result())
}

/** Maps the end of a guest to a result. A limit that caused the failure is reported as the stop reason. */
function endOf(ended: unknown, { meter, tree, ...process }: Process): GuestEnd {
  if (ended instanceof Killed)
    return { exitCode: EXIT_CODES[ended.reason] ?? 1, stopped: ended.reason, message: '' }
  if (!(ended instanceof Exit))
    return {
      exitCode: ABORTED_EXIT_CODE,
      stopped: null,
      message: `Fatal Python error: ${crashMessage(ended)}\n`,
    }
  if (meter.stopReason !== null)
    return { exitCode: EXIT_CODES[meter.stopReason] ?? 1, stopped: meter.stopReason, message: '' }
  const refused: StopReason | null = process.refusedMemory ? 'memory' : tree.quota.wasRefused ? 'files' : null
  return { exitCode: ended.code, stopped: ended.code === 0 ? null : refused, message: '' }
}

function orderBytes(order: PythonOrder, { env, umask }: GuestJob): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...order, env, umask }))
}
