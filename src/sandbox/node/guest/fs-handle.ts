// File handles, as returned by `fs.promises.open`.

import { Buffer } from './base/buffer.ts'
import { createReadStream, createWriteStream } from './fs-streams.ts'
import { readvSync, writevSync } from './fs-vectors.ts'
import * as sync from './fs.ts'
import * as trees from './fs-trees.ts'

import type { StreamOptions } from './fs-streams.ts'
import type { Readable, Writable } from 'readable-stream'

interface ReadOptions {
  readonly buffer?: Uint8Array
  readonly offset?: number
  readonly length?: number
  readonly position?: number | null
}

/** The result of `fs.promises.open`. */
export class FileHandle {
  readonly fd: number

  constructor(fd: number) {
    this.fd = fd
  }

  async readFile(options?: string): Promise<string | Buffer> {
    return sync.readFileSync(this.fd, options)
  }

  async writeFile(data: string | Uint8Array): Promise<void> {
    sync.writeFileSync(this.fd, data)
  }

  async appendFile(data: string | Uint8Array): Promise<void> {
    sync.writeFileSync(this.fd, data)
  }

  async read(given: Uint8Array | ReadOptions = {}, offset = 0, length?: number, position?: number | null) {
    if (!ArrayBuffer.isView(given)) {
      const { buffer = Buffer.alloc(16_384), ...rest } = given
      return {
        bytesRead: sync.readSync(this.fd, buffer, rest.offset ?? 0, rest.length, rest.position),
        buffer,
      }
    }
    const into = given
    return { bytesRead: sync.readSync(this.fd, into, offset, length, position), buffer: into }
  }

  async write(data: string | Uint8Array, offset?: number | null, length?: number, position?: number | null) {
    return { bytesWritten: sync.writeSync(this.fd, data, offset, length, position), buffer: data }
  }

  async stat(): Promise<sync.Stats> {
    return sync.fstatSync(this.fd)
  }

  async utimes(accessed: number | string | Date, changed: number | string | Date): Promise<void> {
    trees.futimesSync(this.fd, accessed, changed)
  }

  async truncate(length = 0): Promise<void> {
    sync.ftruncateSync(this.fd, length)
  }

  async *readLines(): AsyncGenerator<string> {
    const lines = String(sync.readFileSync(this.fd, 'utf8')).split(/\r?\n/)
    if (lines.at(-1) === '') lines.pop()
    yield* lines
  }

  async readv(buffers: readonly Uint8Array[], position?: number | null) {
    return { bytesRead: readvSync(this.fd, buffers, position), buffers }
  }

  async writev(buffers: readonly Uint8Array[], position?: number | null) {
    return { bytesWritten: writevSync(this.fd, buffers, position), buffers }
  }

  createReadStream(options: StreamOptions = {}): Readable {
    return createReadStream('', { ...options, fd: this.fd })
  }

  createWriteStream(options: StreamOptions = {}): Writable {
    return createWriteStream('', { ...options, fd: this.fd })
  }

  async sync(): Promise<void> {}

  async datasync(): Promise<void> {}

  async chmod(mode: sync.Mode): Promise<void> {
    sync.fchmodSync(this.fd, mode)
  }

  async close(): Promise<void> {
    sync.closeSync(this.fd)
  }

  async [Symbol.for('Symbol.asyncDispose')](): Promise<void> {
    return this.close()
  }
}
