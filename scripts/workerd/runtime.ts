// Runs workerd with wrangler's Miniflare. Uses the disk layout of `wrangler dev --persist-to`, so that both tools can
// use the same state.

import { dirname, join, resolve } from 'node:path'
import { subscribe } from 'node:diagnostics_channel'

import { cachedText } from '../lib/file-cache.ts'
import { PUBLIC_ONLY } from './public-only.ts'
import { storeWorker } from './store-worker.ts'
import { askStores, createMiniflare } from './miniflare.ts'

import type { ChildProcess } from 'node:child_process'
import type { AskStores } from './store-worker.ts'

/** The contents of wrangler.toml as Miniflare options, which are opaque JSON. */
export type MiniflareOptions = Readonly<Record<string, unknown>>

export interface LocalRuntime {
  /** Sends requests to the Worker that fills the stores. */
  readonly stores: AskStores
  stop(): Promise<void>
}

export interface RuntimeOptions {
  readonly root: string
  readonly worker: MiniflareOptions
  /** The Worker's only module. */
  readonly code: string
  readonly bindings: Readonly<Record<string, string>>
  readonly port: number
  readonly persist: string
  /** The port of the inspector, or undefined for none. */
  readonly inspectorPort?: number
  /** Receives each line that the Worker logs. */
  log(level: string, line: string): void
  /** Handles the binding WATCHER, which only the Worker has. */
  readonly watcher?: (request: Request) => Promise<Response>
  /** Handles the binding RUNTIMES. */
  readonly runtimes?: (request: Request) => Promise<Response>
  /** Called after workerd ended and was restarted, without loss of state. */
  restarted(): Promise<void>
}

/** The start of a harmless warning that workerd prints when V8 flags differ from those of its build. */
const V8_FLAGS_WARNING = 'NOSENTRY per-isolate bootstrap compile cache failed its compatibility check'

/** Files on which the options depend. */
const OPTION_FILES = ['wrangler.toml', 'scripts/workerd/runtime.ts', 'package-lock.json']

/** Reads wrangler.toml as Miniflare options, without the Worker's source and variables from files. */
export async function readWorkerOptions(root: string): Promise<MiniflareOptions> {
  const value = await cachedText(root, 'worker-options', async () => ({
    value: JSON.stringify(await optionsOf(root)),
    inputs: OPTION_FILES,
  }))
  return JSON.parse(value) as MiniflareOptions // The cast is safe: `optionsOf` created it.
}

async function optionsOf(root: string): Promise<MiniflareOptions> {
  process.env['WRANGLER_LOG'] ??= 'error' // Otherwise it would report files that are not used here.
  // Imported on demand, because loading wrangler takes a second and a half.
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler')
  const config = unstable_readConfig({ config: join(root, 'wrangler.toml') }, { hideWarnings: true })
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config)
  const { modulesRules: _rules, bindings: _bindings, ...options } = workerOptions
  return { ...options, name: config.name, bindings: config.vars, main: main ?? config.main }
}

/** Reports the start and end of each workerd process of this process. `killed` is true if a signal ended it. */
export function watchWorkerd(
  onStart: (pid: number) => void,
  onEnd: (pid: number, how: string, killed: boolean) => void,
): void {
  subscribe('child_process', (message) => {
    // The cast is safe: the channel's messages are documented.
    const { process: child } = message as { readonly process: ChildProcess }
    child.once('spawn', () => {
      const pid = child.pid
      if (pid === undefined || !/workerd(\.exe)?$/.test(child.spawnfile)) return
      onStart(pid)
      child.once('exit', (status, signal) => onEnd(pid, signal ?? `status ${status}`, signal !== null))
    })
  })
}

/** Starts the Worker on 127.0.0.1. Rejects with Miniflare's error if workerd does not start. */
export async function startRuntime(options: RuntimeOptions): Promise<LocalRuntime> {
  const { main: _main, bindings: vars, assets, ...worker } = options.worker
  // A separate Worker serves the static files through the binding ASSETS. If they were part of this one, each API
  // request would pass through two more Workers.
  const assetsWorker = {
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
  const stores = storeWorker(worker)
  const miniflare = createMiniflare(options.root, {
    host: '127.0.0.1',
    port: options.port,
    cf: false,
    ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
    resourcePersistencePath: resolve(options.persist, 'v3'),
    handleStructuredLogs: ({ level, message }: { readonly level: string; readonly message: string }) => {
      if (!message.startsWith(V8_FLAGS_WARNING)) options.log(level, message)
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
      ...(assets ? [assetsWorker] : []),
      stores.options,
    ],
  })
  await miniflare.ready
  return {
    stores: askStores(miniflare, stores.name, stores.token),
    stop: () => miniflare.dispose(),
  }
}
