// The two places skill bytes are kept, as ports. Knows nothing of digests or skills; keys come from keys.ts.

/** Small texts close to every isolate (KV). A missing key may be a stale "not found": it proves nothing. */
export interface BodyStore {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
  put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
}

export type Opened = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** Every byte of every version (R2). Strongly consistent: a missing key is really missing. */
export interface BlobStore {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * The same; more than `over` bytes come as a stream, so that they are never held whole. It errors before its end where they do not
   * have this sha-256.
   */
  open(key: string, sha256: string, over: number): Promise<Opened | null>
  /** True only where the store vouches that the object under `key` has this sha-256. */
  has(key: string, sha256: string): Promise<boolean>
  /** Refused by the store when the bytes do not have this sha-256. */
  put(key: string, bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<void>
}

export interface SkillStores {
  readonly bodies: BodyStore
  readonly blobs: BlobStore
}
