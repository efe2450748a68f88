// Node's built-in modules by name, with stubs for missing ones.

import { EventEmitter } from './library/events.ts'
import './provided.ts'
import { library } from './library/library.ts'
import { path } from './library/path.ts'
import * as stream from 'readable-stream'
import { StringDecoder } from 'string_decoder/'

import { asyncHooksModule } from './async-hooks.ts'
import { bufferExports } from './base/buffer.ts'
import { Console } from './console.ts'
import { cryptoModule } from './crypto/crypto.ts'
import { coded } from './base/errors.ts'
import { fsModule, fsPromises } from './fs-more.ts'
import { readlineModule, readlinePromises } from './lines.ts'
import { os } from './os.ts'
import { performanceModule } from './performance.ts'
import { print } from './process.ts'
import { consumersModule } from './stream-consumers.ts'
import { timerFunctions } from './base/timers.ts'
import { timerPromises } from './timers-promises.ts'
import { types, utilModule } from './util.ts'
import { zlibModule } from './zlib.ts'

// The cast is safe: this is Node's module.
const assert = library('assert') as { readonly strict: unknown }

const streamModule = Object.assign(
  stream.Readable.prototype.constructor === stream.Readable ? stream.Stream : {},
  stream,
  { Stream: stream.Stream },
)
const HERE: Readonly<Record<string, unknown>> = {
  assert,
  'assert/strict': assert.strict,
  async_hooks: asyncHooksModule,
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
  path,
  'path/posix': library('path/posix'),
  'path/win32': library('path/win32'),
  perf_hooks: performanceModule,
  process,
  punycode: {},
  querystring: library('querystring'),
  readline: readlineModule,
  'readline/promises': readlinePromises,
  stream: streamModule,
  'stream/consumers': consumersModule,
  'stream/promises': stream.promises,
  string_decoder: { StringDecoder },
  timers: timerFunctions,
  'timers/promises': timerPromises,
  tty: { isatty: () => false },
  url: library('url'),
  util: utilModule,
  'util/types': types,
  zlib: zlibModule,
}

const NETWORK = 'There is no network here. Use another tool that has network access, if you have one'
const OTHERS = 'Scripts cannot start programs. Call them from bash, or do the work in JavaScript'
/** Stub modules, whose functions all throw an error with the reason. */
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
    'node:sqlite is not available: use python3 with its module sqlite3, or sqlite3 in the shell',
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
