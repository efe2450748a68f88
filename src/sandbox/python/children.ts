// Handles requests of boot/programs.py: runs programs that a script starts, with its descriptors as their standard
// streams.

import { runChild } from '../wasm/children.ts'
import { ERRNO } from '../wasm/errno.ts'
import { isRemote } from '../wasm/remote-read.ts'
import { readToBuffer } from './remote-files.ts'
import { PYTHON_CHILD_INPUT_MAX_BYTES } from './limits.ts'
import { runsOf } from '../write-order.ts'
import { Killed } from '../wasm/stop.ts'
import { concat } from '../commands/io/bytes.ts'

import type { OpenFile } from '../wasm/open-files.ts'
import type { Process } from './process.ts'

/** Results other than exit codes: a timeout, and the base for error numbers. */
const TIME_OVER = 256
const FAILED = 512
const READ_BYTES = 1_048_576

/** The request that boot/programs.py sends as JSON. */
interface Request {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The descriptors of the standard streams. */
  readonly streams: readonly [stdin: number, stdout: number, stderr: number]
  /** In milliseconds; null if there is no limit. */
  readonly timeout: number | null
}

/** Runs a program to its end and returns its exit code, TIME_OVER, or FAILED plus an error number. */
export async function startProgram(process: Process, text: string): Promise<number> {
  // The cast is safe: a script could send something else only by manipulating boot/programs.py, and all values for the
  // shell are converted to text and numbers below.
  const { argv, cwd, env, streams, timeout } = JSON.parse(text) as Request
  const { files } = process
  const [input, output, errors] = streams.map((fd) => files.get(Number(fd)))
  const stdin = await readInput(process, input)
  if (typeof stdin === 'number') return FAILED + stdin
  const merged = output !== undefined && output === errors
  try {
    const result = await runChild(process, {
      argv: argv.map(String),
      cwd: String(cwd),
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
      stdin,
      merged,
      wallMs: timeout === null ? null : Number(timeout) || 0,
    })
    const ownTimeIsOver = result.stopped === 'time' && timeout !== null
    // If the limit of the whole call was reached, the script ends, too.
    if (result.stopped !== null && !ownTimeIsOver) throw new Killed(result.stopped)
    for (const { stream, bytes } of runsOf(result)) {
      const open = stream === 'stdout' ? output : errors
      const done = open ? files.write(open, bytes, null) : 0
      if (done < 0) return FAILED - done
    }
    return ownTimeIsOver ? TIME_OVER : result.exitCode & 0xff
  } catch (error) {
    if (error instanceof Killed) throw error
    const stderr = files.get(2)
    const why = error instanceof Error ? error.message : String(error)
    if (stderr) files.write(stderr, new TextEncoder().encode(`python3: ${why}\n`), null)
    return FAILED + ERRNO.IO
  }
}

/** The program's input, or an error number. Standard input is left to the script, which may read it later. */
async function readInput(process: Process, open: OpenFile | undefined): Promise<Uint8Array | number> {
  const { files } = process
  if (!open?.readable) return new Uint8Array(0)
  if (open.node.kind === 'device')
    return open.node.device === 'stdin' ? files.unreadInput : (files.takePiped(open) ?? new Uint8Array(0))
  if (open.node.kind === 'folder') return ERRNO.ISDIR
  const { node } = open
  const length = node.size - open.position
  if (length > PYTHON_CHILD_INPUT_MAX_BYTES) return ERRNO.FBIG
  const chunks: Uint8Array[] = []
  for (;;) {
    const chunk = new Uint8Array(Math.min(READ_BYTES, Math.max(0, node.size - open.position)))
    const done = isRemote(node)
      ? await readToBuffer(process, open, node, chunk)
      : files.read(open, chunk, null)
    if (done < 0) return -done
    if (done === 0) return concat(chunks)
    chunks.push(chunk.subarray(0, done))
  }
}
