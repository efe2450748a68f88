// Runs a Worker with a model API and no supervisor: a Node process that runs workerd, on a free port and with a
// temporary state folder. Used to measure both the bare Worker and Satchel. Ends each process by its ID.

import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { freePort } from '../../lib/free-port.ts'
import { end, identify, processorMs, residentMb } from '../../lib/processes.ts'
import { ADMIN_KEY, ENCRYPTION_KEY, ID_SECRET, ROOT } from './keys.ts'
import { startModelApi, type ModelApi } from './model-api.ts'
import { ended } from './script.ts'
import { withModelApi } from './satchel.ts'

import type { ServerReport, StartMessage } from '../../start/messages.ts'

const STOP_MS = 5_000
const SERVER = new URL('../../start/server.ts', import.meta.url)
const FAKE_API = new URL('./fake-api.ts', import.meta.url)

interface Stoppable {
  stop(): Promise<void>
}

export interface WorkerServer extends Stoppable {
  readonly url: string
  /** Memory of its workerd in MB. */
  residentMb(): number
  /** Processor time of its workerd so far. */
  processorMs(): number
}

export interface WorkerServerOptions {
  /** The program of its process, which uses the same messages as the server process of `npm start`. */
  readonly program?: URL
  /** The Worker's entry point, relative to the root. */
  readonly entry?: string
  /** Additional variables. */
  readonly bindings?: Readonly<Record<string, string>>
  /** Fills the state folder before the server opens it. */
  readonly seed?: (persist: string) => Promise<void>
  /** A state folder that outlives the server. By default, each server has its own. */
  readonly persist?: string
  /** The port of workerd's inspector. */
  readonly inspectorPort?: number
}

/** Rejects with the message of the failure. */
export async function startWorker(
  apiUrl: string,
  { program = SERVER, entry = 'src/index.ts', bindings, seed, ...options }: WorkerServerOptions = {},
): Promise<WorkerServer> {
  const port = await freePort()
  const persist = options.persist ?? mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  await seed?.(persist)
  const script = fileURLToPath(program)
  const child = fork(script, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let workerd: ReturnType<typeof identify> = null
  const stop = async (): Promise<void> => {
    await ended(child, () => child.connected && child.send({ type: 'stop' }), STOP_MS)
    if (workerd) end(workerd)
    if (persist !== options.persist) rmSync(persist, { recursive: true, force: true, maxRetries: 5 })
  }
  const start: StartMessage = {
    type: 'start',
    root: ROOT,
    entry,
    port,
    persist,
    skills: [],
    bindings: { ADMIN_KEY, ID_SECRET, ENCRYPTION_KEY, ...withModelApi(apiUrl), ...bindings },
    adminKey: ADMIN_KEY,
    ...(options.inspectorPort !== undefined && { inspectorPort: options.inspectorPort }),
  }
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (report: ServerReport) => {
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
  const pid = (): number => workerd?.pid ?? 0
  const url = `http://127.0.0.1:${port}`
  return { url, stop, residentMb: () => residentMb(pid()), processorMs: () => processorMs(pid()) }
}

type Keep = <S extends Stoppable>(starting: Promise<S>) => Promise<S>

/** Stops everything that `use` started and registered, in reverse order, even after a failure. */
export async function withServers<T>(use: (keep: Keep) => Promise<T>): Promise<T> {
  const started: Stoppable[] = []
  try {
    return await use(async (starting) => {
      const server = await starting
      started.push(server)
      return server
    })
  } finally {
    for (const server of started.toReversed()) await server.stop()
  }
}

/** Starts the API that responds immediately. */
export async function startFakeApi(): Promise<ModelApi> {
  return startModelApi(FAKE_API)
}

/** Runs Satchel with that API during `use`. */
export async function withSatchel<T>(use: (satchel: WorkerServer, api: ModelApi) => Promise<T>): Promise<T> {
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    return use(await keep(startWorker(api.url)), api)
  })
}
