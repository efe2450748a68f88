// Uploads one object to R2. An object appears when its last byte has arrived; an aborted one never does.

import { fail, ok, type Result } from '../../lib/result.ts'
import { TOO_SLOW } from '../bodies/body.ts'
import { invalidField } from '../problems/field-errors.ts'
import { holdPart, type HeldPart } from './part-queue.ts'

const NOTHING = (): void => undefined

/** `write` resolves when a piece is consumed. It rejects, like `end`, when the store fails. */
export interface ObjectUpload {
  write(piece: Uint8Array): Promise<Result<null>>
  end(): Promise<Result<null>>
  /** Never rejects. */
  abort(): Promise<void>
}

export const WRONG_LENGTH = invalidField(
  'Content-Length',
  'does not match the body',
  'The length of the body differs from Content-Length. Send it again.',
)

const NOT_TAKEN = fail('overloaded', 'The store did not accept the bytes. Send them again.', {
  retryAfterS: 2,
})

/** For an announced size: streams without buffering. Fails for any other number of bytes. */
export function streamedUpload(bucket: R2Bucket, key: string, bytes: number): ObjectUpload {
  const { readable, writable } = new FixedLengthStream(bytes)
  const writer = writable.getWriter()
  writer.closed.catch(NOTHING)
  writer.ready.catch(NOTHING)
  const put = bucket.put(key, readable)
  // A store that fails early may leave the writer waiting, so the failure rejects the current wait.
  let failed: (error: unknown) => void = NOTHING
  let isBroken = false
  put.catch((error: unknown) => {
    isBroken = true
    failed(error)
  })
  const orFailed = async (work: Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      failed = reject
      work.then(resolve, reject)
      if (isBroken) put.catch(reject)
    })
  let left = bytes
  return {
    write: async (piece) => {
      left -= piece.length
      if (left < 0) return WRONG_LENGTH
      await orFailed(writer.write(piece))
      return ok(null)
    },
    end: async () => {
      if (left !== 0) return WRONG_LENGTH
      await orFailed(writer.close())
      return (await put)?.size === bytes ? ok(null) : NOT_TAKEN
    },
    abort: async () => {
      await writer.abort().catch(NOTHING)
      await put.catch(NOTHING)
    },
  }
}

/**
 * For an unknown size: buffers parts. `key`: whose turn it is in the queue for part buffers. `begun` gets the upload before its
 * first part is sent, because a caller that is cut off cannot even call `abort`.
 */
export class GatheredUpload implements ObjectUpload {
  readonly #bucket: R2Bucket
  readonly #name: string
  readonly #key: string
  readonly #begun: (upload: string) => Promise<Result<null>>
  #upload: R2MultipartUpload | null = null
  readonly #done: R2UploadedPart[] = []
  #part: HeldPart | null = null

  constructor(bucket: R2Bucket, name: string, key: string, begun: (upload: string) => Promise<Result<null>>) {
    this.#bucket = bucket
    this.#name = name
    this.#key = key
    this.#begun = begun
  }

  async write(piece: Uint8Array): Promise<Result<null>> {
    for (let at = 0; at < piece.length;) {
      // Only when more follows: a part that is exactly full at the end is the last one.
      if (this.#part?.room === 0) {
        const sent = await this.#send(this.#part)
        if (!sent.ok) return sent
      }
      if (!this.#part) {
        const held = await holdPart(this.#key)
        if (!held.ok) return held
        this.#part = held.value
      }
      const taken = this.#part.add(piece.subarray(at))
      if (taken === null) return TOO_SLOW
      at += taken
    }
    return ok(null)
  }

  async #send(part: HeldPart): Promise<Result<null>> {
    const bytes = part.whole()
    if (!bytes) return TOO_SLOW
    if (!this.#upload) {
      this.#upload = await this.#bucket.createMultipartUpload(this.#name)
      const begun = await this.#begun(this.#upload.uploadId)
      if (!begun.ok) return begun
    }
    this.#done.push(await this.#upload.uploadPart(this.#done.length + 1, bytes))
    this.#release()
    return ok(null)
  }

  async end(): Promise<Result<null>> {
    const part = this.#part
    if (part && !this.#upload) {
      const bytes = part.whole()
      if (!bytes) return TOO_SLOW
      await this.#bucket.put(this.#name, bytes)
    } else if (part) {
      const sent = await this.#send(part)
      if (!sent.ok) return sent
    }
    this.#release()
    await this.#upload?.complete(this.#done)
    return ok(null)
  }

  async abort(): Promise<void> {
    this.#release()
    await this.#upload?.abort().catch(NOTHING)
  }

  #release(): void {
    this.#part?.release()
    this.#part = null
  }
}
