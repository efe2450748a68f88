// Errors as in Node: the stack begins with the message, codes are properties, and QuickJS's messages become
// V8's.

const NAMES = [
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'EvalError',
  'URIError',
  'AggregateError',
] as const
const INTERNAL = 'node:internal'

interface ErrorLike {
  stack?: unknown
  message?: unknown
}
// The casts in this file are safe: these are the engine's own constructors, replaced by name.
type Constructor = new (...args: readonly unknown[]) => Error
const engine = globalThis as unknown as Record<
  string,
  Constructor & { prototype: Error; stackTraceLimit?: unknown }
>
const NativeError = engine['Error'] as Constructor

/** The first ten stack frames, without the sandbox's own. */
function framesOf(stack: unknown): string {
  const { stackTraceLimit } = globalThis.Error as { stackTraceLimit?: unknown }
  const most = typeof stackTraceLimit === 'number' ? stackTraceLimit : 10
  const lines = String(stack ?? '').split('\n')
  const own = lines.filter(
    (line) => /^\s+at /.test(line) && !line.includes(INTERNAL) && !line.includes('(native)'),
  )
  return own.slice(0, most).join('\n')
}

/** Sets the stack. Its first line is created when it is first read, because names are often set after construction. */
function setStack(error: object, head: string | null, frames: string): void {
  let value: unknown = null
  const stack = (): string => {
    const first = head ?? headOf(error)
    return frames === '' ? first : `${first}\n${frames}`
  }
  Object.defineProperty(error, 'stack', {
    get: () => (value ??= stack()),
    set: (given: unknown) => {
      value = given
    },
    configurable: true,
    enumerable: false,
  })
}

/** Whether the error is marked by Node's library, so that it shows its code. */
function isNodeError(error: object): boolean {
  for (let at: object | null = error; at; at = Object.getPrototypeOf(at) as object | null)
    if (Object.getOwnPropertySymbols(at).some(({ description }) => description === 'kIsNodeError'))
      return true
  return false
}

function headOf(error: object): string {
  try {
    if (isNodeError(error)) {
      // The cast is safe: the library's errors have these properties.
      const { name, code, message } = error as { name: string; code: string; message: string }
      return `${name} [${code}]: ${message}`
    }
    return String(NativeError.prototype.toString.call(error))
  } catch {
    return 'Error'
  }
}

/** V8's messages for messages of QuickJS. */
const MESSAGES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^cannot read property '(.*)' of (undefined|null)$/, "Cannot read properties of $2 (reading '$1')"],
  [/^cannot set property '(.*)' of (undefined|null)$/, "Cannot set properties of $2 (setting '$1')"],
  [/^'(.*)' is not defined$/, '$1 is not defined'],
  [/^'(.*)' is read-only$/, 'Assignment to constant variable.'],
  [/^(.*) is not initialized$/, "Cannot access '$1' before initialization"],
  [/^stack overflow$/, 'Maximum call stack size exceeded'],
  [/^circular reference$/, 'Converting circular structure to JSON'],
  [/^string too long$/, 'Invalid string length'],
  [/^invalid array buffer length$/, 'Array buffer allocation failed'],
  [/^invalid array length$/i, 'Invalid array length'],
]

/** Makes an error of the engine look like one from V8. */
export function polish(error: unknown): void {
  if (!(error instanceof NativeError)) return
  const like: ErrorLike = error
  if (typeof like.stack !== 'string' || (like.stack !== '' && !/^\s+at /.test(like.stack))) return
  const message = String(like.message)
  for (const [pattern, replacement] of MESSAGES)
    if (pattern.test(message)) {
      Object.defineProperty(error, 'message', {
        value: message.replace(pattern, replacement),
        writable: true,
        configurable: true,
        enumerable: false,
      })
      break
    }
  setStack(error, headOf(error), framesOf(like.stack))
}

export function installErrors(): void {
  for (const name of NAMES) {
    const native = engine[name] as Constructor
    const wrapped = function (this: unknown, ...args: readonly unknown[]): Error {
      const made: Error = Reflect.construct(native, args, new.target ?? wrapped)
      setStack(made, null, framesOf(made.stack))
      return made
    } as unknown as Constructor
    for (const key of Reflect.ownKeys(native)) {
      const own = Object.getOwnPropertyDescriptor(native, key)
      if (own) Object.defineProperty(wrapped, key, own)
    }
    if (name !== 'Error') Object.setPrototypeOf(wrapped, globalThis.Error)
    Object.defineProperty(native.prototype, 'constructor', {
      value: wrapped,
      writable: true,
      configurable: true,
    })
    Object.defineProperty(globalThis, name, { value: wrapped, writable: true, configurable: true })
  }
  Object.assign(globalThis.Error, {
    stackTraceLimit: 10,
    captureStackTrace: (target: object) => setStack(target, null, framesOf(new NativeError().stack)),
  })
  const internal = engine['InternalError']
  if (internal) {
    Object.setPrototypeOf(internal.prototype, RangeError.prototype)
    Object.defineProperty(internal.prototype, 'name', {
      value: 'RangeError',
      writable: true,
      configurable: true,
    })
    Object.defineProperty(internal.prototype, 'constructor', {
      value: RangeError,
      writable: true,
      configurable: true,
    })
    Reflect.deleteProperty(globalThis, 'InternalError')
  }
}

/** An Error with a code, as Node creates them: `TypeError [ERR_X]: message` in its stack. */
export function coded<T extends Error>(error: T, code: string): T & { code: string } {
  const toString = (): string => `${error.name} [${code}]: ${error.message}`
  setStack(error, toString(), framesOf(error.stack))
  Object.defineProperty(error, 'toString', {
    value: toString,
    writable: true,
    configurable: true,
    enumerable: false,
  })
  return Object.assign(error, { code })
}

/** The error for a Node feature that the sandbox lacks. */
export function unavailable(message: string): Error {
  return coded(new Error(message), 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM')
}

const ERRNO: Readonly<Record<string, number>> = {
  EPERM: -1,
  ENOENT: -2,
  EIO: -5,
  EBADF: -9,
  ENOMEM: -12,
  EACCES: -13,
  EBUSY: -16,
  EEXIST: -17,
  ENOTDIR: -20,
  EISDIR: -21,
  EINVAL: -22,
  EMFILE: -24,
  ENOSPC: -28,
  ESPIPE: -29,
  EROFS: -30,
  ENAMETOOLONG: -36,
  ENOTEMPTY: -39,
}

/** The error for a failed file call. */
export function systemError(
  code: string,
  message: string,
  syscall: string,
  path?: string,
  dest?: string,
): Error {
  const paths = (path === undefined ? '' : ` '${path}'`) + (dest === undefined ? '' : ` -> '${dest}'`)
  const error = new Error(`${code}: ${message}, ${syscall}${paths}`)
  Object.assign(error, { errno: ERRNO[code] ?? -5, code, syscall })
  if (path !== undefined) Object.assign(error, { path })
  return dest === undefined ? error : Object.assign(error, { dest })
}
