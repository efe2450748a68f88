// File streams. Each read and write runs in its own turn of the event loop, as in Node, where other threads do the
// work.

import { Readable, Writable } from 'readable-stream'

import { Buffer } from './base/buffer.ts'
import { pathOf } from './fs-call.ts'
import * as sync from './fs.ts'

import type { Path } from './fs-call.ts'

const PIECE = 65_536

export interface StreamOptions {
  readonly encoding?: BufferEncoding
  readonly start?: number
  readonly end?: number
  readonly flags?: string
  readonly mode?: sync.Mode
  readonly fd?: number
  readonly highWaterMark?: number
}

function optionsOf(options: StreamOptions | BufferEncoding | undefined): StreamOptions {
  return typeof options === 'string' ? { encoding: options } : (options ?? {})
}

export function createReadStream(path: Path, given?: StreamOptions | BufferEncoding): Readable {
  if (typeof given !== 'object' || given?.fd === undefined) pathOf(path)
  const {
    encoding,
    start,
    end = Number.POSITIVE_INFINITY,
    fd: open,
    flags = 'r',
    highWaterMark = PIECE,
  } = optionsOf(given)
  let fd = open ?? -1
  let at = start ?? null
  let left = end - (start ?? 0) + 1
  const stream: Readable & { bytesRead?: number } = new Readable({
    highWaterMark,
    ...(encoding === undefined ? {} : { encoding }),
    construct: (then: (error?: unknown) => void) => {
      try {
        if (fd < 0) fd = sync.openSync(path, flags)
        then()
        stream.emit('open', fd)
        stream.emit('ready')
      } catch (error) {
        then(error)
      }
    },
    read: (size: number) => {
      setImmediate(() => {
        if (stream.destroyed) return
        try {
          const into = Buffer.alloc(Math.min(size, left))
          const count = into.length === 0 ? 0 : sync.readSync(fd, into, 0, into.length, at)
          if (at !== null) at += count
          left -= count
          stream.bytesRead = (stream.bytesRead ?? 0) + count
          stream.push(count === 0 ? null : into.subarray(0, count))
        } catch (error) {
          stream.destroy(error as Error)
        }
      })
    },
    destroy: (error: Error | null, then: (error: Error | null) => void) => {
      if (fd > 2) sync.closeSync(fd)
      then(error)
    },
  } as object)
  return Object.assign(stream, { path, bytesRead: 0 })
}

export function createWriteStream(path: Path, given?: StreamOptions | BufferEncoding): Writable {
  const { flags = 'w', start, fd: open, mode } = optionsOf(given)
  let fd = open ?? -1
  let at = start ?? null
  const stream: Writable & { bytesWritten?: number } = new Writable({
    decodeStrings: true,
    construct: (then: (error?: unknown) => void) => {
      try {
        if (fd < 0) fd = sync.openSync(path, flags, mode)
        then()
        stream.emit('open', fd)
        stream.emit('ready')
      } catch (error) {
        then(error)
      }
    },
    write: (chunk: Uint8Array, _encoding: string, then: (error?: unknown) => void) => {
      setImmediate(() => {
        try {
          const count = sync.writeSync(fd, chunk, 0, chunk.length, at)
          if (at !== null) at += count
          stream.bytesWritten = (stream.bytesWritten ?? 0) + count
        } catch (error) {
          then(error)
          return
        }
        then()
      })
    },
    destroy: (error: Error | null, then: (error: Error | null) => void) => {
      if (fd > 2) sync.closeSync(fd)
      then(error)
    },
  } as object)
  return Object.assign(stream, { path, bytesWritten: 0 })
}
