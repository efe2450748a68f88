// Runs `npm start` on a free port and with its own state folder, for tests and measurements that use it from outside
// and kill it. Ends each process by its ID.

import { execFileSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '../../../src/client/client.ts'
import { freePort } from '../../lib/free-port.ts'
import { end, identify, isAlive, residentMb, type ProcessIdentity } from '../../lib/processes.ts'
import { workerdOn } from '../../lib/state-file.ts'
import { ADMIN_KEY } from './keys.ts'
import { ended, outputOf, script } from './script.ts'
import { until } from './until.ts'

const READY_MS = 10_000
/** Timeout in ms for a start, which takes seconds, or minutes on a busy machine. A start that fails ends earlier. */
const UP_MS = 300_000

export interface Satchel {
  readonly url: string
  readonly port: number
  readonly folder: string
  /** The supervisor process, which `restart` replaces. */
  readonly process: ChildProcess
  readonly client: Client
  /** Returns all output so far. */
  output(): string
  /** The last recorded workerd. */
  workerd(): ProcessIdentity | null
  /** The running workerd, or the server process that owns it; null if there is none. */
  find(what: 'workerd' | 'server'): ProcessIdentity | null
  /** Memory of workerd in MB; 0 if it is not running. */
  residentMb(): number
  /** Waits until it reports that it is up. Rejects if it exits instead. */
  up(): Promise<void>
  /**
   * Waits until it responds and its skills can be read, including after a kill. Rejects if `npm start` exits instead.
   */
  ready(): Promise<void>
  /** Kills all of its processes immediately and starts again with the same state. */
  restart(): void
  /** Stops it, calls `inspectFolder` with its state folder, and deletes the folder if it is temporary. */
  stop(inspectFolder?: (folder: string) => void): Promise<void>
}

export interface SatchelOptions {
  /** An existing state folder. By default a temporary one, which stop() deletes. */
  readonly folder?: string
  readonly port?: number
  /** The script to start, in scripts/. */
  readonly script?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Whether to run the command `npm start` itself. */
  readonly typed?: boolean
}

/** A client, by default with the admin's key. */
export function clientOf(url: string, key = ADMIN_KEY): Client {
  return new Client({ url, key, fetch, wait: async (ms) => sleep(ms) })
}

/** The environment for a model API at `url`, with a dummy key. */
export function withModelApi(url: string): Readonly<Record<string, string>> {
  return { ANTHROPIC_API_KEY: 'any-key-will-do', ANTHROPIC_BASE_URL: url }
}

/** Starts a server and waits until it is ready. */
export async function startSatchel(options: SatchelOptions = {}): Promise<Satchel> {
  const satchel = await spawnSatchel(options)
  try {
    await satchel.up()
  } catch (error) {
    await satchel.stop()
    throw error
  }
  return satchel
}

/** Starts a server without waiting for it. */
export async function spawnSatchel(options: SatchelOptions = {}): Promise<Satchel> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'satchel-state-'))
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const args = ['--port', String(port), '--persist-to', folder, ...(options.args ?? [])]
  const typed = options.typed === true
  const spawnScript = (): ChildProcess => script(options.script ?? 'start.ts', args, options.env, { typed })
  let child = spawnScript()
  let outputs = [outputOf(child)]
  const output = (): string => outputs.map((one) => one()).join('')
  const find: Satchel['find'] = (what) => {
    const identity = what === 'workerd' ? workerdOn(folder) : serverProcess(child)
    return identity && isAlive(identity) ? identity : null
  }
  const waitFor = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
    await until(
      what,
      () => {
        if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
        return condition()
      },
      25,
      UP_MS,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${output()}`, { cause: error })
    })
  }
  return {
    url,
    port,
    folder,
    get process() {
      return child
    },
    client: clientOf(url),
    output,
    workerd: () => workerdOn(folder),
    find,
    residentMb: () => residentMb(find('workerd')?.pid ?? 0),
    up: () => waitFor('npm start is up', () => output().includes('Satchel is up')),
    ready: () => waitFor('npm start is ready', () => isReady(url)),
    restart: () => {
      // Find all of them before killing, because a survivor could restart one of the others.
      const all = [find('workerd'), find('server')]
      child.kill('SIGKILL')
      for (const one of all) if (one) end(one)
      child = spawnScript()
      outputs = [...outputs, outputOf(child)]
    },
    stop: async (inspectFolder) => {
      // npm, its shell and the server form one process group.
      await ended(child, () => (typed ? process.kill(-(child.pid ?? 0), 'SIGTERM') : child.kill('SIGTERM')))
      const workerd = workerdOn(folder)
      if (workerd) end(workerd)
      try {
        inspectFolder?.(folder)
      } finally {
        if (!options.folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    },
  }
}

/** Skills must be readable, too, because a new instance responds before they are. */
async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_MS) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** The workerd of a server, once it is running. */
export async function livingWorkerd(satchel: Satchel): Promise<ProcessIdentity> {
  return until('a workerd is recorded', () => satchel.find('workerd'))
}

/** The server process: the only child of the supervisor, found with `ps`, which every supported system has. */
export function serverProcess(supervisor: ChildProcess): ProcessIdentity | null {
  const pid = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .find(([, parent]) => parent === supervisor.pid)?.[0]
  return pid === undefined ? null : identify(pid)
}
