// Builds the image of CPython: starts it in Node, with a fixed clock and fixed random numbers, imports what scripts
// usually need, and copies its memory. It has the same host calls as the child.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ABSENT_PROGRAMS } from '../../src/sandbox/bash/absent.ts'
import { FILE_COMMANDS } from '../../src/sandbox/bash/command-names.ts'
import { USUAL_UMASK } from '../../src/sandbox/file-modes.ts'
import { writeImage } from '../../src/sandbox/wasm/image.ts'
import { Machine } from '../../src/sandbox/python/machine.ts'
import { Meter } from '../../src/sandbox/wasm/meter.ts'
import { OpenFiles } from '../../src/sandbox/wasm/open-files.ts'
import { GuestOutput } from '../../src/sandbox/wasm/output.ts'
import { addInterpreterFiles } from '../../src/sandbox/python/process.ts'
import { openStreams } from '../../src/sandbox/wasm/devices.ts'
import { Exit } from '../../src/sandbox/wasm/stop.ts'
import { Packages } from '../../src/sandbox/wasm/packages.ts'
import { NO_PACKAGES } from './no-packages.ts'
import { quotaOf } from '../../src/sandbox/wasm/quota.ts'
import { Tree } from '../../src/sandbox/wasm/tree.ts'
import { ERRORS } from './errno-table.ts'

import type { ImageFacts } from '../../src/sandbox/wasm/image.ts'
import type { Memory } from '../../src/sandbox/wasm/memory.ts'
import type { Process } from '../../src/sandbox/python/process.ts'

export const BOOT = 'src/sandbox/python/boot'
/** The limit of Python calls that start.py sets, and how many calls may be under way. */
export const MARKED_CALLS_MAX = 54_321
const MARKED_DEPTH_MAX = 100
/** CPython's limit of nested C calls, and the one that fits in the stack of an isolate with every kind of call. */
const C_CALLS_BEFORE = 10_000
const C_CALLS_MAX = 1_000
/** The interpreter's fixed clock while the image is built. */
const MOMENT_MS = Date.UTC(2026, 0, 1)
const LOTS = 1 << 28
const ENV = [
  'PYTHONHOME=/',
  'PYTHONHASHSEED=0',
  'PYTHONDONTWRITEBYTECODE=1',
  'LANG=C.UTF-8',
  'HOME=/tmp',
  'PATH=/usr/bin:/bin',
]
const STARTER = `
import types
module = types.ModuleType('_satchel')
module.__file__ = '<satchel>'
module.PARTS = {name: open(f'/boot/{name}.py').read() for name in ('programs', 'threads', 'processes', 'derive', 'system', 'absent')}
exec(compile(open('/boot/start.py').read(), '<satchel>', 'exec'), module.__dict__)
`

/** The first one executes the others. */
const BOOT_FILES = [
  'start.py',
  'programs.py',
  'threads.py',
  'processes.py',
  'derive.py',
  'system.py',
  'absent.py',
]

/** Builds the image. If Python fails, throws an error with its output. */
export function makeImage(root: string, wasm: Uint8Array<ArrayBuffer>, stdlib: Uint8Array): Uint8Array {
  let image: Uint8Array | null = null
  const machine: Machine = new Machine(new WebAssembly.Module(wasm), false, () => {
    const addresses = process.tree.find(process.tree.root, '/tmp/addresses')
    if (typeof addresses === 'number' || addresses.kind !== 'file') return
    // The cast is safe: start.py writes this JSON.
    const facts = JSON.parse(
      new TextDecoder().decode(addresses.bytes?.subarray(0, addresses.size)),
    ) as ImageFacts
    limitCalls(machine.memory)
    const memory = machine.memory.bytes
    image = writeImage(memory, { ...facts, stack: machine.stack, total: memory.length })
    throw new Exit(0)
  })
  const process = interpreterProcess(machine, stdlib)
  for (const file of BOOT_FILES)
    process.tree.put(`/boot/${file}`, { bytes: readFileSync(join(root, BOOT, file)) })
  process.tree.put('/boot/errno', {
    bytes: new TextEncoder().encode(ERRORS.map((row) => row.join(' ')).join('\n')),
  })
  process.tree.put('/boot/programs', {
    bytes: new TextEncoder().encode([...ABSENT_PROGRAMS].map((row) => row.join('\t')).join('\n')),
  })
  process.tree.put('/boot/commands', { bytes: new TextEncoder().encode(FILE_COMMANDS.join('\n')) })
  machine.attach(process)
  try {
    machine.start(['python3', '-X', 'utf8', '-c', STARTER])
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  }
  if (!image) {
    const printed = new TextDecoder().decode(process.output.written.stderr)
    throw new Error(`the image of Python was not made:\n${printed}`)
  }
  return image
}

/**
 * Lowers CPython's limit of nested C calls, which is for larger stacks than those of an isolate: it then raises RecursionError
 * before the engine ends the interpreter. The three counters follow each other in the state of its thread: Python calls that
 * remain, their limit, which start.py has set to a value that is nowhere else, and C calls that remain.
 */
export function limitCalls(memory: Memory): void {
  const found: number[] = []
  for (let at = 4; at < memory.bytes.length - 8; at += 4) {
    const [remaining, limit, calls] = [at - 4, at, at + 4].map((address) => memory.i32(address))
    if (limit !== MARKED_CALLS_MAX || remaining === undefined || calls === undefined) continue
    if (
      remaining > limit - MARKED_DEPTH_MAX &&
      remaining <= limit &&
      calls > C_CALLS_MAX &&
      calls <= C_CALLS_BEFORE
    )
      found.push(at)
  }
  const [at] = found
  if (at === undefined || found.length > 1)
    throw new Error(`CPython's counters of calls were found ${found.length} times: look at python-image.ts`)
  memory.setU32(at + 4, C_CALLS_MAX)
}

/** A process without a limit of time, with the same clock and random numbers in each build. */
export function interpreterProcess(
  machine: Machine,
  stdlib: Uint8Array,
  steps = Number.POSITIVE_INFINITY,
): Process {
  const now = (): number => MOMENT_MS
  const tree = new Tree(quotaOf(LOTS, LOTS, LOTS), now)
  addInterpreterFiles(tree, stdlib)
  const random = (bytes: Uint8Array): void => void bytes.fill(7)
  const stdin = new Uint8Array(0)
  const output = new GuestOutput(LOTS, null, now)
  const files = new OpenFiles(tree, { stdin, random, write: (stream, bytes) => output.write(stream, bytes) })
  openStreams(tree, files)
  return {
    tree,
    files,
    output,
    packages: new Packages(NO_PACKAGES.buffer),
    loadSqlite: async () => {
      throw new Error('SQLite is not used while Python is built')
    },
    memory: machine.memory,
    start: null,
    filesBefore: new Map(),
    meter: new Meter({ wallMs: Number.POSITIVE_INFINITY, steps }, machine.fuel, now, () => {}),
    fetch: async () => null,
    fetchRange: async () => null,
    random,
    now,
    elapsed: () => 0,
    startEnv: ENV,
    heapBytes: LOTS,
    sqliteGrowthBytes: 0,
    cwd: tree.root,
    umask: USUAL_UMASK,
    removedOnOpen: null,
    refusedMemory: false,
  }
}
