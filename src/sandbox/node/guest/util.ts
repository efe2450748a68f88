// The module node:util.

import { format, formatWithOptions, inspect, stripVTControlCharacters } from './library/inspect.ts'

import { bindings } from './library/binding.ts'
import './provided.ts'
import { library } from './library/library.ts'
import { coded } from './base/errors.ts'
import { process } from './process.ts'
import { requireString } from './library/validate.ts'
import { nextTick } from './base/timers.ts'
import { textGlobals } from './base/text.ts'

type AnyCall = (this: unknown, ...args: readonly unknown[]) => unknown
type Then = (error: unknown, value?: unknown) => void

const PROMISIFIED = Symbol.for('nodejs.util.promisify.custom')

function promisify(call: AnyCall): AnyCall {
  // The cast is safe: a function may define its own promisified version.
  const own = (call as unknown as Record<symbol, unknown>)[PROMISIFIED]
  if (typeof own === 'function') return own as AnyCall
  return async function (this: unknown, ...args) {
    return new Promise((resolve, reject) => {
      const then: Then = (error, value) => (error ? reject(error) : resolve(value))
      call.call(this, ...args, then)
    })
  }
}

function callbackify(call: AnyCall): AnyCall {
  return function (this: unknown, ...args) {
    const then = args.at(-1) as Then
    Promise.resolve(call.apply(this, args.slice(0, -1))).then(
      (value) => nextTick(() => then(null, value)),
      (error: unknown) => nextTick(() => then(error)),
    )
  }
}

function inherits(child: { prototype: object; super_?: unknown }, parent: { prototype: object }): void {
  Object.defineProperty(child, 'super_', { value: parent, writable: true, configurable: true })
  Object.setPrototypeOf(child.prototype, parent.prototype)
}

// The casts are safe: these are Node's modules.
const { isDeepStrictEqual } = library('internal/util/comparisons') as { isDeepStrictEqual: unknown }
const { parseArgs: parseGiven } = library('internal/util/parse_args/parse_args') as {
  parseArgs: (config: object) => unknown
}

/** Without `args`, parses the arguments of the process. */
function parseArgs(config: { readonly args?: unknown } = {}): unknown {
  if (config.args !== undefined) return parseGiven(config)
  const { argv, execArgv } = process
  const hasScript = !execArgv.some((option) => ['-e', '--eval', '-p', '--print', '-pe'].includes(option))
  return parseGiven({ ...config, args: argv.slice(hasScript ? 2 : 1) })
}

const tag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)
const tagged =
  (name: string) =>
  (value: unknown): boolean =>
    tag(value) === name

export const types = {
  isAnyArrayBuffer: (value: unknown) => value instanceof ArrayBuffer,
  isArrayBuffer: (value: unknown) => value instanceof ArrayBuffer,
  isArrayBufferView: ArrayBuffer.isView,
  isAsyncFunction: tagged('AsyncFunction'),
  isBigInt64Array: tagged('BigInt64Array'),
  isBooleanObject: (value: unknown) => value instanceof Boolean,
  isDataView: tagged('DataView'),
  isDate: (value: unknown) => value instanceof Date,
  isGeneratorFunction: tagged('GeneratorFunction'),
  isGeneratorObject: tagged('Generator'),
  isMap: (value: unknown) => value instanceof Map,
  isNativeError: (value: unknown) => value instanceof Error,
  isNumberObject: (value: unknown) => value instanceof Number,
  isPromise: (value: unknown) => value instanceof Promise,
  isProxy: () => false,
  isRegExp: (value: unknown) => value instanceof RegExp,
  isSet: (value: unknown) => value instanceof Set,
  isStringObject: (value: unknown) => value instanceof String,
  isSymbolObject: (value: unknown) => typeof value === 'object' && tag(value) === 'Symbol',
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: (value: unknown) => value instanceof Uint8Array,
  isWeakMap: (value: unknown) => value instanceof WeakMap,
  isWeakSet: (value: unknown) => value instanceof WeakSet,
}

// The cast is safe: the binding returns this type.
const errorMap = (): Map<number, [string, string]> =>
  (bindings['uv'] as { getErrorMap: () => Map<number, [string, string]> }).getErrorMap()

// The casts are safe: these are Node's modules.
const { MIMEType, MIMEParams } = library('internal/mime') as { MIMEType: unknown; MIMEParams: unknown }
const { diff } = library('internal/util/diff') as { diff: unknown }

/**
 * Implements util.styleText. `inspect.colors` has the codes. If a given stream does not show colours, the text stays
 * plain.
 */
function styleText(
  format: string | readonly string[],
  text: string,
  {
    validateStream = true,
    stream,
  }: { readonly validateStream?: boolean; readonly stream?: { readonly isTTY?: boolean } } = {},
): string {
  requireString(text, 'text')
  const names = [format].flat()
  // The cast is safe: these are pairs of numbers.
  const colors = (inspect as unknown as { colors: Readonly<Record<string, readonly [number, number]>> })
    .colors
  const pairs = names.map((name) => {
    const pair = Object.hasOwn(colors, name) ? colors[name] : undefined
    if (pair) return pair
    const known = Object.keys(colors).map((one) => `'${one}'`)
    throw coded(
      new TypeError(`The argument 'format' must be one of: ${known.join(', ')}. Received ${inspect(name)}`),
      'ERR_INVALID_ARG_VALUE',
    )
  })
  if (validateStream && !stream?.isTTY && process.env['FORCE_COLOR'] === undefined) return text
  return pairs.reduceRight((inner, [on, off]) => `\u001b[${on}m${inner}\u001b[${off}m`, text)
}

/** Parses a file of variables, as `node --env-file` does. */
function parseEnv(text: string): Record<string, string> {
  const line = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*("(?:\\"|[^"])*"|'[^']*'|`[^`]*`|[^#\n\r]*)/gm
  return Object.fromEntries(
    [...text.matchAll(line)].map(([, name = '', value = '']): [string, string] => {
      const bare = value.trim()
      const quoted = /^(["'`])([\s\S]*)\1$/.exec(bare)
      if (!quoted) return [name, bare]
      return [name, quoted[1] === '"' ? (quoted[2] ?? '').replaceAll('\\n', '\n') : (quoted[2] ?? '')]
    }),
  )
}

export const utilModule = {
  MIMEType,
  MIMEParams,
  diff,
  parseEnv,
  getCallSites: () => [],
  log: (...args: readonly unknown[]) => globalThis.console.log(...args),
  aborted: async (signal: AbortSignal) =>
    new Promise<void>((resolve) =>
      signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
    ),

  inspect,
  format,
  formatWithOptions,
  stripVTControlCharacters,
  promisify: Object.assign(promisify, { custom: PROMISIFIED }),
  callbackify,
  inherits,
  deprecate: (call: unknown) => call,
  debuglog: () => Object.assign(() => {}, { enabled: false }),
  debug: () => Object.assign(() => {}, { enabled: false }),
  isDeepStrictEqual,
  isArray: Array.isArray,
  types,
  parseArgs,
  styleText,
  toUSVString: (text: string) => String(text).toWellFormed(),
  getSystemErrorName: (number: number) => errorMap().get(number)?.[0] ?? `Unknown system error ${number}`,
  getSystemErrorMessage: (number: number) => errorMap().get(number)?.[1],
  getSystemErrorMap: () => errorMap(),
  ...textGlobals,
}
