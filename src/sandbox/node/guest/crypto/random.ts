// Random values, which the host draws.

import { Buffer } from '../base/buffer.ts'
import { coded } from '../base/errors.ts'
import { bytesOf, tried } from '../base/host.ts'
import { invalidType, outOfRange, requireFunction, requireInteger } from '../library/validate.ts'

type Then<T> = (error: null, made: T) => void

/** Random bytes fetched by one call. */
const RANDOM_BYTES = 65_536
const BUFFERS = 'an instance of ArrayBuffer, Buffer, TypedArray, or DataView'

function viewOf(into: unknown, name: string): Uint8Array {
  if (into instanceof ArrayBuffer) return new Uint8Array(into)
  if (ArrayBuffer.isView(into)) return new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
  throw invalidType(name, BUFFERS, into)
}

export function randomFillSync<T>(into: T, offset = 0, size?: number): T {
  const whole = viewOf(into, 'buf')
  // Offset and size are counted in elements.
  const width = ArrayBuffer.isView(into) && 'BYTES_PER_ELEMENT' in into ? Number(into.BYTES_PER_ELEMENT) : 1
  const from = offset * width
  const view = whole.subarray(from, size === undefined ? whole.length : from + size * width)
  for (let at = 0; at < view.length; at += RANDOM_BYTES)
    view.set(bytesOf(tried('random', Math.min(RANDOM_BYTES, view.length - at))), at)
  return into
}

export function randomFill<T>(into: T, ...rest: readonly unknown[]): void {
  const then = rest.at(-1)
  requireFunction(then, 'callback')
  const [offset, size] = rest.slice(0, -1) as [number?, number?]
  randomFillSync(into, offset, size)
  // The cast is safe: requireFunction() has checked `then`.
  setTimeout(() => (then as Then<T>)(null, into), 0)
}

export function getRandomValues<T extends ArrayBufferView>(into: T): T {
  if (!ArrayBuffer.isView(into) || into instanceof Float64Array || into instanceof Float32Array)
    throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError')
  if (into.byteLength > RANDOM_BYTES)
    throw new DOMException(
      `The requested length exceeds ${RANDOM_BYTES} bytes`.replace('65536', '65,536'),
      'QuotaExceededError',
    )
  return randomFillSync(into)
}

export function randomBytes(size: unknown, then?: Then<Buffer>): Buffer | undefined {
  requireInteger(size, 'size')
  const made = randomFillSync(Buffer.alloc(size))
  if (!then) return made
  setTimeout(() => then(null, made), 0)
  return undefined
}

export function randomUUID(): string {
  const made = randomFillSync(Buffer.alloc(16))
  made[6] = ((made[6] ?? 0) & 0x0f) | 0x40
  made[8] = ((made[8] ?? 0) & 0x3f) | 0x80
  const hex = made.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const RANGE_MAX = 2 ** 48 - 1

export function randomInt(...args: readonly unknown[]): number | undefined {
  const then = typeof args.at(-1) === 'function' ? (args.at(-1) as Then<number>) : undefined
  const given = then ? args.slice(0, -1) : args
  const [min, max] = given.length < 2 || given[1] === undefined ? [0, given[0]] : given
  if (!Number.isSafeInteger(min)) throw invalidType('min', 'a safe integer', min)
  if (!Number.isSafeInteger(max)) throw invalidType('max', 'a safe integer', max)
  const [from, to] = [Number(min), Number(max)]
  if (to <= from) throw outOfRange('max', `greater than the value of "min" (${from})`, to)
  const range = to - from
  if (range > RANGE_MAX) throw outOfRange('max - min', `<= ${RANGE_MAX}`, range)
  const limit = 2 ** 48 - (2 ** 48 % range)
  for (;;) {
    const drawn = randomFillSync(Buffer.alloc(6)).readUIntBE(0, 6)
    if (drawn >= limit) continue
    const made = from + (drawn % range)
    if (!then) return made
    setTimeout(() => then(null, made), 0)
    return undefined
  }
}

export function timingSafeEqual(one: unknown, other: unknown): boolean {
  const [first, second] = [viewOfNamed(one, 'buf1'), viewOfNamed(other, 'buf2')]
  if (first.length !== second.length)
    throw coded(
      new RangeError('Input buffers must have the same byte length'),
      'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
    )
  return first.reduce((sum, byte, at) => sum | (byte ^ (second[at] ?? 0)), 0) === 0
}

function viewOfNamed(value: unknown, name: string): Uint8Array {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return viewOf(value, name)
  throw coded(new TypeError(`The "${name}" argument must be ${BUFFERS}.`), 'ERR_INVALID_ARG_TYPE')
}
