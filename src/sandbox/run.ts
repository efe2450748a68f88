// Runs one command in the thread's shell, and each program that it starts in another isolate. They share one
// deadline and end with the call. Does not store their changes.

import type { ToolCall } from '../agent/tool.ts'
import { DATA_ROOT } from '../files/path.ts'
import { utf8 } from '../lib/bytes.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import { SANDBOX_GRACE_MS, SANDBOX_PROGRESS_MAX_CHARS } from '../limits/sandbox.ts'
import {
  SANDBOX_FILES_MAX,
  SANDBOX_HEAP_MAX_BYTES,
  SANDBOX_OUTPUT_MAX_BYTES,
  SANDBOX_ISOLATES_MAX,
  SANDBOX_PROGRAM_OUTPUT_MAX_BYTES,
  SANDBOX_PROGRAM_WRITE_MAX_BYTES,
  SANDBOX_STEPS_PER_MS,
  SANDBOX_WRITE_MAX_BYTES,
} from './limits.ts'
import type { Guest, GuestHost, GuestJob, GuestLimits, GuestResult, StopReason } from './guest.ts'
import type { Isolates } from './isolates.ts'
import type { JobResult } from './loader.ts'
import { PACKS_ROOT } from './installed-packages.ts'
import type { RuntimeName } from './runtimes.ts'
import type { CommandTree } from './tree.ts'

/** A program that a command started, and the limit that ended it. */
export interface StartedProgram {
  readonly name: string
  readonly stopped: StopReason | null
}

interface RunParts {
  readonly isolates: Isolates
  readonly now: () => number
}

const PROGRAMS: Readonly<Record<string, RuntimeName>> = { python: 'python', python3: 'python', node: 'node' }
const WORKSPACE = `${DATA_ROOT}/workspace`
/** The environment variables of a program, which reveal nothing about other tenants. */
const ENVIRONMENT = { HOME: WORKSPACE, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' }

/**
 * Runs `command` for `thread` (`<workspace>/<thread>`), and adds each started program to `programs`. Fails
 * with a message if no isolate is available, and rejects if an isolate fails.
 */
export async function runShell(
  { isolates, now }: RunParts,
  thread: string,
  command: string,
  wallMs: number,
  tree: CommandTree,
  call: ToolCall,
  programs: StartedProgram[],
): Promise<Result<GuestResult, string>> {
  const deadline = now() + wallMs
  const [workspace = ''] = thread.split('/')
  let jobCount = 0
  const runJob = (guest: Guest, job: Omit<GuestJob, 'id' | 'files'>, host: GuestHost): Promise<JobResult> =>
    runGuestJob(
      guest,
      { ...job, id: `${call.idempotencyKey}#${jobCount++}`, files: tree.files },
      host,
      call.signal,
    )
  const read: GuestHost['read'] = (path, range) =>
    path.startsWith(PACKS_ROOT) ? isolates.readPack(path.slice(PACKS_ROOT.length)) : tree.read(path, range)
  const keep: GuestHost['keep'] = async (bytes) => tree.keep(bytes)
  const progress = limitProgress(call.progress)

  const exec: GuestHost['exec'] = async ({ wallMs: ownMs = Infinity, ...job }, start) => {
    const name = job.argv[0] ?? ''
    const runtime = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined
    if (runtime === undefined) return missingProgramResult(`there is no program ${name}`)
    const remainingMs = Math.max(1, deadline - now())
    const limits = limitsOf(
      Math.min(ownMs, remainingMs),
      SANDBOX_PROGRAM_OUTPUT_MAX_BYTES,
      SANDBOX_PROGRAM_WRITE_MAX_BYTES,
    )
    const result = await isolates.lend(runtime, workspace, SANDBOX_ISOLATES_MAX, (guest) =>
      runJob(
        guest,
        { ...job, env: { ...ENVIRONMENT, ...job.env }, limits },
        {
          read,
          progress,
          // Copy the result for the same reason as in `copyResult`.
          start: async (child) => copyGuestResult(await start(child)),
        },
      ),
    )
    if (!result.ok) return missingProgramResult(`${name} cannot run: ${result.error}`)
    const { stopped } = result.value
    // The caller of a program with its own time limit handles its end.
    programs.push({ name, stopped: stopped === 'time' && ownMs < remainingMs ? null : stopped })
    return result.value
  }
  const shell = {
    argv: ['bash', '-c', command],
    cwd: WORKSPACE,
    env: ENVIRONMENT,
    stdin: new Uint8Array(0),
    overlay: [],
    limits: limitsOf(wallMs, SANDBOX_OUTPUT_MAX_BYTES, SANDBOX_WRITE_MAX_BYTES),
  }
  const host: GuestHost = { read, keep, progress, exec }
  if (call.signal.aborted) return err('the call was stopped before it began')
  const result = await isolates.lend('bash', thread, 1, (guest) => runJob(guest, shell, host))
  // A program may use all the remaining time, so if it ran out of time, the command did too.
  if (result.ok && result.value.stopped === null && programs.some(({ stopped }) => stopped === 'time'))
    return ok({ ...result.value, stopped: 'time', changes: [] })
  return result
}

/**
 * Waits until a job returns. Cancels it if the call is stopped, or if it does not return soon after its
 * deadline.
 */
async function runGuestJob(
  guest: Guest,
  job: GuestJob,
  host: GuestHost,
  signal: AbortSignal,
): Promise<JobResult> {
  const cancel = (): void => void guest.cancel(job.id).catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    const answer = await withTimeout(job.limits.wallMs + SANDBOX_GRACE_MS, guest.run(job, host))
    if (answer) return copyResult(answer)
    cancel()
    return { ...TIMED_OUT, spent: true }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/**
 * Copies a result, because passing on an object from another isolate would keep the call to that isolate
 * open.
 */
function copyResult(answer: JobResult): JobResult {
  const spent = answer.spent === true ? { spent: true } : {}
  if ('busy' in answer) return { busy: true, ...spent }
  return { ...copyGuestResult(answer), ...spent }
}

function copyGuestResult(result: GuestResult): GuestResult {
  const { exitCode, stdout, stderr, order, changes, folders, modes, times, stopped, steps } = result
  const output = { stdout, stderr, ...(order && { order }) }
  const tree = { changes, ...(folders && { folders }), ...(modes && { modes }), ...(times && { times }) }
  return { exitCode, ...output, ...tree, stopped, steps }
}

/** The result that a shell receives if a program cannot run. */
function missingProgramResult(message: string): GuestResult {
  return { ...TIMED_OUT, exitCode: 127, stderr: utf8(`${message}\n`), stopped: null }
}

const TIMED_OUT: GuestResult = {
  exitCode: 124,
  stdout: new Uint8Array(0),
  stderr: new Uint8Array(0),
  changes: [],
  stopped: 'time',
  steps: 0,
}

function limitsOf(wallMs: number, outputBytes: number, fileBytes: number): GuestLimits {
  return {
    wallMs,
    steps: wallMs * SANDBOX_STEPS_PER_MS,
    outputBytes,
    fileBytes,
    files: SANDBOX_FILES_MAX,
    heapBytes: SANDBOX_HEAP_MAX_BYTES,
  }
}

/** Streams output up to a limit, then a note that more follows. */
function limitProgress(progress: (text: string) => void): (text: string) => void {
  let charsLeft = SANDBOX_PROGRESS_MAX_CHARS
  return (text) => {
    if (charsLeft <= 0) return
    progress(text.slice(0, charsLeft))
    charsLeft -= text.length
    if (charsLeft <= 0) progress('\n[more follows in the result]\n')
  }
}
