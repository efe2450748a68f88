// Receives one file. A small file is collected in memory for the thread's rows; a large one is streamed to R2 and hashed meanwhile.

import { hex, joinBytes, sha256Hex } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { FILE_INLINE_MAX_BYTES } from '../../limits/files.ts'
import type { FileBody } from '../../agent/tool.ts'
import type { StagedFile } from '../../thread/api.ts'
import { GatheredUpload, streamedUpload, WRONG_LENGTH, type ObjectUpload } from './object-upload.ts'

const NOTHING = (): void => undefined

export interface Destination {
  readonly bucket: R2Bucket
  /** The key for which the upload waits in queues. */
  readonly key: string
  stage(bytes: number): Promise<Result<StagedFile>>
  /** Called before the first part is sent to the store. */
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
  /** The announced size in bytes, or null if it is unknown. */
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

  /** The memory that the file uses, in bytes. */
  get held(): number {
    return this.#large ? 0 : this.#bytes
  }

  /** Asks the thread whether it accepts the announced size, if that is large. Call this before reading. Fails as the thread does. */
  async announce(): Promise<Result<null>> {
    return this.#known !== null && this.#known > this.#inlineMax ? this.#begin(this.#known) : ok(null)
  }

  /** Adds bytes, which may be overwritten once this resolves. After a failure or rejection, call `abort`. */
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
        `The file has more than ${staged.maxBytes} bytes, which is the space left for it in this thread. Delete other files, or send a smaller one.`,
      )
    const [written] = await Promise.all([upload.write(piece), hash.write(piece)])
    return written
  }

  /** Completes the file after all bytes have arrived. Rejects if the store fails. */
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

  /** Discards the file. Only the staged object remains, which the thread cleans up. Never rejects. */
  async abort(): Promise<void> {
    this.#head = []
    if (!this.#large) return
    const { upload, hash } = this.#large
    await hash.abort().catch(NOTHING)
    await upload.abort()
  }
}
