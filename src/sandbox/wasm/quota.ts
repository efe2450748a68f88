// Limits how much a guest may store in files, and decides by how much the memory of a file grows.

/** The space that a guest has used. `refused` is set once something did not fit. */
export interface Quota {
  readonly maxBytes: number
  readonly maxFiles: number
  /** The maximum number of bytes in memory, of the guest's and of the host's files together. */
  readonly maxHeld: number
  /** Bytes that the guest wrote, plus the cached bytes of unchanged files of the host. */
  bytes: number
  held: number
  files: number
  refused: boolean
}

/** An empty quota. */
export function quotaOf(maxBytes: number, maxFiles: number, maxHeld: number): Quota {
  return { maxBytes, maxFiles, maxHeld, bytes: 0, held: 0, files: 0, refused: false }
}

/** The new capacity of a file: small files double, and large files grow by an eighth to save memory. */
export function grown(length: number): number {
  return length < 1_048_576 ? length * 2 : length + Math.ceil(length / 8)
}
