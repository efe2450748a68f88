// Converts values between SQLite and Python: parameters, columns, arguments and results of functions.

import type { SqliteMachine } from '../../sqlite/machine.ts'
import { MarshalText, type MarshalValue, type MarshalWriter } from './marshal.ts'

/** The value cannot be passed to SQLite. Python raises the exception with this name. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
}

const [INTEGER, FLOAT, TEXT, BLOB] = [1, 2, 3, 4]
/** Makes SQLite copy what is bound or returned. */
const TRANSIENT = -1
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The source of a value: a column of a statement, or an argument of a function. */
export interface ValueSource {
  readonly prefix: 'sqlite3_column' | 'sqlite3_value'
  readonly args: readonly number[]
}

/**
 * Writes a value. Text that is not UTF-8, or any text if `raw` is true, becomes a tuple of its bytes. Returns whether
 * it became one.
 */
export function writeValue(
  machine: SqliteMachine,
  { prefix, args }: ValueSource,
  into: MarshalWriter,
  raw: boolean,
): boolean {
  switch (machine.callNow(`${prefix}_type`, ...args)) {
    case INTEGER:
      into.int(machine.callLong(`${prefix}_int64`, ...args))
      return false
    case FLOAT:
      into.float(machine.callNow(`${prefix}_double`, ...args))
      return false
    case TEXT: {
      const at = machine.callNow(`${prefix}_text`, ...args)
      const length = machine.callNow(`${prefix}_bytes`, ...args)
      const bytes = machine.memory.bytes.subarray(at, at + length)
      const odd = raw || !isUtf8(bytes)
      if (odd) {
        into.tuple(1)
        into.bytes(bytes)
      } else into.text(bytes)
      return odd
    }
    case BLOB: {
      const at = machine.callNow(`${prefix}_blob`, ...args)
      const length = machine.callNow(`${prefix}_bytes`, ...args)
      into.bytes(machine.memory.bytes.subarray(at, at + length))
      return false
    }
    default:
      into.none()
      return false
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  if (!bytes.some((byte) => byte >= 0x80)) return true
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * Binds a parameter (`sqlite3_bind`) or sets a result (`sqlite3_result`). Returns SQLite's code. Throws a `ValueError`
 * for a value that SQLite cannot store.
 */
export function giveValue(
  machine: SqliteMachine,
  prefix: 'sqlite3_bind' | 'sqlite3_result',
  args: readonly number[],
  value: MarshalValue,
): number {
  if (value === null) return machine.callNow(`${prefix}_null`, ...args)
  if (typeof value === 'boolean') return machine.callNow(`${prefix}_int`, ...args, value ? 1 : 0)
  if (typeof value === 'number') return machine.callNow(`${prefix}_double`, ...args, value)
  if (typeof value === 'bigint') {
    if (value !== BigInt.asIntN(64, value)) throw new ValueError('overflow')
    return machine.callNow(`${prefix}_int64`, ...args, value)
  }
  const bytes = value instanceof MarshalText ? value.bytes : value instanceof Uint8Array ? value : null
  if (!bytes) throw new ValueError('type')
  if (value instanceof MarshalText && hasSurrogate(bytes)) throw new ValueError('surrogate')
  const at = machine.allocate(bytes)
  if (at === 0) throw new ValueError('memory')
  const kind = value instanceof MarshalText ? 'text' : 'blob'
  const code = machine.callNow(`${prefix}_${kind}`, ...args, at, bytes.length, TRANSIENT)
  machine.free(at)
  return code
}

/** Whether there is a surrogate as Python encodes it: ED A0 to ED BF. */
function hasSurrogate(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1))
    if ((bytes[at + 1] ?? 0) >= 0xa0) return true
  return false
}
