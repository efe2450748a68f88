// The server under soak: what `npm start` starts, on a free port and a fresh state folder, with somebody who kills it.
// Every process is ended by its own id.

import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { freePort } from '../lib/free-port.ts'
import { end, identify, isAlive, type Identity } from '../lib/processes.ts'
import { probe } from '../start/probe.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const ADMIN_KEY = 'an-admin-key-of-the-soak-harness'
const UP_MS = 60_000
const PROBE_MS = 1_000
const LOOK_MS = 50

interface Victim {
  readonly what: 'workerd' | 'server'
  readonly process: Identity
}

export interface SoakServer {
  readonly url: string
  /** Waits until it answers. Rejects when it does not in time. */
  up(): Promise<void>
  /** The living workerd, or the server process that runs it; null while there is none. */
  find(what: Victim['what']): Victim | null
  kill(victim: Victim): boolean
  output(): string
  stop(): Promise<void>
}

/** The faulty API, and how to end it. */
export async function startFaultyApi(seed: number): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('faulty-api.ts', import.meta.url)), [String(seed)], {
    stdio: 'inherit',
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { readonly url: string }) => resolve(message.url))
    child.once('exit', (status) => reject(new Error(`The faulty API ended with ${status}.`)))
  })
  return {
    url,
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

export async function startServer(apiUrl: string): Promise<SoakServer> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-soak-'))
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [join(ROOT, 'scripts/start.ts'), '--port', String(port), '--persist-to', folder],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ADMIN_KEY,
        ANTHROPIC_API_KEY: 'any-key-of-the-soak-harness',
        ANTHROPIC_BASE_URL: apiUrl,
        MODEL: '',
      },
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))

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
    output: () => output,
    up: async () => {
      const deadline = performance.now() + UP_MS
      for (;;) {
        // Before it has said so once it answers already, and would rightly be given up when it dies.
        if (output.includes('Satchel is up') && (await probe(port, PROBE_MS))?.status === 200) return
        if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output}`)
        if (performance.now() > deadline) throw new Error(`npm start is not up:\n${output}`)
        await sleep(LOOK_MS)
      }
    },
    find: (what) => {
      const found = what === 'workerd' ? workerd() : server()
      return found && { what, process: found }
    },
    kill: (victim) => end(victim.process),
    stop: async () => {
      const last = workerd()
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        await gone
      }
      if (last) end(last)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
