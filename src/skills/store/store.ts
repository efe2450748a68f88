// The ports of the two stores of skill bytes. Know nothing of digests or skills; keys come from keys.ts.

/** Small texts, cached near every isolate (KV). A missing key may be a stale "not found", so it proves nothing. */
export interface BodyStore {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
  put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
}

export type Opened = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** Every byte of every version (R2). Strongly consistent: a missing key is really missing. */
export interface BlobStore {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * The same. More than `over` bytes are a stream, never held whole, which errors before its end when they do not have
   * this SHA-256.
   */
  open(key: string, sha256: string, over: number): Promise<Opened | null>
  /** True only if the store has verified that the object under `key` has this SHA-256. */
  has(key: string, sha256: string): Promise<boolean>
  /** The store refuses bytes that do not have this SHA-256. */
  put(key: string, bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<void>
}

export interface SkillStores {
  readonly bodies: BodyStore
  readonly blobs: BlobStore
}
