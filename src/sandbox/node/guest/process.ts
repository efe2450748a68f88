// The object `process`: arguments, environment, streams and exit.

import { EventEmitter } from './library/events.ts'
import { Readable, Writable } from 'readable-stream'

import { bufferOver } from './base/buffer.ts'
import { polish, systemError } from './base/errors.ts'
import { bytesOf, failure, handed, textOf, tried } from './base/host.ts'
import { inspect } from './library/inspect.ts'
import { provideProcess } from './library/library.ts'
import { elapsed, nextTick, stopTimers } from './base/timers.ts'

/** The host's description of a job. */
export interface Order {
  readonly mode: 'code' | 'print' | 'script' | 'stdin'
  readonly what: string
  readonly args: readonly string[]
  readonly options: readonly string[]
  readonly type: string
  readonly before: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly version: string
}

const FIRST_VERSION = 'v22.18.0'
const EXEC_PATH = '/usr/local/bin/node'
/** The user ID and group ID, as `id` prints them. */
const USER = 1000

export function print(stream: 1 | 2, data: string | ArrayBufferView): void {
  tried('write', stream, typeof data === 'string' ? data : handed(data))
}

class Exiting extends EventEmitter {
  title = 'node'
  version = FIRST_VERSION
  versions: Record<string, string> = { node: FIRST_VERSION.slice(1), quickjs: '2025-09-13' }
  arch = 'wasm32'
  platform = 'linux'
  pid = 1
  ppid = 0
  release = { name: 'node', lts: 'Jod' }
  features = { typescript: 'strip', inspector: false }
  config = { variables: {}, target_defaults: {} }
  execPath = EXEC_PATH
  argv0 = 'node'
  argv: string[] = [EXEC_PATH]
  execArgv: string[] = []
  env: Record<string, string> = {}
  exitCode: number | string | undefined = undefined
  exiting = false
  #stdin: Readable | null = null
  #stdout: Writable | null = null
  #stderr: Writable | null = null

  get stdin(): Readable {
    return (this.#stdin ??= inputStream())
  }

  get stdout(): Writable {
    return (this.#stdout ??= outputStream(1))
  }

  get stderr(): Writable {
    return (this.#stderr ??= outputStream(2))
  }

  cwd = (): string => textOf('cwd')

  chdir = (path: string): void => {
    if (tried('chdir', path) !== null) return
    const { code, message } = failure()
    throw systemError(code, message, 'chdir', path)
  }

  exit = (code?: number | string): never => {
    if (code !== undefined) this.exitCode = code
    this.leave()
    throw new Error('unreachable')
  }

  reallyExit = this.exit

  abort = (): never => {
    tried('exit', 134)
    throw new Error('unreachable')
  }

  /** Emits `exit` and ends the script. */
  leave(): void {
    if (!this.exiting) {
      this.exiting = true
      stopTimers()
      try {
        this.emit('exit', this.code)
      } catch (error) {
        printFatal(error)
        this.exitCode = 7
      }
    }
    tried('exit', this.code)
  }

  get code(): number {
    return Number(this.exitCode ?? 0) & 0xff
  }

  nextTick = nextTick

  hrtime = Object.assign(
    (since?: readonly [number, number]): [number, number] => {
      const ns = Math.round(elapsed() * 1e6)
      const [seconds, rest] = [Math.floor(ns / 1e9), ns % 1e9]
      if (!since) return [seconds, rest]
      const difference = ns - (since[0] * 1e9 + since[1])
      return [Math.floor(difference / 1e9), difference % 1e9]
    },
    { bigint: (): bigint => BigInt(Math.round(elapsed() * 1e6)) },
  )

  uptime = (): number => elapsed() / 1_000
  memoryUsage = Object.assign(
    () => ({ rss: 33_554_432, heapTotal: 16_777_216, heapUsed: 8_388_608, external: 0, arrayBuffers: 0 }),
    { rss: (): number => 33_554_432 },
  )
  resourceUsage = (): object => ({
    userCPUTime: Math.round(elapsed() * 1e3),
    systemCPUTime: 0,
    maxRSS: 32_768,
  })
  cpuUsage = (): object => ({ user: Math.round(elapsed() * 1e3), system: 0 })
  umask = (mask?: number | string): number =>
    Number(tried('umask', typeof mask === 'string' ? parseInt(mask, 8) : mask))
  getuid = (): number => USER
  geteuid = (): number => USER
  getgid = (): number => USER
  getegid = (): number => USER
  kill = (): never => {
    throw new Error('process.kill is not available: there are no other programs')
  }

  emitWarning = (warning: unknown, type?: unknown): void => {
    const name = typeof type === 'string' ? type : 'Warning'
    const text =
      warning instanceof Error ? `${warning.name}: ${warning.message}` : `${name}: ${String(warning)}`
    print(2, `(node:1) ${text}\n`)
  }

  binding = (): never => {
    throw new Error('process.binding is not available')
  }

  setUncaughtExceptionCaptureCallback = (): void => {}
  allowedNodeEnvironmentFlags = new Set<string>()
}

export const process = new Exiting()
provideProcess(process)
Object.defineProperty(process, 'exiting', { enumerable: false })
Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true })

function outputStream(stream: 1 | 2): Writable {
  const made = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding: string, then: () => void) => {
      print(stream, chunk)
      then()
    },
    writev: undefined,
  } as object)
  // Output is written immediately, so a script that exits loses nothing.
  return Object.assign(made, {
    fd: stream,
    isTTY: false,
    write: (chunk: string | Uint8Array, encoding?: unknown, then?: unknown) => {
      print(
        stream,
        typeof chunk === 'string' && typeof encoding === 'string' && !/^utf-?8$/i.test(encoding)
          ? encodedBy(chunk, encoding)
          : chunk,
      )
      const call = typeof encoding === 'function' ? encoding : then
      if (typeof call === 'function') nextTick(() => call())
      return true
    },
    getWindowSize: () => [80, 24],
    hasColors: () => false,
    getColorDepth: () => 1,
    _destroy: (_error: unknown, then: () => void) => then(),
  })
}

function encodedBy(text: string, encoding: string): Uint8Array {
  // The cast is safe: Buffer refuses unknown encodings.
  return globalThis.Buffer.from(text, encoding as BufferEncoding)
}

function inputStream(): Readable {
  let given = false
  const made = new Readable({
    read(this: Readable) {
      const bytes = bytesOf(given ? null : tried('stdin'))
      given = true
      if (bytes.length > 0) this.push(bufferOver(bytes))
      this.push(null)
    },
  } as object)
  return Object.assign(made, {
    fd: 0,
    isTTY: false,
    setRawMode: () => made,
    ref: () => made,
    unref: () => made,
  })
}

/** Prints an error as Node does before it ends a script. */
export function printFatal(error: unknown): void {
  polish(error)
  const text = error instanceof Error ? `${sourceOf(error)}${inspect(error)}` : `Uncaught:\n${inspect(error)}`
  const thrown =
    error instanceof Error ? '' : '\n(Use `node --trace-uncaught ...` to show where the exception was thrown)'
  print(2, `${text}${thrown}\n\nNode.js ${process.version}\n`)
}

/** The source line of an error, in Node's format. */
function sourceOf(error: Error): string {
  const [, file, line] = /\(?(\/[^():]+):(\d+)(?::\d+)?\)?/.exec(String(error.stack)) ?? []
  if (file === undefined || line === undefined) return ''
  const fd = tried('open', file, 0, 0)
  if (typeof fd !== 'number') return ''
  const text = tried('decode', 'utf-8', 2, tried('read', fd, 1_048_576, null) ?? '')
  tried('close', fd)
  const shown = String(text).split('\n')[Number(line) - 1]
  return shown === undefined ? '' : `${file}:${line}\n${shown}\n\n`
}

/** Handles an uncaught `error`: calls the script's handler, or ends the script. */
export function uncaught(error: unknown, origin: 'uncaughtException' | 'unhandledRejection'): void {
  if (origin === 'unhandledRejection' && process.listenerCount('unhandledRejection') > 0) {
    process.emit('unhandledRejection', error, Promise.resolve())
    return
  }
  if (process.listenerCount('uncaughtException') > 0) {
    process.emit('uncaughtException', error, origin)
    return
  }
  if (origin === 'unhandledRejection' && !(error instanceof Error)) {
    const message = `This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${inspect(error)}".`
    print(
      2,
      `[UnhandledPromiseRejection: ${message}] {\n  code: 'ERR_UNHANDLED_REJECTION'\n}\n\nNode.js ${process.version}\n`,
    )
  } else printFatal(error)
  process.exitCode = 1
  process.leave()
}
