// Limits how much a guest may store in files, and decides by how much a file's buffer grows.

/** The space that a guest has used and may use. */
export interface Quota {
  readonly maxBytes: number
  readonly maxFiles: number
  /** The maximum of `bytes` and `held` together. */
  readonly maxMemoryBytes: number
  /** Bytes of files that the guest created or changed. */
  bytes: number
  /** Cached bytes of unchanged files of the host. */
  cachedBytes: number
  files: number
  /** Whether a file was refused for lack of space. */
  wasRefused: boolean
}

/** An empty quota. */
export function quotaOf(maxBytes: number, maxFiles: number, maxMemoryBytes: number): Quota {
  return {
    maxBytes,
    maxFiles,
    maxMemoryBytes: maxMemoryBytes,
    bytes: 0,
    cachedBytes: 0,
    files: 0,
    wasRefused: false,
  }
}

/** The new capacity of a file: small files double, and large files grow by an eighth to save memory. */
export function grownCapacity(length: number): number {
  return length < 1_048_576 ? length * 2 : length + Math.ceil(length / 8)
}
