// Writes the archive entry by entry, as they arrive. The file has a temporary name until it is complete.

import { createHash } from 'node:crypto'
import { open, rename, type FileHandle } from 'node:fs/promises'

import { TAR_END, tarHeader, tarPadding } from '../../src/lib/tar.ts'
import type { Entry } from './manifest.ts'

export class ArchiveWriter {
  readonly entries: Entry[] = []
  #position = 0
  #turn: Promise<unknown> = Promise.resolve()
  readonly #handle: FileHandle
  readonly #path: string

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle
    this.#path = path
  }

  /** Creates a file that only its owner can read. Overwrites an incomplete file of an earlier attempt. */
  static async create(path: string): Promise<ArchiveWriter> {
    return new ArchiveWriter(await open(partialPath(path), 'w', 0o600), path)
  }

  get bytes(): number {
    return this.#position
  }

  /** Adds an entry after all pending ones. The name must be short ASCII, so that its header is one block. */
  add(name: string, bytes: Uint8Array): Promise<void> {
    const added = this.#turn.then(async () => {
      const header = tarHeader(name, bytes.byteLength, Date.now())
      const offset = this.#position + header.byteLength
      for (const piece of [header, bytes, tarPadding(bytes.byteLength)]) await this.#write(piece)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      this.entries.push({ name, offset, bytes: bytes.byteLength, sha256 })
    })
    this.#turn = added.catch(() => undefined)
    return added
  }

  /** Completes the file and renames it. */
  async finish(): Promise<void> {
    await this.#turn
    await this.#write(TAR_END)
    await this.#handle.sync()
    await this.#handle.close()
    await rename(partialPath(this.#path), this.#path)
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength === 0) return
    await this.#handle.write(bytes, 0, bytes.byteLength, this.#position)
    this.#position += bytes.byteLength
  }
}

export function partialPath(path: string): string {
  return `${path}.partial`
}
