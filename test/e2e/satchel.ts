// Starts what `npm start` starts, in a folder of its own and without a model key, and ends it by its own process id.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { freePort } from '../../scripts/lib/free-port.ts'
import { end, identify, isAlive, type Identity } from '../../scripts/lib/processes.ts'
import { Client } from '../../src/client/client.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const ADMIN_KEY = 'an-admin-key-of-the-end-to-end-tests'
export const ID_SECRET = 'an-id-secret-of-the-end-to-end-tests'
export const ENCRYPTION_KEY = 'an-encryption-key-of-the-end-to-end-tests'
/** Milliseconds that any wait here has: a busy machine is no failure. How long things take, `npm run bench` measures. */
const PATIENCE_MS = 90_000

export interface Satchel {
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly process: ChildProcess
  readonly client: Client
  /** All that was printed. */
  output(): string
  workerd(): Identity | null
  /** Waits until it has said that it is up. Rejects when it ends instead. */
  up(): Promise<void>
  stop(): Promise<void>
}

export interface Options {
  /** The state of an earlier one; else a fresh one, gone after stop(). */
  readonly folder?: string
  readonly port?: number
  /** What is started, from scripts/. */
  readonly script?: string
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
}

/** Asks until it is true; fails with `what` where it never is. */
export async function until<T>(
  what: string,
  ask: () => T | null | false | undefined | Promise<T | null | false | undefined>,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS} ms`)
    await sleep(25)
  }
}

/** A script of this project, as npm runs it: with this Node, and no key of the machine it runs on. */
export function script(
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, [join(ROOT, 'scripts', file), ...args], {
    cwd: ROOT,
    stdio: [stdin, 'pipe', 'pipe'],
    env: {
      ...process.env,
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_BASE_URL: '',
      MODEL: '',
      ADMIN_KEY,
      ID_SECRET,
      ENCRYPTION_KEY,
      SATCHEL_URL: '',
      SATCHEL_KEY: '',
      FORCE_COLOR: undefined,
      ...env,
    },
  })
}

/** Runs a script to its end. */
export async function finished(
  child: ChildProcess,
): Promise<{ readonly status: number | null; readonly out: string }> {
  let out = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  await once(child, 'close')
  return { status: child.exitCode, out }
}

export function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'satchel-e2e-'))
}

/** A SKILL.md without findings. */
export const md = (name: string, body = 'Do it well.'): string =>
  `---\nname: ${name}\ndescription: Does ${name} when somebody asks for it.\n---\n\n# ${name}\n\n${body}\n`

/** Writes a file and the folders that it lies in. */
export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** What satchel.pid says; null while it is not written. */
function stateOf(
  folder: string,
): { readonly supervisor: Identity; readonly workerd: Identity | null } | null {
  try {
    // Written by the supervisor that is being tested.
    return JSON.parse(readFileSync(join(folder, 'satchel.pid'), 'utf8')) as ReturnType<typeof stateOf>
  } catch {
    return null
  }
}

/** The admin's client. */
export function clientOf(url: string): Client {
  return new Client({ url, key: ADMIN_KEY, fetch, wait: async (ms) => sleep(ms) })
}

/** Starts one and waits until it is up. */
export async function startSatchel(options: Options = {}): Promise<Satchel> {
  const satchel = await spawnSatchel(options)
  try {
    await satchel.up()
  } catch (error) {
    await satchel.stop()
    throw error
  }
  return satchel
}

/** Starts one, and does not wait for it. */
export async function spawnSatchel(options: Options = {}): Promise<Satchel> {
  const folder = options.folder ?? temporary()
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const args = ['--port', String(port), '--persist-to', folder, ...(options.args ?? [])]
  const child = script(options.script ?? 'start.ts', args, options.env)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    }
    const left = stateOf(folder)?.workerd
    if (left) end(left)
    if (!options.folder) rmSync(folder, { recursive: true, force: true })
  }
  return {
    url,
    port,
    folder,
    process: child,
    client: clientOf(url),
    output: () => output,
    workerd: () => stateOf(folder)?.workerd ?? null,
    up: async () => {
      await until('npm start is up', () => {
        if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output}`)
        return output.includes('Satchel is up')
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${output}`, { cause: error })
      })
    },
    stop,
  }
}

/** The living workerd of a server, once it has one. */
export async function livingWorkerd(satchel: Satchel): Promise<Identity> {
  return until('a workerd is recorded', () => {
    const workerd = satchel.workerd()
    return workerd && isAlive(workerd) ? workerd : null
  })
}

/** The server process: the only child of a supervisor. */
export function serverProcess(supervisor: ChildProcess): Identity | null {
  const pid = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .find(([, parent]) => parent === supervisor.pid)?.[0]
  return pid === undefined ? null : identify(pid)
}
