// Runs one job of a shell, from its files to its result. Everything that a guest can change is created anew for each
// job.

import type { Descriptor } from '../shell/state/descriptors.ts'
import type { GuestHost, GuestJob, GuestResult, HostPiece, StopReason } from '../guest.ts'
import { notFound } from './absent.ts'
import { FILE_COMMANDS } from './command-names.ts'
import { Control } from './control.ts'
import { ShellFiles } from './files.ts'
import { BASH_TEXT_HEAP_SHARE, BASH_VARIABLES_HEAP_SHARE } from '../limits.ts'
import type { LanguageParts } from './language.ts'
import type { OutputStream } from '../write-order.ts'
import { linksMessage, linkUnseen } from './links.ts'
import { ShellOutput } from './output.ts'
import { programsOf } from './children.ts'
import { PROGRAMS, type Exec } from './programs.ts'
import type * as Guarded from './shell.js'
import { FULL, Refusal } from './refusal.ts'
import { stopMessage } from './stop-message.ts'
import { encode } from '../commands/io/text.ts'
import { ShellTree } from './tree.ts'

/** Dependencies of a shell. */
export interface ShellParts {
  readonly shell: typeof Guarded
  readonly now: () => number
  /** Returns random letters for a unique name. */
  readonly fresh: () => string
  /** Returns a WebAssembly module, which is compiled on first use. */
  readonly wasm: LanguageParts['wasm']
}

/** A result. `spent` means that the isolate must not be used again. */
export interface SpentResult extends GuestResult {
  readonly spent?: true
}

/** Exit codes of a stopped job. For any other reason it is 137, as after a kill. */
const EXIT_CODES: Readonly<Partial<Record<StopReason, number>>> = { time: 124, stall: 124, refused: 2 }

/**
 * Starts `job`, and immediately returns its control and a promise of its result, which never rejects because of a guest.
 * A stopped job changes nothing, but its isolate cannot be used again, because parts of the job may still be running.
 */
export function runBash(
  job: GuestJob,
  host: GuestHost,
  { shell, now, fresh, wasm }: ShellParts,
): { control: Control; result: Promise<SpentResult> } {
  const output = new ShellOutput(
    job.limits.outputBytes,
    async (text) => host.progress(text),
    () => control.stopSoon('output'),
  )
  const control = new Control(shell.stepControls, job.limits, now, () => output.flush())
  const tree = new ShellTree({
    files: job.files,
    overlay: job.overlay,
    limits: job.limits,
    cachedBytes: job.limits.heapBytes * BASH_TEXT_HEAP_SHARE,
    read: async (path, range) =>
      control.callHost(async () => {
        try {
          return await host.read(path, range)
        } catch (error) {
          throw new Refusal(`Input/output error: ${messageOf(error)}`)
        }
      }),
    keep:
      host.keep === undefined
        ? null
        : async (bytes) =>
            control.callHost(async () => {
              try {
                return await keepOn(host, bytes)
              } catch (error) {
                control.stopSoon('files')
                throw new Refusal(`${FULL}: ${messageOf(error)}`)
              }
            }),
    now: () => new Date(now()),
    onQuotaReached: () => control.stopSoon('files'),
  })
  const files = new ShellFiles(tree)
  const hasPrograms = host.exec !== undefined
  const textBytes = Math.floor(Math.max(job.limits.outputBytes, job.limits.heapBytes * BASH_TEXT_HEAP_SHARE))
  let refusal = ''
  const held = (amount: number): void => {
    if (amount > textBytes) tooMuch(control)
  }
  const refused = (message: string): void => {
    refusal ||= message
    control.stopSoon('refused')
  }
  files.addSystem(FILE_COMMANDS.filter((name) => hasPrograms || !PROGRAMS.includes(name)))
  tree.seal()
  const start: Exec | null = hasPrograms
    ? async (call, child) => control.callHost(async () => execOn(host, call, child))
    : null
  /** Work that the script ended but that may still be computing. */
  const left = new Set<Promise<unknown>>()
  const shellHost: LanguageParts = {
    fs: files,
    refused,
    commands: shell.OWN_COMMANDS,
    hasProgram: (name) => start !== null && PROGRAMS.includes(name),
    run: async (call) => {
      const link = linkUnseen(tree.entries)
      if (link !== null) {
        refused(unseenLink(call.name, link))
        return { stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 2 }
      }
      if (call.shown) output.flush()
      return programs(call)
    },
    written: async (shown, write) => (shown ? output.withoutStreaming(write) : write()),
    notFound,
    now,
    fresh,
    random: (below) => Math.floor(Math.random() * below),
    tooMuch: () => tooMuch(control),
    held,
    heldInVariables: (characters) => {
      if (characters > job.limits.heapBytes * BASH_VARIABLES_HEAP_SHARE) tooMuch(control)
    },
    leaves: (work) => {
      const settle = (): boolean => left.delete(work)
      left.add(work)
      work.then(settle, settle)
    },
    wasm,
    spend: (steps) => control.charge(steps),
    output: { stdout: descriptorOf(output, 'stdout'), stderr: descriptorOf(output, 'stderr') },
  }
  const programs = programsOf(
    { runScript: shell.runScript, exec: start ?? noPrograms, tree, control, now },
    () => shellHost,
  )
  const env = {
    HOME: job.cwd,
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    USER: 'user',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...job.env,
  }

  const finish = async (): Promise<SpentResult> => {
    let exitCode: number | null = null
    try {
      const work = shell.runScript(shellHost, { argv: job.argv, cwd: job.cwd, env, stdin: job.stdin })
      exitCode = await Promise.race([work, control.graceOver.then(() => null)])
    } catch (error) {
      // The error either ended a stopped job, or is a bug in the shell. Only the message of a bug can be reported.
      if (control.stopReason === null) {
        output.write('stderr', encode(`bash: ${messageOf(error)}\n`))
        exitCode = 1
      }
    }
    const stopped = control.stopReason
    const changes = stopped === null ? await tree.changes() : []
    const { steps } = control
    const isSpent = stopped !== null || left.size > 0
    control.close(isSpent)
    output.append(
      stopped === null ? linksMessage(tree.entries, job.cwd) : stopMessage(stopped, job.limits, refusal),
    )
    return {
      exitCode: stopped === null ? (exitCode ?? 1) : (EXIT_CODES[stopped] ?? 137),
      ...(await output.end()),
      changes,
      stopped,
      steps,
      ...(isSpent && { spent: true }),
    }
  }
  return { control, result: finish() }
}

/** Thrown to end a job that has used up its memory. */
class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

function tooMuch(control: Control): never {
  control.stopSoon('memory')
  throw new TooMuch('The job holds too much.')
}

/**
 * The message for a link that a program does not see: programs get copies of links to files, and no links to folders.
 */
function unseenLink(program: string, link: string): string {
  return `${program} while ${link} is a link to a folder or to nothing is not supported here. Instead: rm the link before, and use the folder's own path`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function descriptorOf(output: ShellOutput, stream: OutputStream): Descriptor {
  return {
    input: null,
    write: (bytes) => {
      output.write(stream, bytes)
      return undefined
    },
    close: async () => {},
  }
}

async function keepOn(host: GuestHost, bytes: Uint8Array): Promise<HostPiece> {
  if (!host.keep) throw new Error('this shell cannot write so much')
  return host.keep(bytes)
}

async function execOn(host: GuestHost, ...call: Parameters<Exec>): Promise<GuestResult> {
  return host.exec ? host.exec(...call) : noPrograms()
}

async function noPrograms(): Promise<never> {
  throw new Error('this shell starts no programs')
}
