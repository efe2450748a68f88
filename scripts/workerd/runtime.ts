// workerd through wrangler's own Miniflare, laid out on disk as `wrangler dev --persist-to` lays it out, so that both
// tools share one state. Knows nothing of skills or of who supervises.

import { dirname, join, resolve } from 'node:path'
import { subscribe } from 'node:diagnostics_channel'

import { kept } from '../lib/kept.ts'
import { PUBLIC_ONLY } from './public-only.ts'
import { storeWorker } from './store-worker.ts'
import { askStores, miniflareOf } from './miniflare.ts'

import type { ChildProcess } from 'node:child_process'
import type { AskStores } from './store-worker.ts'

/** wrangler.toml in Miniflare's words: plain JSON that nobody here looks into. */
export type MiniflareOptions = Readonly<Record<string, unknown>>

export interface LocalRuntime {
  /** The stores' own Worker, for whoever fills them. */
  readonly stores: AskStores
  stop(): Promise<void>
}

export interface RuntimeOptions {
  readonly root: string
  readonly worker: MiniflareOptions
  /** Its one module. */
  readonly code: string
  readonly bindings: Readonly<Record<string, string>>
  readonly port: number
  readonly persist: string
  /** Where its isolates can be inspected; absent: nowhere. */
  readonly inspectorPort?: number
  /** One line that the Worker logged. */
  log(level: string, line: string): void
  /** Answers the binding WATCHER, which the Worker alone has. */
  readonly watcher?: (request: Request) => Promise<Response>
  /** The same of RUNTIMES. */
  readonly runtimes?: (request: Request) => Promise<Response>
  /** workerd died and was started again, without its state being lost. */
  restarted(): Promise<void>
}

/** What workerd says at each start with flags of V8 that it was not built with. It costs nothing that can be measured. */
const OWN_FLAGS = 'NOSENTRY per-isolate bootstrap compile cache failed its compatibility check'

/** What its options are made of. */
const OPTIONS_FROM = ['wrangler.toml', 'scripts/workerd/runtime.ts', 'package-lock.json']

/** wrangler.toml as Miniflare options, without source and without the variables it found in files. */
export async function readWorkerOptions(root: string): Promise<MiniflareOptions> {
  const value = await kept(root, 'worker-options', async () => ({
    value: JSON.stringify(await optionsOf(root)),
    inputs: OPTIONS_FROM,
  }))
  return JSON.parse(value) as MiniflareOptions // made of one below
}

async function optionsOf(root: string): Promise<MiniflareOptions> {
  process.env['WRANGLER_LOG'] ??= 'error' // it would tell of files that count for nothing here
  // Loaded on demand: wrangler takes a second and a half.
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler')
  const config = unstable_readConfig({ config: join(root, 'wrangler.toml') }, { hideWarnings: true })
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config)
  const { modulesRules: _rules, bindings: _bindings, ...rest } = workerOptions
  return { ...rest, name: config.name, bindings: config.vars, main: main ?? config.main }
}

/** Calls back for each workerd that this process starts, and when it ends: by itself, or killed by a signal. */
export function watchWorkerd(
  started: (pid: number) => void,
  gone: (pid: number, how: string, killed: boolean) => void,
): void {
  subscribe('child_process', (message) => {
    // The channel's documented message.
    const { process: child } = message as { readonly process: ChildProcess }
    child.once('spawn', () => {
      const pid = child.pid
      if (pid === undefined || !/workerd(\.exe)?$/.test(child.spawnfile)) return
      started(pid)
      child.once('exit', (status, signal) => gone(pid, signal ?? `status ${status}`, signal !== null))
    })
  })
}

/** Starts the Worker on 127.0.0.1. Rejects with Miniflare's reason when workerd does not come up. */
export async function startRuntime(options: RuntimeOptions): Promise<LocalRuntime> {
  const { main: _main, bindings: vars, assets, ...worker } = options.worker
  // Static files are a Worker of their own behind the binding: as part of this one, each request of the API would
  // pass through two more Workers first. What is asked for and not the API's, the Worker looks for there.
  const files = {
    name: 'assets',
    assets,
    compatibilityDate: worker['compatibilityDate'],
    modules: [
      {
        type: 'ESModule',
        path: 'index.js',
        contents: 'export default { fetch: () => new Response(null, { status: 404 }) }',
      },
    ],
    rootPath: worker['rootPath'],
    modulesRoot: dirname(resolve(options.root, 'index.js')),
  }
  const filler = storeWorker(worker)
  const miniflare = miniflareOf(options.root, {
    host: '127.0.0.1',
    port: options.port,
    cf: false,
    ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
    resourcePersistencePath: resolve(options.persist, 'v3'),
    handleStructuredLogs: ({ level, message }: { readonly level: string; readonly message: string }) => {
      if (!message.startsWith(OWN_FLAGS)) options.log(level, message)
    },
    unsafeHandleRuntimeRestart: () => options.restarted(),
    workers: [
      {
        ...worker,
        serviceBindings: {
          PUBLIC_NET: PUBLIC_ONLY,
          ...(options.watcher && { WATCHER: options.watcher }),
          ...(options.runtimes && { RUNTIMES: options.runtimes }),
          ...(assets ? { ASSETS: 'assets' } : {}),
        },
        bindings: { ...(vars as object | undefined), ...options.bindings },
        modules: [{ type: 'ESModule', path: 'index.js', contents: options.code }],
        modulesRoot: dirname(resolve(options.root, 'index.js')),
      },
      ...(assets ? [files] : []),
      filler.options,
    ],
  })
  await miniflare.ready
  return {
    stores: askStores(miniflare, filler.name, filler.token),
    stop: () => miniflare.dispose(),
  }
}
