// The ports of the two stores of skill bytes. keys.ts creates their keys.

/**
 * Stores texts in KV, which caches them close to every isolate. A key that seems missing may exist (stale "not
 * found").
 */
export interface BodyStore {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
  put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
}

export type Opened = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** Stores all bytes of all versions in R2, which is strongly consistent: a key that seems missing does not exist. */
export interface BlobStore {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * Like `get`, but returns a stream if there are more than `maxBytes`. The stream fails before its end if the bytes
   * do not have this SHA-256.
   */
  open(key: string, sha256: string, maxBytes: number): Promise<Opened | null>
  /** True only if the store has verified that the object under `key` has this SHA-256. */
  has(key: string, sha256: string): Promise<boolean>
  /** Stores bytes. Fails if they do not have this SHA-256. */
  put(key: string, bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<void>
}

export interface SkillStores {
  readonly bodies: BodyStore
  readonly blobs: BlobStore
}
