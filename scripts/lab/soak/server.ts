// The server under soak: what `npm start` starts, on a free port and a fresh state folder, with somebody who kills it.
// Every process is ended by its own id.

import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { freePort } from '../../lib/free-port.ts'
import { end, identify, isAlive, type Identity } from '../../lib/processes.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
export const ADMIN_KEY = 'an-admin-key-of-the-soak-harness'
const ID_SECRET = 'the-id-secret-of-the-soak-harness-only'
const ENCRYPTION_KEY = 'the-encryption-key-of-the-soak-harness'
const UP_MS = 60_000
const PROBE_MS = 1_000
const LOOK_MS = 50

type Role = 'workerd' | 'server'

export interface SoakServer {
  readonly url: string
  readonly port: number
  /** Waits until it is ready. Rejects when it does not in time, or when `npm start` ended by itself. */
  up(): Promise<void>
  /** The living workerd, or the server process that runs it; null while there is none. */
  find(what: Role): Identity | null
  /** Ends all of its processes at once and starts it anew on the same state. */
  restart(): void
  output(): string
  /** Ends it, lets `look` see its state folder at rest, and removes that. */
  stop(look?: (folder: string) => void): Promise<void>
}

/** A model API in a process of its own, and how to end it. */
export interface SoakApi {
  readonly url: string
  /** Requests that came so far. */
  asked(): Promise<number>
  /** US dollars that it bills for them; NaN: it keeps no account. */
  billed(): Promise<number>
  stop(): Promise<void>
}

export async function startApi(program: URL, ...args: readonly string[]): Promise<SoakApi> {
  const child = fork(fileURLToPath(program), args, { stdio: 'inherit' })
  const { url } = await new Promise<{ readonly url: string }>((resolve, reject) => {
    child.once('message', (message: { readonly url: string }) => resolve(message))
    child.once('exit', (status) => reject(new Error(`The model API ended with ${status}.`)))
  })
  const said = async (): Promise<{ readonly asked: number; readonly billedUsd?: number }> =>
    new Promise((resolve) => {
      child.once('message', resolve)
      child.send('asked')
    })
  return {
    url,
    asked: async () => (await said()).asked,
    billed: async () => (await said()).billedUsd ?? Number.NaN,
    stop: async () => {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

/** Children of a process, by `ps`, which every system here has. */
function childrenOf(pid: number): readonly number[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .flatMap(([child]) => (child === undefined ? [] : [child]))
}

/** Its skills can be read, too: an instance that just started answers before that. */
async function ready(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

function launch(folder: string, port: number, apiUrl: string, allow: readonly string[]): ChildProcess {
  return spawn(
    process.execPath,
    [
      join(ROOT, 'scripts/start.ts'),
      '--port',
      String(port),
      '--persist-to',
      folder,
      ...allow.flatMap((place) => ['--allow-host', place]),
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ADMIN_KEY,
        ID_SECRET,
        ENCRYPTION_KEY,
        ANTHROPIC_API_KEY: 'any-key-of-the-soak-harness',
        ANTHROPIC_BASE_URL: apiUrl,
        MODEL: '',
      },
    },
  )
}

/** `allow`: `host:port` that tools may reach though private. */
export async function startServer(apiUrl: string, allow: readonly string[] = []): Promise<SoakServer> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-soak-'))
  const port = await freePort()
  let output = ''
  const begin = (): ChildProcess => {
    const begun = launch(folder, port, apiUrl, allow)
    for (const stream of [begun.stdout, begun.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    return begun
  }
  let child = begin()

  const workerd = (): Identity | null => {
    try {
      // Written by the supervisor; while it is being written there is none.
      const text = readFileSync(join(folder, 'satchel.pid'), 'utf8')
      const state = JSON.parse(text) as { readonly workerd: Identity | null }
      return state.workerd && isAlive(state.workerd) ? state.workerd : null
    } catch {
      return null
    }
  }
  const server = (): Identity | null => {
    const pid = child.pid === undefined ? undefined : childrenOf(child.pid)[0]
    return pid === undefined ? null : identify(pid)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    output: () => output,
    up: async () => {
      const deadline = performance.now() + UP_MS
      while (!(await ready(port))) {
        if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output}`)
        if (performance.now() > deadline) throw new Error(`npm start is not up:\n${output.slice(-4_000)}`)
        await sleep(LOOK_MS)
      }
    },
    find: (what) => (what === 'workerd' ? workerd() : server()),
    restart: () => {
      // All before any: whoever outlived the others could start one of them again.
      const all = [workerd(), server()]
      child.kill('SIGKILL')
      for (const one of all) if (one) end(one)
      child = begin()
    },
    stop: async (look) => {
      const last = workerd()
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        await gone
      }
      if (last) end(last)
      try {
        look?.(folder)
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    },
  }
}
