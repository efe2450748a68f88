// One incoming file: a small one stays in memory for the thread's rows, a large one streams to R2 and is hashed on the way.

import { hex, joinBytes, sha256Hex } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { FILE_INLINE_MAX_BYTES } from '../../limits/files.ts'
import type { FileBody } from '../../agent/tool.ts'
import type { StagedFile } from '../../thread/api.ts'
import { GatheredUpload, streamedUpload, WRONG_LENGTH, type ObjectUpload } from './object-upload.ts'

const NOTHING = (): void => undefined

export interface Destination {
  readonly bucket: R2Bucket
  /** The key whose turn it is when memory is short. */
  readonly key: string
  stage(bytes: number): Promise<Result<StagedFile>>
  /** Before the first part goes to the store. */
  partsBegun(object: number, upload: string): Promise<Result<null>>
}

interface Large {
  readonly staged: StagedFile
  readonly upload: ObjectUpload
  readonly digest: DigestStream
  readonly hash: WritableStreamDefaultWriter<Uint8Array>
}

export class IncomingFile {
  readonly #to: Destination
  /** The announced size in bytes; null if unknown. */
  readonly #known: number | null
  readonly #inlineMax: number
  #head: Uint8Array[] = []
  #bytes = 0
  #large: Large | null = null

  constructor(to: Destination, known: number | null, inlineMax = FILE_INLINE_MAX_BYTES) {
    this.#to = to
    this.#known = known
    this.#inlineMax = inlineMax
  }

  /** Memory it uses (bytes). */
  get held(): number {
    return this.#large ? 0 : this.#bytes
  }

  /**
   * Before anything is read: whether the thread accepts a file of the announced size, if it is large. Fails as the thread does.
   */
  async announce(): Promise<Result<null>> {
    return this.#known !== null && this.#known > this.#inlineMax ? this.#begin(this.#known) : ok(null)
  }

  /** The piece is consumed when this resolves. After a failure or rejection, abort it. */
  async write(piece: Uint8Array): Promise<Result<null>> {
    this.#bytes += piece.length
    if (this.#known !== null && this.#bytes > this.#known) return WRONG_LENGTH
    if (!this.#large && this.#bytes > this.#inlineMax) {
      const begun = await this.#begin(this.#known ?? this.#bytes)
      if (!begun.ok) return begun
      for (const before of this.#head) {
        const sent = await this.#send(before)
        if (!sent.ok) return sent
      }
      this.#head = []
    }
    if (this.#large) return this.#send(piece)
    this.#head.push(piece.slice())
    return ok(null)
  }

  async #begin(bytes: number): Promise<Result<null>> {
    const staged = await this.#to.stage(bytes)
    if (!staged.ok) return staged
    const { key, object } = staged.value
    const { bucket } = this.#to
    const begun = async (id: string): Promise<Result<null>> => this.#to.partsBegun(object, id)
    const upload =
      this.#known === null
        ? new GatheredUpload(bucket, key, this.#to.key, begun)
        : streamedUpload(bucket, key, this.#known)
    const digest = new crypto.DigestStream('SHA-256')
    digest.digest.catch(NOTHING)
    this.#large = { staged: staged.value, upload, digest, hash: digest.getWriter() }
    return ok(null)
  }

  async #send(piece: Uint8Array): Promise<Result<null>> {
    if (!this.#large) return ok(null)
    const { staged, upload, hash } = this.#large
    if (this.#bytes > staged.maxBytes)
      return fail(
        'too_large',
        `A file may have ${staged.maxBytes} bytes here; this one has more. Delete others, or send less.`,
      )
    const [written] = await Promise.all([upload.write(piece), hash.write(piece)])
    return written
  }

  /** All bytes have arrived. Rejects when the store fails. */
  async end(): Promise<Result<FileBody>> {
    const bytes = this.#bytes
    if (this.#known !== null && bytes !== this.#known) return WRONG_LENGTH
    if (!this.#large) {
      const data = joinBytes(this.#head)
      return ok({ sha256: await sha256Hex(data), bytes, data, object: null })
    }
    const { staged, upload, digest, hash } = this.#large
    await hash.close()
    const ended = await upload.end()
    if (!ended.ok) return ended
    const sha256 = hex(new Uint8Array(await digest.digest))
    return ok({ sha256, bytes, data: null, object: staged.object })
  }

  /** Leaves nothing but an address that the thread cleans up. Never rejects. */
  async abort(): Promise<void> {
    this.#head = []
    if (!this.#large) return
    const { upload, hash } = this.#large
    await hash.abort().catch(NOTHING)
    await upload.abort()
  }
}
