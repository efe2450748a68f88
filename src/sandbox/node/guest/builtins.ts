// Node's built-in modules by name, with stubs for the missing ones.

import assert from 'assert/'
import EventEmitter from 'events'
import path from 'path-browserify'
import * as stream from 'readable-stream'
import { StringDecoder } from 'string_decoder/'

import { bufferExports } from './buffer.ts'
import { Console } from './console.ts'
import { cryptoModule } from './crypto/crypto.ts'
import { coded } from './errors.ts'
import { fsModule, fsPromises } from './fs-more.ts'
import { readlineModule, readlinePromises } from './lines.ts'
import { print, process } from './process.ts'
import { timerFunctions, timerPromises } from './timers.ts'
import { urlModule } from './url.ts'
import { URLSearchParams } from './url-params.ts'
import { types, utilModule } from './util.ts'
import { performance } from './web.ts'
import { zlibModule } from './zlib.ts'

const os = {
  EOL: '\n',
  arch: () => 'wasm32',
  availableParallelism: () => 1,
  constants: { signals: {}, errno: {} },
  cpus: () => [{ model: 'WebAssembly', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
  devNull: '/dev/null',
  endianness: () => 'LE',
  freemem: () => 33_554_432,
  homedir: () => process.env['HOME'] ?? '/tmp',
  hostname: () => 'sandbox',
  loadavg: () => [0, 0, 0],
  machine: () => 'wasm32',
  networkInterfaces: () => ({}),
  platform: () => 'linux',
  release: () => '0',
  tmpdir: () => '/tmp',
  totalmem: () => 67_108_864,
  type: () => 'Linux',
  uptime: () => 0,
  userInfo: () => ({
    uid: 0,
    gid: 0,
    username: 'sandbox',
    homedir: process.env['HOME'] ?? '/tmp',
    shell: null,
  }),
  version: () => 'QuickJS on WebAssembly',
}

const querystring = {
  parse: (text: string) => {
    const parsed: Record<string, string | string[]> = {}
    for (const [name, value] of new URLSearchParams(text)) {
      const there = parsed[name]
      parsed[name] = there === undefined ? value : [there, value].flat()
    }
    return parsed
  },
  stringify: (record: Record<string, unknown>) =>
    Object.entries(record)
      .flatMap(([name, value]) =>
        [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
      )
      .join('&'),
  escape: encodeURIComponent,
  unescape: decodeURIComponent,
}

/** Carries a value along a call. Without promise hooks it ends with the call. */
class AsyncLocalStorage {
  #store: unknown = undefined

  run(store: unknown, call: (...args: readonly unknown[]) => unknown, ...args: readonly unknown[]): unknown {
    const before = this.#store
    this.#store = store
    const back = (): void => void (this.#store = before)
    const result = call(...args)
    if (result instanceof Promise) return result.finally(back)
    back()
    return result
  }

  getStore(): unknown {
    return this.#store
  }

  enterWith(store: unknown): void {
    this.#store = store
  }

  disable(): void {
    this.#store = undefined
  }
}

const posix = Object.assign(path, {
  posix: path,
  toNamespacedPath: (name: string) => name,
  matchesGlob: undefined,
})
Object.assign(EventEmitter, {
  EventEmitter,
  once: async (emitter: EventEmitter, name: string) =>
    new Promise((resolve, reject) => {
      if (name !== 'error') emitter.once('error', reject)
      emitter.once(name, (...args: readonly unknown[]) => resolve(args))
    }),
  setMaxListeners: () => {},
  captureRejections: false,
  errorMonitor: Symbol('events.errorMonitor'),
})

const streamModule = Object.assign(
  stream.Readable.prototype.constructor === stream.Readable ? stream.Stream : {},
  stream,
  { Stream: stream.Stream },
)
const HERE: Readonly<Record<string, unknown>> = {
  assert,
  'assert/strict': assert.strict,
  async_hooks: { AsyncLocalStorage },
  buffer: bufferExports,
  console: Object.assign(globalThis.console, { Console }),
  constants: fsModule.constants,
  crypto: cryptoModule,
  diagnostics_channel: { channel: () => ({ hasSubscribers: false, publish: () => {} }) },
  events: EventEmitter,
  fs: fsModule,
  'fs/promises': fsPromises,
  module: {},
  os,
  path: posix,
  'path/posix': posix,
  perf_hooks: { performance },
  process,
  punycode: {},
  querystring,
  readline: readlineModule,
  'readline/promises': readlinePromises,
  stream: streamModule,
  'stream/promises': stream.promises,
  string_decoder: { StringDecoder },
  timers: timerFunctions,
  'timers/promises': timerPromises,
  tty: { isatty: () => false },
  url: urlModule,
  util: utilModule,
  'util/types': types,
  zlib: zlibModule,
}

const NETWORK = 'There is no network here. Use another tool that has network access, if you have one'
const OTHERS = 'Scripts cannot start programs. Call them from bash, or do the work in JavaScript'
/** Stub modules. Every function throws an error with the reason. */
const ABSENT: Readonly<Record<string, readonly [why: string, ...names: readonly string[]]>> = {
  child_process: [OTHERS, 'exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'],
  cluster: [OTHERS, 'fork'],
  worker_threads: [OTHERS, 'Worker'],
  dgram: [NETWORK, 'createSocket'],
  dns: [NETWORK, 'lookup', 'resolve'],
  'dns/promises': [NETWORK, 'lookup', 'resolve'],
  http: [NETWORK, 'createServer', 'get', 'request', 'Agent'],
  http2: [NETWORK, 'connect', 'createServer'],
  https: [NETWORK, 'createServer', 'get', 'request', 'Agent'],
  net: [NETWORK, 'connect', 'createConnection', 'createServer', 'Socket'],
  tls: [NETWORK, 'connect', 'createServer'],
  inspector: ['There is no inspector here', 'open'],
  repl: ['There is no prompt here', 'start'],
  sqlite: [
    'node:sqlite is not available, and neither is sqlite3 in python3. Use JSON or CSV files',
    'DatabaseSync',
  ],
  test: ['node:test is not available: call the functions and use node:assert', 'test', 'describe', 'it'],
  v8: ['This engine is QuickJS, not V8', 'serialize', 'deserialize', 'getHeapStatistics'],
  vm: [
    'node:vm is not available: use new Function or eval',
    'runInContext',
    'runInNewContext',
    'runInThisContext',
    'createContext',
    'Script',
  ],
  wasi: ['WebAssembly is not available', 'WASI'],
}

const absent = new Map<string, object>()

function absentModule(name: string): object | undefined {
  const entry = Object.hasOwn(ABSENT, name) ? ABSENT[name] : undefined
  if (!entry) return undefined
  const [why, ...names] = entry
  const made =
    absent.get(name) ??
    Object.fromEntries(
      names.map((one) => [
        one,
        function (): never {
          throw coded(new Error(`${name}.${one}: ${why}.`), 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM')
        },
      ]),
    )
  if (name === 'worker_threads')
    Object.assign(made, { isMainThread: true, threadId: 0, workerData: null, parentPort: null })
  absent.set(name, made)
  return made
}

/** The module of this name, without `node:`; undefined if Node has none either. */
export function builtin(name: string): unknown {
  return Object.hasOwn(HERE, name) ? HERE[name] : absentModule(name)
}

export const builtinNames: readonly string[] = [...Object.keys(HERE), ...Object.keys(ABSENT)]

export async function fetchNothing(): Promise<never> {
  throw Object.assign(new TypeError('fetch failed'), { cause: new Error(`${NETWORK}.`) })
}

export { print }
