// The bytes for a content address, which are either in memory or read from disk when needed, and then verified.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface BuildBlob {
  readonly size: number
  /** Rejects if a file on disk has changed since it was hashed. */
  read(): Promise<Uint8Array<ArrayBuffer>>
}

export function sha256Of(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex')
}

export function memoryBlob(bytes: Uint8Array<ArrayBuffer>): BuildBlob {
  return { size: bytes.length, read: async () => bytes }
}

export function fileBlob(diskPath: string, size: number, sha256: string): BuildBlob {
  return {
    size,
    async read() {
      const bytes = new Uint8Array(readFileSync(diskPath))
      if (sha256Of(bytes) !== sha256)
        throw new Error(`${diskPath} was changed while the skills were being built. Build them again.`)
      return bytes
    },
  }
}
