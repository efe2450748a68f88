// Runs workerd with wrangler's own Miniflare and the disk layout of `wrangler dev --persist-to`, so that both tools
// share one state. Knows nothing of skills or supervision.

import { dirname, join, resolve } from 'node:path'
import { subscribe } from 'node:diagnostics_channel'

import { kept } from '../lib/kept.ts'
import { PUBLIC_ONLY } from './public-only.ts'
import { storeWorker } from './store-worker.ts'
import { askStores, miniflareOf } from './miniflare.ts'

import type { ChildProcess } from 'node:child_process'
import type { AskStores } from './store-worker.ts'

/** wrangler.toml as Miniflare options: opaque JSON. */
export type MiniflareOptions = Readonly<Record<string, unknown>>

export interface LocalRuntime {
  /** The stores' own Worker, which fills them. */
  readonly stores: AskStores
  stop(): Promise<void>
}

export interface RuntimeOptions {
  readonly root: string
  readonly worker: MiniflareOptions
  /** Its only module. */
  readonly code: string
  readonly bindings: Readonly<Record<string, string>>
  readonly port: number
  readonly persist: string
  /** The port of its inspector; absent: none. */
  readonly inspectorPort?: number
  /** Receives each line that the Worker logs. */
  log(level: string, line: string): void
  /** Handles the binding WATCHER, which only the Worker has. */
  readonly watcher?: (request: Request) => Promise<Response>
  /** Handles the binding RUNTIMES. */
  readonly runtimes?: (request: Request) => Promise<Response>
  /** workerd ended and was restarted, without loss of state. */
  restarted(): Promise<void>
}

/** A warning of workerd at each start with V8 flags other than those of its build. It has no measurable cost. */
const OWN_FLAGS = 'NOSENTRY per-isolate bootstrap compile cache failed its compatibility check'

/** Files that its options depend on. */
const OPTIONS_FROM = ['wrangler.toml', 'scripts/workerd/runtime.ts', 'package-lock.json']

/** wrangler.toml as Miniflare options, without source and without variables from files. */
export async function readWorkerOptions(root: string): Promise<MiniflareOptions> {
  const value = await kept(root, 'worker-options', async () => ({
    value: JSON.stringify(await optionsOf(root)),
    inputs: OPTIONS_FROM,
  }))
  return JSON.parse(value) as MiniflareOptions // written below
}

async function optionsOf(root: string): Promise<MiniflareOptions> {
  process.env['WRANGLER_LOG'] ??= 'error' // it would report files that are not used here
  // Loaded on demand: wrangler takes a second and a half.
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler')
  const config = unstable_readConfig({ config: join(root, 'wrangler.toml') }, { hideWarnings: true })
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config)
  const { modulesRules: _rules, bindings: _bindings, ...rest } = workerOptions
  return { ...rest, name: config.name, bindings: config.vars, main: main ?? config.main }
}

/** Reports each workerd that this process starts, and its end: by itself, or by a signal. */
export function watchWorkerd(
  started: (pid: number) => void,
  gone: (pid: number, how: string, killed: boolean) => void,
): void {
  subscribe('child_process', (message) => {
    // The cast: the channel's documented message.
    const { process: child } = message as { readonly process: ChildProcess }
    child.once('spawn', () => {
      const pid = child.pid
      if (pid === undefined || !/workerd(\.exe)?$/.test(child.spawnfile)) return
      started(pid)
      child.once('exit', (status, signal) => gone(pid, signal ?? `status ${status}`, signal !== null))
    })
  })
}

/** Starts the Worker on 127.0.0.1. Rejects with Miniflare's error if workerd does not start. */
export async function startRuntime(options: RuntimeOptions): Promise<LocalRuntime> {
  const { main: _main, bindings: vars, assets, ...worker } = options.worker
  // Static files are a separate Worker behind the binding: as part of this one, each API request would pass through
  // two more Workers. The Worker looks there for other requests.
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
