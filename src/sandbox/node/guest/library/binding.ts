// The internal C++ bindings that Node's library uses, as far as they can be implemented in QuickJS.

import { tried } from '../base/host.ts'
import { elapsed } from '../base/timers.ts'

type Check = (value: unknown) => boolean

const toStringTag = Object.prototype.toString
const tagOf = (value: unknown): string => toStringTag.call(value).slice(8, -1)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
/** Whether `probe`, which needs the internals of a class, accepts `value`. */
const accepts = (probe: () => unknown): boolean => {
  try {
    probe()
    return true
  } catch {
    return false
  }
}

/** The getter of `name` on `prototype`, which throws for objects of other classes. */
function getter(prototype: object, name: string): (this: unknown) => unknown {
  const found = Object.getOwnPropertyDescriptor(prototype, name)?.get
  return found ?? (() => undefined)
}

const mapSize = getter(Map.prototype, 'size')
const setSize = getter(Set.prototype, 'size')
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength')
const promiseThen = Promise.prototype.then
const dateValue = Date.prototype.getTime
const mapIterator: object = Object.getPrototypeOf(new Map().entries()) as object
const setIterator: object = Object.getPrototypeOf(new Set().values()) as object
const regExpSource = getter(RegExp.prototype, 'source')

/**
 * Checks for a function whose tag contains `name`. `GeneratorFunction` therefore also accepts async
 * generators, and `Async` all async functions.
 */
const functionTag =
  (name: string): Check =>
  (value) =>
    typeof value === 'function' && tagOf(value).includes(name)

const boxed =
  (constructor: { readonly prototype: object }, valueOf: (this: unknown) => unknown): Check =>
  (value) =>
    isObject(value) && value instanceof (constructor as never) && accepts(() => valueOf.call(value))

const isNumberObject = boxed(Number, Number.prototype.valueOf as never)
const isStringObject = boxed(String, String.prototype.valueOf as never)
const isBooleanObject = boxed(Boolean, Boolean.prototype.valueOf as never)
const isBigIntObject = boxed(BigInt, BigInt.prototype.valueOf as never)
const isSymbolObject = boxed(Symbol, Symbol.prototype.valueOf as never)
const isArrayBuffer: Check = (value) =>
  value instanceof ArrayBuffer && accepts(() => bufferLength.call(value))

const types: Readonly<Record<string, Check>> = {
  isExternal: () => false,
  isDate: (value) => value instanceof Date && accepts(() => dateValue.call(value)),
  isArgumentsObject: (value) =>
    isObject(value) && !(Symbol.toStringTag in value) && tagOf(value) === 'Arguments',
  isBigIntObject,
  isBooleanObject,
  isNumberObject,
  isStringObject,
  isSymbolObject,
  isBoxedPrimitive: (value) =>
    isObject(value) &&
    [isNumberObject, isStringObject, isBooleanObject, isBigIntObject, isSymbolObject].some((is) => is(value)),
  isNativeError: (value) =>
    value instanceof Error && (Symbol.toStringTag in value || tagOf(value) === 'Error'),
  isRegExp: (value) =>
    value instanceof RegExp && value !== RegExp.prototype && accepts(() => regExpSource.call(value)),
  isAsyncFunction: functionTag('Async'),
  isGeneratorFunction: functionTag('GeneratorFunction'),
  isGeneratorObject: (value) => isObject(value) && /^(?:Async)?Generator$/.test(tagOf(value)),
  isPromise: (value) =>
    value instanceof Promise && Object.getPrototypeOf(value) !== null && promiseThen !== undefined,
  isMap: (value) => value instanceof Map && accepts(() => mapSize.call(value)),
  isSet: (value) => value instanceof Set && accepts(() => setSize.call(value)),
  isMapIterator: (value) => isObject(value) && Object.getPrototypeOf(value) === mapIterator,
  isSetIterator: (value) => isObject(value) && Object.getPrototypeOf(value) === setIterator,
  isWeakMap: (value) => value instanceof WeakMap,
  isWeakSet: (value) => value instanceof WeakSet,
  isArrayBuffer,
  isDataView: (value) => value instanceof DataView,
  isSharedArrayBuffer: () => false,
  isProxy: () => false,
  isModuleNamespaceObject: (value) =>
    isObject(value) && Object.getPrototypeOf(value) === null && tagOf(value) === 'Module',
  isAnyArrayBuffer: isArrayBuffer,
  isCryptoKey: () => false,
  isKeyObject: () => false,
  isEventTarget: () => false,
}

const ONLY_ENUMERABLE = 2
const INDEX = /^(?:0|[1-9]\d{0,9})$/

/** Own keys that are not indexes. Indexes come first, so those of long arrays are skipped without being read. */
function getOwnNonIndexProperties(value: object, filter: number): (string | symbol)[] {
  const isLong = ArrayBuffer.isView(value) && 'length' in value && Number(value.length) > 1_000
  const keys = isLong ? [] : Reflect.ownKeys(value)
  return keys.filter(
    (key) =>
      (typeof key !== 'string' || !INDEX.test(key)) &&
      (filter !== ONLY_ENUMERABLE || Object.getOwnPropertyDescriptor(value, key)?.enumerable === true),
  )
}

function getConstructorName(value: object): string {
  for (let one: object | null = value; one !== null; one = Object.getPrototypeOf(one) as object | null) {
    const made: unknown = Object.getOwnPropertyDescriptor(one, 'constructor')?.value
    if (typeof made === 'function' && made.name !== '') return made.name
  }
  return ''
}

/** Defines getters that load a module on first use. */
function defineLazyProperties(target: object, id: string, keys: readonly string[], enumerable = true): void {
  for (const key of keys)
    Object.defineProperty(target, key, { get: () => ({ id }), enumerable, configurable: true })
}

/** The host name in the form used in URLs. */
function hostOf(domain: string): string {
  const parts = tried('url', `http://${domain}`)
  // The cast is safe: the host created this JSON.
  return parts === null ? '' : (JSON.parse(String(parts)) as { hostname: string }).hostname
}

/** Node's error numbers with their names. */
const UV: readonly (readonly [number, string, string])[] = [
  [-1, 'EPERM', 'operation not permitted'],
  [-2, 'ENOENT', 'no such file or directory'],
  [-5, 'EIO', 'i/o error'],
  [-9, 'EBADF', 'bad file descriptor'],
  [-12, 'ENOMEM', 'not enough memory'],
  [-13, 'EACCES', 'permission denied'],
  [-17, 'EEXIST', 'file already exists'],
  [-20, 'ENOTDIR', 'not a directory'],
  [-21, 'EISDIR', 'illegal operation on a directory'],
  [-22, 'EINVAL', 'invalid argument'],
  [-24, 'EMFILE', 'too many open files'],
  [-28, 'ENOSPC', 'no space left on device'],
  [-30, 'EROFS', 'read-only file system'],
  [-32, 'EPIPE', 'broken pipe'],
  [-39, 'ENOTEMPTY', 'directory not empty'],
  [-98, 'EADDRINUSE', 'address already in use'],
  [-104, 'ECONNRESET', 'connection reset by peer'],
  [-110, 'ETIMEDOUT', 'connection timed out'],
  [-111, 'ECONNREFUSED', 'connection refused'],
]

export const bindings: Readonly<Record<string, object>> = {
  util: {
    constants: {
      kPending: 0,
      kFulfilled: 1,
      kRejected: 2,
      ALL_PROPERTIES: 0,
      ONLY_ENUMERABLE,
      kDisallowCloneAndTransfer: 0,
      kTransferable: 1,
      kCloneable: 2,
    },
    privateSymbols: {
      arrow_message_private_symbol: Symbol('arrow'),
      decorated_private_symbol: Symbol('decorated'),
    },
    getOwnNonIndexProperties,
    // QuickJS does not expose the state of a promise.
    getPromiseDetails: () => [0, undefined],
    getProxyDetails: () => undefined,
    previewEntries: (_value: unknown, isIterator?: boolean) => (isIterator ? [[], false] : []),
    getConstructorName,
    getExternalValue: () => 0n,
    getCallerLocation: () => undefined,
    getCallSites: () => [],
    isConstructor: (value: unknown) => typeof value === 'function' && 'prototype' in value,
    isInsideNodeModules: () => false,
    guessHandleType: () => 'FILE',
    defineLazyProperties,
    sleep: (ms: number) => {
      const end = elapsed() + ms
      while (elapsed() < end);
    },
    toUSVString: (text: string) => text.toWellFormed(),
  },
  types,
  constants: { os: { signals: { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 } }, fs: {} },
  string_decoder: {
    encodings: ['ascii', 'latin1', 'utf16le', 'utf8', 'base64', 'base64url', 'hex', 'buffer'],
  },
  config: { hasIntl: false },
  uv: {
    errname: (number: number) =>
      UV.find(([known]) => known === number)?.[1] ?? `Unknown system error ${number}`,
    getErrorMap: () => new Map(UV.map(([number, name, message]) => [number, [name, message]])),
    ...Object.fromEntries(UV.map(([number, name]) => [`UV_${name}`, number])),
  },
  errors: { exitCodes: { kNoFailure: 0, kGenericUserError: 1 } },
  buffer: {
    compare: (one: Uint8Array, other: Uint8Array) => globalThis.Buffer.compare(one, other),
  },
  encoding_binding: {
    toASCII: (domain: string) => hostOf(domain),
    toUnicode: (domain: string) => hostOf(domain),
  },
  url: {
    format: (href: string, fragment: boolean, _unicode: boolean, search: boolean, auth: boolean) => {
      const withoutHash = fragment ? href : href.replace(/#.*$/s, '')
      const withoutSearch = search ? withoutHash : withoutHash.replace(/\?[^#]*/s, '')
      return auth ? withoutSearch : withoutSearch.replace(/^([^/]*\/\/)[^/@]*@/, '$1')
    },
  },
  messaging: {},
  symbols: {},
  os: { getOSInformation: () => ['Linux', '', '', ''] },
}
