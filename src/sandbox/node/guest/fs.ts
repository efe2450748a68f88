// The synchronous calls of node:fs, on which callbacks, promises and streams are built. A read may wait for the host,
// which the guest cannot notice.

import { Buffer, bufferOver } from './base/buffer.ts'
import { coded, systemError } from './base/errors.ts'
import { call, pathOf } from './fs-call.ts'
import { readAll, readText } from './fs-whole.ts'
import { BigIntStats, Dirent, Stats } from './fs-stats.ts'
import { bytesOf, failure, handed, tried } from './base/host.ts'
import { path } from './library/path.ts'
import { received, requireInteger } from './library/validate.ts'
import type { Path } from './fs-call.ts'
import type { HostStats } from './fs-stats.ts'
import type { Handed } from './base/host.ts'

type Encoding = string | null | undefined
type Options = Encoding | { encoding?: Encoding; flag?: string; recursive?: boolean; mode?: Mode }
/** A mode as a number, or as octal digits. */
export type Mode = number | string
type Data = string | ArrayBufferView

const FLAGS: Readonly<Record<string, number>> = {
  r: 0,
  'r+': 2,
  rs: 0,
  'rs+': 2,
  w: 0o1101,
  wx: 0o1301,
  'w+': 0o1102,
  'wx+': 0o1302,
  a: 0o2101,
  ax: 0o2301,
  'a+': 0o2102,
  'ax+': 0o2302,
}
const FIRST_FLAG = 0

function encodingOf(options: Options): string | null {
  const encoding = typeof options === 'object' && options !== null ? options.encoding : options
  return encoding === undefined || encoding === null || encoding === 'buffer' ? null : encoding
}

function flagOf(options: Options, otherwise: string): string {
  return (typeof options === 'object' && options !== null ? options.flag : undefined) ?? otherwise
}

/** Converts a mode to a number. */
export function bitsOf(mode: Mode | null | undefined, otherwise: number): number {
  if (mode === undefined || mode === null) return otherwise
  return typeof mode === 'number' ? mode : Number.parseInt(mode, 8)
}

function modeOf(options: Options): Mode | undefined {
  return typeof options === 'object' && options !== null ? options.mode : undefined
}

function textOrBuffer(bytes: Uint8Array, options: Options): string | Buffer {
  const encoding = encodingOf(options)
  return encoding === null ? bufferOver(bytes) : bufferOver(bytes).toString(encoding as BufferEncoding)
}

function dataOf(data: unknown, encoding: Encoding): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, (encoding ?? 'utf8') as BufferEncoding)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw coded(
    new TypeError(
      `The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${received(data)}`,
    ),
    'ERR_INVALID_ARG_TYPE',
  )
}

export function openSync(path: Path, flags: string | number = 'r', mode?: Mode | null): number {
  const name = pathOf(path)
  const bits = typeof flags === 'number' ? flags : FLAGS[flags]
  if (bits === undefined)
    throw coded(
      new TypeError(`The argument 'flags' is invalid. Received '${flags}'`),
      'ERR_INVALID_ARG_VALUE',
    )
  return Number(call('open', name, 'open', name, bits ?? FIRST_FLAG, bitsOf(mode, 0o666)))
}

export function closeSync(fd: number): void {
  call('close', undefined, 'close', fd)
}

export function readSync(
  fd: number,
  into: ArrayBufferView,
  offset: unknown = 0,
  length?: number,
  position?: number | bigint | null,
): number {
  // The cast is safe: Node also accepts all four values as one object.
  const given = (typeof offset === 'object' && offset !== null ? offset : { offset, length, position }) as {
    offset?: number
    length?: number
    position?: number | null
  }
  const view = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
  const from = Number(given.offset ?? 0)
  const at =
    given.position === null || given.position === undefined || Number(given.position) < 0
      ? null
      : Number(given.position)
  const most = Math.min((given.length ?? view.length - from) | 0, view.length - from)
  const bytes = bytesOf(call('read', undefined, 'read', fd, most, at))
  view.set(bytes, from)
  return bytes.length
}

export function writeSync(
  fd: number,
  data: Data,
  offset?: number | null,
  length?: number | string,
  position?: number | null,
): number {
  const text = typeof data === 'string'
  const whole = dataOf(data, text && typeof length === 'string' ? length : 'utf8')
  const from = text ? 0 : (offset ?? 0)
  const bytes = text ? whole : whole.subarray(from, from + Number(length ?? whole.length - from))
  const at = text ? offset : position
  return Number(call('write', undefined, 'put', fd, handed(bytes), at ?? null))
}

function readOpen(fd: number, options: Options): string | Buffer {
  return /^utf-?8$/i.test(encodingOf(options) ?? '') ? readText(fd) : textOrBuffer(readAll(fd), options)
}

export function readFileSync(path: Path | number, options?: Options): string | Buffer {
  if (typeof path === 'number') return readOpen(path, options)
  const fd = openSync(path, flagOf(options, 'r'))
  try {
    return readOpen(fd, options)
  } finally {
    closeSync(fd)
  }
}

export function writeFileSync(path: Path | number, data: Data, options?: Options): void {
  writeWith(path, data, options, 'w')
}

export function appendFileSync(path: Path | number, data: Data, options?: Options): void {
  writeWith(path, data, options, 'a')
}

function writeWith(path: Path | number, data: Data, options: Options, flag: string): void {
  const bytes = dataOf(data, encodingOf(options))
  const fd = typeof path === 'number' ? path : openSync(path, flagOf(options, flag), modeOf(options))
  try {
    if (bytes.length > 0) call('write', undefined, 'put', fd, handed(bytes), null)
  } finally {
    if (typeof path !== 'number') closeSync(fd)
  }
}

interface StatOptions {
  readonly bigint?: boolean
  readonly throwIfNoEntry?: boolean
}

function statsOf(
  syscall: string,
  path: string | undefined,
  operation: string,
  what: Handed,
  options?: StatOptions,
): Stats {
  // The cast is safe: the host created this JSON.
  const stats = JSON.parse(String(call(syscall, path, operation, what))) as HostStats
  return options?.bigint ? new BigIntStats(stats) : new Stats(stats)
}

export function statSync(path: Path, options?: StatOptions): Stats | undefined {
  const name = pathOf(path)
  if (options?.throwIfNoEntry === false && tried('stat', name) === null) return undefined
  return statsOf('stat', name, 'stat', name, options)
}

export function lstatSync(path: Path, options?: StatOptions): Stats | undefined {
  const name = pathOf(path)
  if (options?.throwIfNoEntry === false && tried('stat', name) === null) return undefined
  return statsOf('lstat', name, 'stat', name, options)
}

export function fstatSync(fd: number, options?: StatOptions): Stats {
  return statsOf('fstat', undefined, 'fstat', fd, options)
}

export function existsSync(path: unknown): boolean {
  try {
    return tried('stat', pathOf(path)) !== null
  } catch {
    return false
  }
}

export function accessSync(path: Path, mode = 0): void {
  const name = pathOf(path)
  if (mode & 1) call('access', name, 'runnable', name)
  call('access', name, mode & 2 ? 'writable' : 'stat', name)
}

export function readdirSync(
  path: Path,
  options?: Options & { withFileTypes?: boolean },
): (string | Dirent | Buffer)[] {
  const name = pathOf(path)
  const { withFileTypes = false, recursive = false } =
    typeof options === 'object' && options !== null ? options : {}
  const found: (string | Dirent)[] = []
  const waiting: [full: string, shown: string][] = [[name, '']]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [full, shown] = next
    // The cast is safe: the host created this JSON.
    for (const [entry, kind] of JSON.parse(String(call('scandir', full, 'list', full))) as [
      string,
      string,
    ][]) {
      found.push(withFileTypes ? new Dirent(entry, kind, full) : shown + entry)
      if (recursive && kind === 'folder')
        waiting.push([`${full.replace(/\/$/, '')}/${entry}`, `${shown}${entry}/`])
    }
  }
  return found
}

export function mkdirSync(path: Path, options?: Options | number): string | undefined {
  const name = pathOf(path)
  const mode = typeof options === 'object' ? modeOf(options) : options
  const recursive = typeof options === 'object' && options !== null && options.recursive === true
  const first = recursive ? firstMissing(name) : undefined
  call('mkdir', name, 'mkdir', name, recursive, bitsOf(mode, 0o777))
  return first
}

/** The first missing folder on the path to `name`, as an absolute path. */
function firstMissing(name: string): string | undefined {
  let missing: string | undefined
  for (let at = path.resolve(name); at !== '/' && !existsSync(at); at = path.dirname(at)) missing = at
  return missing
}

export function unlinkSync(path: Path): void {
  const name = pathOf(path)
  call('unlink', name, 'unlink', name)
}

export function rmdirSync(path: Path): void {
  const name = pathOf(path)
  call('rmdir', name, 'rmdir', name)
}

export function renameSync(from: Path, to: Path): void {
  const [old, fresh] = [pathOf(from, 'oldPath'), pathOf(to, 'newPath')]
  if (tried('rename', old, fresh) !== null) return
  const { code, message } = failure()
  throw systemError(code, message, 'rename', old, fresh)
}

export function truncateSync(path: Path, length = 0): void {
  const fd = openSync(path, 'r+')
  try {
    ftruncateSync(fd, length)
  } finally {
    closeSync(fd)
  }
}

export function ftruncateSync(fd: number, length: number | null = 0): void {
  const size = length ?? 0
  requireInteger(size, 'len', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  call('ftruncate', undefined, 'truncate', fd, Math.max(0, size))
}

export function realpathSync(path: Path): string {
  const name = pathOf(path)
  return String(call('realpath', name, 'realpath', name))
}

export function fchmodSync(fd: number, mode: Mode): void {
  call('fchmod', undefined, 'fchmod', fd, bitsOf(mode, 0))
}

export function fsyncSync(fd: number): void {
  fstatSync(fd)
}

export { Dirent, Stats } from './fs-stats.ts'
export { constants } from './fs-call.ts'
