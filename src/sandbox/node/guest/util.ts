// node:util.

import { parseArgs } from '@pkgjs/parseargs'
import assert from 'assert/'
import { format, formatWithOptions, inspect, stripVTControlCharacters } from 'node-inspect-extracted'

import { nextTick } from './timers.ts'
import { textGlobals } from './text.ts'

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

function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  try {
    assert.deepStrictEqual(one, other)
    return true
  } catch {
    return false
  }
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

const STYLES: Readonly<Record<string, readonly [number, number]>> = {
  reset: [0, 0],
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  hidden: [8, 28],
  strikethrough: [9, 29],
  black: [30, 39],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  white: [37, 39],
  gray: [90, 39],
  grey: [90, 39],
}

export const utilModule = {
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
  styleText: (style: string | readonly string[], text: string) => {
    const styles = [style].flat().map((name) => STYLES[name] ?? [0, 0])
    return (
      styles.map(([on]) => `\u001b[${on}m`).join('') +
      text +
      styles
        .map(([, off]) => `\u001b[${off}m`)
        .toReversed()
        .join('')
    )
  },
  toUSVString: (text: string) => String(text).toWellFormed(),
  getSystemErrorName: (number: number) => `E${number}`,
  ...textGlobals,
}
