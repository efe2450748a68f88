// Receives one file. A small file is collected in memory for the thread's rows. A large file is streamed to R2 and hashed meanwhile.

import { hex, joinBytes, sha256Hex } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { FILE_INLINE_MAX_BYTES } from '../../limits/files.ts'
import type { FileBody } from '../../agent/tool.ts'
import type { StagedFile } from '../../thread/files-api.ts'
import { GatheredUpload, streamedUpload, WRONG_LENGTH, type ObjectUpload } from './object-upload.ts'

const NOTHING = (): void => undefined

export interface Destination {
  readonly bucket: R2Bucket
  /** The key for which the upload waits in queues. */
  readonly key: string
  stage(bytes: number): Promise<Result<StagedFile>>
  /** Called before the first part is sent to the store. */
  onPartsStarted(object: number, upload: string): Promise<Result<null>>
}

interface Large {
  readonly staged: StagedFile
  readonly upload: ObjectUpload
  readonly digest: DigestStream
  readonly hash: WritableStreamDefaultWriter<Uint8Array>
}

export class IncomingFile {
  readonly #target: Destination
  /** The announced size in bytes, or null if it is unknown. */
  readonly #announcedBytes: number | null
  readonly #inlineMaxBytes: number
  #inlinePieces: Uint8Array[] = []
  #bytes = 0
  #large: Large | null = null

  constructor(target: Destination, announcedBytes: number | null, inlineMaxBytes = FILE_INLINE_MAX_BYTES) {
    this.#target = target
    this.#announcedBytes = announcedBytes
    this.#inlineMaxBytes = inlineMaxBytes
  }

  /** The memory that the file uses, in bytes. */
  get heldBytes(): number {
    return this.#large ? 0 : this.#bytes
  }

  /** If the announced size is large, asks the thread whether it accepts the file. Call this before reading. Fails as the thread does. */
  async announce(): Promise<Result<null>> {
    return this.#announcedBytes !== null && this.#announcedBytes > this.#inlineMaxBytes
      ? this.#begin(this.#announcedBytes)
      : ok(null)
  }

  /** Adds bytes, which may be overwritten once this resolves. After a failure or rejection, call `abort`. */
  async write(piece: Uint8Array): Promise<Result<null>> {
    this.#bytes += piece.length
    if (this.#announcedBytes !== null && this.#bytes > this.#announcedBytes) return WRONG_LENGTH
    if (!this.#large && this.#bytes > this.#inlineMaxBytes) {
      const started = await this.#begin(this.#announcedBytes ?? this.#bytes)
      if (!started.ok) return started
      for (const inlinePiece of this.#inlinePieces) {
        const sent = await this.#send(inlinePiece)
        if (!sent.ok) return sent
      }
      this.#inlinePieces = []
    }
    if (this.#large) return this.#send(piece)
    this.#inlinePieces.push(piece.slice())
    return ok(null)
  }

  async #begin(bytes: number): Promise<Result<null>> {
    const staged = await this.#target.stage(bytes)
    if (!staged.ok) return staged
    const { key, object } = staged.value
    const { bucket } = this.#target
    const started = async (id: string): Promise<Result<null>> => this.#target.onPartsStarted(object, id)
    const upload =
      this.#announcedBytes === null
        ? new GatheredUpload(bucket, key, this.#target.key, started)
        : streamedUpload(bucket, key, this.#announcedBytes)
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
        `The file has more than ${staged.maxBytes} bytes, which is the space left for it in this thread. Delete other files, or send a smaller file.`,
      )
    const [written] = await Promise.all([upload.write(piece), hash.write(piece)])
    return written
  }

  /** Completes the file after all bytes have arrived. Rejects if the store fails. */
  async end(): Promise<Result<FileBody>> {
    const bytes = this.#bytes
    if (this.#announcedBytes !== null && bytes !== this.#announcedBytes) return WRONG_LENGTH
    if (!this.#large) {
      const data = joinBytes(this.#inlinePieces)
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
    this.#inlinePieces = []
    if (!this.#large) return
    const { upload, hash } = this.#large
    await hash.abort().catch(NOTHING)
    await upload.abort()
  }
}
