// Starts what is measured, each in processes of its own, and ends each by its own id. The bare Worker and Satchel are
// started alike: a Node process that runs workerd, a free port, a fresh state folder, no supervisor.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { freePort } from '../../lib/free-port.ts'
import { end, identify, residentMb } from '../../lib/processes.ts'

import type { Report, Start } from '../../start/messages.ts'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
export const ADMIN_KEY = 'an-admin-key-of-the-benchmark'
export const ID_SECRET = 'an-id-secret-of-the-benchmark-itself'
export const ENCRYPTION_KEY = 'an-encryption-key-of-the-benchmark'
const API_KEY = 'any-key-of-the-benchmark'
const STOP_MS = 5_000

export interface Server {
  readonly url: string
  stop(): Promise<void>
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const left = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await once(child, 'exit')
  clearTimeout(left)
}

export interface Satchel extends Server {
  /** Memory of its workerd in MB. */
  residentMb(): number
}

export interface FakeApi extends Server {
  /** The body of the last request that it got. */
  last(): Promise<string>
}

/** The fake Messages API. Rejects when its process ends before it listens. */
export async function startFakeApi(): Promise<FakeApi> {
  const child = fork(fileURLToPath(new URL('fake-api.ts', import.meta.url)), [], { stdio: 'inherit' })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { readonly url: string }) => resolve(message.url))
    child.once('exit', (status) => reject(new Error(`The fake Messages API ended with ${status}.`)))
  })
  return {
    url,
    last: async () => {
      child.send('last')
      const [{ last }] = (await once(child, 'message')) as [{ readonly last: string }]
      return last
    },
    stop: async () => {
      child.disconnect()
      await gone(child)
    },
  }
}

/** Fills the state folder before the server opens it. */
export type Seed = (persist: string) => Promise<void>

/** A Worker server over the fake API: `script` is its process. Rejects with the words it failed with. */
async function startServer(
  script: string,
  apiUrl: string,
  seed?: Seed,
  entry = 'src/index.ts',
): Promise<Satchel> {
  const port = await freePort()
  const persist = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  await seed?.(persist)
  const child = fork(script, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let workerd: ReturnType<typeof identify> = null
  const stop = async (): Promise<void> => {
    if (child.connected) child.send({ type: 'stop' })
    await gone(child)
    if (workerd) end(workerd)
    rmSync(persist, { recursive: true, force: true, maxRetries: 5 })
  }
  const start: Start = {
    type: 'start',
    root: ROOT,
    entry,
    port,
    persist,
    skills: [],
    bindings: { ADMIN_KEY, ID_SECRET, ANTHROPIC_API_KEY: API_KEY, ANTHROPIC_BASE_URL: apiUrl },
    adminKey: ADMIN_KEY,
    options: null,
  }
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (report: Report) => {
        if (report.type === 'runtime') workerd = identify(report.pid)
        if (report.type === 'failed') reject(new Error(report.message))
        if (report.type === 'ready') resolve()
        if (report.type === 'call') child.send({ type: 'call-answer', id: report.id, go: true })
      })
      child.once('exit', (status) => reject(new Error(`${script} ended with ${status}.`)))
      child.send(start)
    })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `http://127.0.0.1:${port}`,
    stop,
    residentMb: () => residentMb(workerd?.pid ?? 0),
  }
}

export async function startBare(apiUrl: string): Promise<Server> {
  return startServer(fileURLToPath(new URL('bare-server.ts', import.meta.url)), apiUrl)
}

/** `entry`: the Worker, from the root. */
export async function startSatchel(apiUrl: string, seed?: Seed, entry?: string): Promise<Satchel> {
  return startServer(fileURLToPath(new URL('../../start/server.ts', import.meta.url)), apiUrl, seed, entry)
}
