// Parts of files that a command writes, stored outside of its isolate until the command ends.

import type { FileAccess, KeptBytes } from '../files/access.ts'
import type { ByteRange, HostPiece } from './guest.ts'
import { SANDBOX_KEPT_MAX_BYTES } from './limits.ts'

export class KeptParts {
  readonly #files: Pick<FileAccess, 'keep' | 'readKept' | 'discard'>
  readonly #parts = new Map<string, KeptBytes>()
  #bytes = 0
  #isReleased = false

  constructor(files: Pick<FileAccess, 'keep' | 'readKept' | 'discard'>) {
    this.#files = files
  }

  has(source: string): boolean {
    return this.#parts.has(source)
  }

  /** Rejects with a message if there is no space. */
  async keep(bytes: Uint8Array): Promise<HostPiece> {
    this.#bytes += bytes.length
    if (this.#bytes > SANDBOX_KEPT_MAX_BYTES)
      throw new Error(`the command wrote more than ${SANDBOX_KEPT_MAX_BYTES} bytes, removed files included`)
    const kept = await this.#files.keep(bytes)
    if (!kept.ok) throw new Error(kept.error)
    if (this.#isReleased) {
      await this.#files.discard([kept.value])
      throw new Error('the command has ended')
    }
    // No file has a path that begins like this.
    const source = `kept:${this.#parts.size}`
    this.#parts.set(source, kept.value)
    return { source, offset: 0, bytes: bytes.length }
  }

  /** Null if there is no such part. Rejects with a message if it cannot be read. */
  async read(source: string, range?: ByteRange): Promise<Uint8Array | null> {
    const kept = this.#parts.get(source)
    if (!kept) return null
    const { offset, length } = range ?? { offset: 0, length: kept.bytes }
    if (!(offset >= 0 && length >= 0 && offset + length <= kept.bytes))
      throw new Error('there are fewer bytes')
    const bytes = await this.#files.readKept(kept, offset, length)
    if (!bytes.ok) throw new Error(bytes.error)
    return bytes.value
  }

  async release(): Promise<void> {
    this.#isReleased = true
    const parts = [...this.#parts.values()]
    this.#parts.clear()
    if (parts.length > 0) await this.#files.discard(parts)
  }
}
