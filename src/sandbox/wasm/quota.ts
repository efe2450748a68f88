// How much of files a guest may make and hold, and how the memory of one grows. Counts nothing by itself.

/** What a guest has used up of its space. `refused` is set once something did not fit. */
export interface Quota {
  readonly maxBytes: number
  readonly maxFiles: number
  /** The most that lies in memory, of the guest's and of the host's files together. */
  readonly maxHeld: number
  /** Bytes that the guest wrote, and bytes of the host's files that lie here unchanged. */
  bytes: number
  held: number
  files: number
  refused: boolean
}

/** One of which nothing is used. */
export function quotaOf(maxBytes: number, maxFiles: number, maxHeld: number): Quota {
  return { maxBytes, maxFiles, maxHeld, bytes: 0, held: 0, files: 0, refused: false }
}

/** Small files double, large ones grow by an eighth: what is too much lies in memory. */
export function grown(length: number): number {
  return length < 1_048_576 ? length * 2 : length + Math.ceil(length / 8)
}
