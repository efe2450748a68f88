// The first code that QuickJS runs: defines Node's globals, and the function through which the host runs a script.

import './first.ts'
import './second.ts'

import { textOf as hostText } from './base/host.ts'
import npmProcess from 'process/'

import { atob, Blob, btoa, Buffer, File } from './base/buffer.ts'
import { Console } from './console.ts'
import { CryptoKey, webCrypto } from './crypto/crypto.ts'
import { polish } from './base/errors.ts'
import { failure, tried } from './base/host.ts'
import { installIntl } from './intl.ts'
import { process, uncaught } from './process.ts'
import { resolveImport } from './resolve.ts'
import { decodeText, textGlobals } from './base/text.ts'
import { nextTick, runTicks, runTurn, timerFunctions, waitForNext } from './base/timers.ts'
import { URL } from './url.ts'
import { URLSearchParams } from './url-params.ts'
import { forgetRandom, random, webGlobals } from './web.ts'
import { builtin, fetchNothing } from './builtins.ts'
import { inline, inlineText, installModules, moduleModule, moduleText, runMain, runText } from './modules.ts'
import { inspect } from './library/inspect.ts'

import type { Order } from './process.ts'

Reflect.deleteProperty(globalThis, 'self')
installIntl()
installModules()
// The bundled packages use this to defer work.
npmProcess.nextTick = nextTick

const globals = {
  ...timerFunctions,
  ...textGlobals,
  ...webGlobals,
  atob,
  Blob,
  File,
  btoa,
  Buffer,
  console: Object.assign(globalThis.console ?? {}, new Console(undefined)),
  crypto: webCrypto,
  CryptoKey,
  fetch: fetchNothing,
  global: globalThis,
  navigator: {
    hardwareConcurrency: 1,
    language: 'en-US',
    languages: ['en-US'],
    platform: 'linux',
    userAgent: 'Node.js/22',
  },
  process,
  URL,
  URLSearchParams,
}
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
Object.defineProperty(Math, 'random', { value: random, writable: true, configurable: true })

const parse = JSON.parse
Object.defineProperty(JSON, 'parse', {
  value: (text: unknown, reviver?: (key: string, value: unknown) => unknown): unknown => {
    try {
      return parse(String(text), reviver)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      const message = hostText('jsonMessage', String(text))
      throw message === '' ? error : new SyntaxError(message)
    }
  },
  writable: true,
  configurable: true,
})
Object.assign(builtin('module') ?? {}, moduleModule)

/** The error of a failed import, thrown when QuickJS requests the module's text. */
let wrong: { error: unknown } | null = null
let pending = false
const order: { current: Order | null } = { current: null }

const fatal = (error: unknown): void => uncaught(error, 'uncaughtException')

function watch(promise: Promise<unknown> | null): void {
  if (!promise) return
  pending = true
  promise.then(
    () => void (pending = false),
    (error: unknown) => {
      pending = false
      fatal(error)
    },
  )
}

function start(given: Order): void {
  order.current = given
  forgetRandom()
  process.env = { ...given.env }
  process.version = given.version
  process.execArgv = [...given.options]
  process.argv = [
    process.execPath,
    ...(given.mode === 'script' ? [given.what] : given.mode === 'stdin' ? ['-'] : []),
    ...given.args,
  ]
  try {
    if (given.mode === 'script') return watch(runMain(given.what))
    const typed = given.mode !== 'stdin'
    const text = typed ? given.what : decodeText(new Uint8Array(tried('stdin') as ArrayBuffer))
    const { value, pending: promise } = runText(text, typed ? '[eval]' : '[stdin]', given.type)
    if (given.mode === 'print' && !promise)
      globalThis.console.log(typeof value === 'string' ? value : inspect(value))
    watch(promise)
  } catch (error) {
    fatal(error)
  }
}

function end(): number {
  if (!process.exiting) {
    process.emit('beforeExit', process.code)
    if (waitForNext() >= 0) return -1
    if (pending && process.exitCode === undefined) {
      process.stderr.write(`Warning: Detected unsettled top-level await at ${process.argv[1] ?? ''}\n`)
      process.exitCode = 13
    }
  }
  process.leave()
  return 0
}

/** The host's entry point. Returns a number or text; throws only errors of `load`. */
function dispatch(operation: string, first?: unknown, second?: unknown): unknown {
  switch (operation) {
    case 'start':
      // The cast is safe: the host created this JSON.
      start(parse(String(first)) as Order)
      return 1
    case 'tick':
      return runTicks(fatal) ? 1 : 0
    case 'next':
      return waitForNext()
    case 'turn':
      runTurn(fatal)
      return 1
    case 'unhandled':
      uncaught(first, 'unhandledRejection')
      return 1
    case 'end':
      return end()
    case 'resolve':
      try {
        return inline.has(String(second)) ? String(second) : resolveImport(String(first), String(second))
      } catch (error) {
        wrong = { error }
        return '!'
      }
    case 'load': {
      if (wrong) {
        const { error } = wrong
        wrong = null
        throw error
      }
      return inline.has(String(first)) ? inlineText(String(first)) : moduleText(String(first))
    }
    default:
      return 0
  }
}

export { dispatch, failure, polish }
