// node:fs, synchronous: everything else (callbacks, promises, streams) is made of it. A read waits for the host unseen.

import { Buffer, bufferOver } from './buffer.ts'
import { coded, systemError } from './errors.ts'
import { bytesOf, failure, handed, tried } from './host.ts'
import { decodeText } from './text.ts'
import { fileURLToPath, URL } from './url.ts'

import type { Handed } from './host.ts'

export type Path = string | Uint8Array | URL
type Encoding = string | null | undefined
type Options = Encoding | { encoding?: Encoding; flag?: string; recursive?: boolean; mode?: number }
type Data = string | ArrayBufferView

const FLAGS: Readonly<Record<string, number>> = {
  r: 0, 'r+': 2, rs: 0, 'rs+': 2, w: 0o1101, wx: 0o1301, 'w+': 0o1102, 'wx+': 0o1302, a: 0o2101, ax: 0o2301, 'a+': 0o2102, 'ax+': 0o2302,
}
const FIRST_FLAG = 0
/** The most that one turn of a loop over a file takes. */
const PIECE = 1_048_576

export function pathOf(path: unknown, name = 'path'): string {
  const text =
    path instanceof URL ? fileURLToPath(path) : typeof path === 'string' ? path : path instanceof Uint8Array ? decodeText(path) : null
  if (text === null) {
    const words = `The "${name}" argument must be of type string or an instance of Buffer or URL. Received ${received(path)}`
    throw coded(new TypeError(words), 'ERR_INVALID_ARG_TYPE')
  }
  if (text.includes('\0'))
    throw coded(new TypeError(`The argument '${name}' must be a string, Uint8Array, or URL without null bytes.`), 'ERR_INVALID_ARG_VALUE')
  return text
}

function received(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'object') return `an instance of ${value.constructor?.name ?? 'Object'}`
  return typeof value === 'function' ? `function ${value.name}` : `type ${typeof value} (${String(value)})`
}

/** Asks the host; throws as Node does when it says no. */
function call(syscall: string, path: string | undefined, operation: string, ...args: readonly Handed[]): unknown {
  const answer = tried(operation, ...args)
  if (answer !== null) return answer
  const { code, message } = failure()
  throw systemError(code, message, syscall, path)
}

function encodingOf(options: Options): string | null {
  const encoding = typeof options === 'object' && options !== null ? options.encoding : options
  return encoding === undefined || encoding === null || encoding === 'buffer' ? null : encoding
}

function flagOf(options: Options, otherwise: string): string {
  return (typeof options === 'object' && options !== null ? options.flag : undefined) ?? otherwise
}

function textOrBuffer(bytes: Uint8Array, options: Options): string | Buffer {
  const encoding = encodingOf(options)
  return encoding === null ? bufferOver(bytes) : bufferOver(bytes).toString(encoding as BufferEncoding)
}

function dataOf(data: unknown, encoding: Encoding): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, (encoding ?? 'utf8') as BufferEncoding)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw coded(
    new TypeError(`The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${received(data)}`),
    'ERR_INVALID_ARG_TYPE',
  )
}

export function openSync(path: Path, flags: string | number = 'r'): number {
  const name = pathOf(path)
  const bits = typeof flags === 'number' ? flags : FLAGS[flags]
  if (bits === undefined) throw coded(new TypeError(`The argument 'flags' is invalid. Received '${flags}'`), 'ERR_INVALID_ARG_VALUE')
  return Number(call('open', name, 'open', name, bits ?? FIRST_FLAG))
}

export function closeSync(fd: number): void {
  call('close', undefined, 'close', fd)
}

export function readSync(fd: number, into: ArrayBufferView, offset: unknown = 0, length?: number, position?: number | bigint | null): number {
  // The cast: all four may come as one object.
  const given = (typeof offset === 'object' && offset !== null ? offset : { offset, length, position }) as {
    offset?: number
    length?: number
    position?: number | null
  }
  const view = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
  const from = Number(given.offset ?? 0)
  const at = given.position === null || given.position === undefined || Number(given.position) < 0 ? null : Number(given.position)
  const most = Math.min(given.length ?? view.length - from, view.length - from)
  const bytes = bytesOf(call('read', undefined, 'read', fd, most, at))
  view.set(bytes, from)
  return bytes.length
}

export function writeSync(fd: number, data: Data, offset?: number | null, length?: number | string, position?: number | null): number {
  const text = typeof data === 'string'
  const whole = dataOf(data, text && typeof length === 'string' ? length : 'utf8')
  const from = text ? 0 : (offset ?? 0)
  const bytes = text ? whole : whole.subarray(from, from + Number(length ?? whole.length - from))
  const at = text ? offset : position
  return Number(call('write', undefined, 'put', fd, handed(bytes), at ?? null))
}

function readAll(fd: number): Uint8Array {
  const pieces: Uint8Array[] = []
  for (;;) {
    const bytes = bytesOf(call('read', undefined, 'read', fd, PIECE, null))
    if (bytes.length === 0) break
    pieces.push(bytes)
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}

export function readFileSync(path: Path | number, options?: Options): string | Buffer {
  if (typeof path === 'number') return textOrBuffer(readAll(path), options)
  const fd = openSync(path, flagOf(options, 'r'))
  try {
    return textOrBuffer(readAll(fd), options)
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
  const fd = typeof path === 'number' ? path : openSync(path, flagOf(options, flag))
  try {
    if (bytes.length > 0) call('write', undefined, 'put', fd, handed(bytes), null)
  } finally {
    if (typeof path !== 'number') closeSync(fd)
  }
}

interface Told {
  readonly kind: 'file' | 'folder' | 'device'
  readonly mode: number
  readonly size: number
  readonly inode: number
  readonly changedMs: number
}

class Kind {
  readonly #kind: string

  constructor(kind: string) {
    this.#kind = kind
  }

  isFile(): boolean {
    return this.#kind === 'file'
  }

  isDirectory(): boolean {
    return this.#kind === 'folder'
  }

  isCharacterDevice(): boolean {
    return this.#kind === 'device'
  }

  isSymbolicLink(): boolean {
    return false
  }

  isFIFO(): boolean {
    return false
  }

  isSocket(): boolean {
    return false
  }

  isBlockDevice(): boolean {
    return false
  }
}

export class Stats extends Kind {
  readonly dev = 1
  readonly mode: number
  readonly nlink = 1
  readonly uid = 0
  readonly gid = 0
  readonly rdev = 0
  readonly blksize = 4096
  readonly ino: number
  readonly size: number
  readonly blocks: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
  readonly atime: Date
  readonly mtime: Date
  readonly ctime: Date
  readonly birthtime: Date

  constructor({ kind, mode, size, inode, changedMs }: Told) {
    super(kind)
    this.mode = mode
    this.ino = inode
    this.size = size
    this.blocks = Math.ceil(size / 512)
    this.atimeMs = this.mtimeMs = this.ctimeMs = this.birthtimeMs = changedMs
    this.atime = this.mtime = this.ctime = this.birthtime = new Date(changedMs)
  }
}

export class Dirent extends Kind {
  readonly name: string
  readonly parentPath: string
  readonly path: string

  constructor(name: string, kind: string, parentPath: string) {
    super(kind)
    this.name = name
    this.parentPath = this.path = parentPath
  }
}

function told(syscall: string, path: string | undefined, operation: string, what: Handed): Stats {
  // The cast: the host's own words.
  return new Stats(JSON.parse(String(call(syscall, path, operation, what))) as Told)
}

export function statSync(path: Path, options?: { throwIfNoEntry?: boolean }): Stats | undefined {
  const name = pathOf(path)
  if (options?.throwIfNoEntry === false && tried('stat', name) === null) return undefined
  return told('stat', name, 'stat', name)
}

export function lstatSync(path: Path, options?: { throwIfNoEntry?: boolean }): Stats | undefined {
  const name = pathOf(path)
  if (options?.throwIfNoEntry === false && tried('stat', name) === null) return undefined
  return told('lstat', name, 'stat', name)
}

export function fstatSync(fd: number): Stats {
  return told('fstat', undefined, 'fstat', fd)
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
  call('access', name, mode & 2 ? 'writable' : 'stat', name)
}

export function readdirSync(path: Path, options?: Options & { withFileTypes?: boolean }): (string | Dirent | Buffer)[] {
  const name = pathOf(path)
  const { withFileTypes = false, recursive = false } = typeof options === 'object' && options !== null ? options : {}
  const found: (string | Dirent)[] = []
  const waiting: [full: string, shown: string][] = [[name, '']]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [full, shown] = next
    // The cast: the host's own words.
    for (const [entry, kind] of JSON.parse(String(call('scandir', full, 'list', full))) as [string, string][]) {
      found.push(withFileTypes ? new Dirent(entry, kind, full) : shown + entry)
      if (recursive && kind === 'folder') waiting.push([`${full.replace(/\/$/, '')}/${entry}`, `${shown}${entry}/`])
    }
  }
  return found
}

export function mkdirSync(path: Path, options?: Options | number): string | undefined {
  const name = pathOf(path)
  const recursive = typeof options === 'object' && options !== null && options.recursive === true
  const first = recursive && !existsSync(name) ? name : undefined
  call('mkdir', name, 'mkdir', name, recursive)
  return first
}

export function mkdtempSync(prefix: string): string {
  for (;;) {
    const random = [...bytesOf(tried('random', 6))].map((byte) => (byte % 36).toString(36)).join('')
    if (existsSync(prefix + random)) continue
    mkdirSync(prefix + random)
    return prefix + random
  }
}

export function unlinkSync(path: Path): void {
  const name = pathOf(path)
  call('unlink', name, 'unlink', name)
}

export function rmdirSync(path: Path, options?: { recursive?: boolean }): void {
  if (options?.recursive) return rmSync(path, options)
  const name = pathOf(path)
  call('rmdir', name, 'rmdir', name)
}

export function rmSync(path: Path, options: { recursive?: boolean; force?: boolean } = {}): void {
  const name = pathOf(path)
  if (options.force && !existsSync(name)) return
  const stats = lstatSync(name)
  if (!stats?.isDirectory()) return unlinkSync(name)
  if (!options.recursive)
    throw Object.assign(coded(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${name}`), 'ERR_FS_EISDIR'), { path: name })
  for (const entry of readdirSync(name)) rmSync(`${name}/${String(entry)}`, { recursive: true })
  rmdirSync(name)
}

export function renameSync(from: Path, to: Path): void {
  const [old, fresh] = [pathOf(from, 'oldPath'), pathOf(to, 'newPath')]
  if (tried('rename', old, fresh) !== null) return
  const { code, message } = failure()
  throw systemError(code, message, 'rename', old, fresh)
}

export function copyFileSync(from: Path, to: Path, mode = 0): void {
  const [old, fresh] = [pathOf(from, 'src'), pathOf(to, 'dest')]
  try {
    writeFileSync(fresh, readFileSync(old), { flag: mode & 1 ? 'wx' : 'w' })
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    throw systemError(code, message.replace(/^\w+: (.*), \w+.*$/, '$1'), 'copyfile', old, fresh)
  }
}

export function cpSync(from: Path, to: Path, options: { recursive?: boolean; force?: boolean } = {}): void {
  const [old, fresh] = [pathOf(from, 'src'), pathOf(to, 'dest')]
  if (!statSync(old)?.isDirectory()) return copyFileSync(old, fresh)
  if (!options.recursive)
    throw coded(new Error(`Recursive option not enabled, cannot copy a directory: ${old}`), 'ERR_FS_EISDIR')
  mkdirSync(fresh, { recursive: true })
  for (const entry of readdirSync(old)) cpSync(`${old}/${String(entry)}`, `${fresh}/${String(entry)}`, options)
}

export function truncateSync(path: Path, length = 0): void {
  const fd = openSync(path, 'r+')
  try {
    ftruncateSync(fd, length)
  } finally {
    closeSync(fd)
  }
}

export function ftruncateSync(fd: number, length = 0): void {
  call('ftruncate', undefined, 'truncate', fd, length)
}

export function realpathSync(path: Path): string {
  const name = pathOf(path)
  return String(call('realpath', name, 'realpath', name))
}

export function utimesSync(path: Path, _accessed: unknown, changed: number | string | Date): void {
  const name = pathOf(path)
  call('utime', name, 'touch', name, changed instanceof Date ? changed.getTime() : Number(changed) * 1_000)
}

/** There are no modes and owners here: a file that may be written keeps its own. */
export function chmodSync(path: Path): void {
  const name = pathOf(path)
  call('chmod', name, 'writable', name)
}

export function readlinkSync(path: Path): never {
  const name = pathOf(path)
  call('readlink', name, 'stat', name)
  throw systemError('EINVAL', 'invalid argument', 'readlink', name)
}

export function symlinkSync(target: Path, path: Path): never {
  throw systemError('EPERM', 'operation not permitted', 'symlink', pathOf(target), pathOf(path))
}

export function linkSync(from: Path, to: Path): never {
  throw systemError('EPERM', 'operation not permitted', 'link', pathOf(from), pathOf(to))
}

export function fsyncSync(fd: number): void {
  fstatSync(fd)
}

export const constants = {
  F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1, COPYFILE_FICLONE: 2, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 0o100,
  O_EXCL: 0o200, O_TRUNC: 0o1000, O_APPEND: 0o2000, S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o040000,
}
