// Uploads one object to R2. The object appears once its last byte has arrived, and never appears if the upload is aborted.

import { fail, ok, type Result } from '../../lib/result.ts'
import { TOO_SLOW } from '../bodies/body.ts'
import { invalidField } from '../problems/field-errors.ts'
import { holdPart, type HeldPart } from './part-queue.ts'

const NOTHING = (): void => undefined

/** An upload. `write` resolves once the piece is consumed. Both `write` and `end` reject if the store fails. */
export interface ObjectUpload {
  write(piece: Uint8Array): Promise<Result<null>>
  end(): Promise<Result<null>>
  /** Never rejects. */
  abort(): Promise<void>
}

export const WRONG_LENGTH = invalidField(
  'Content-Length',
  'does not match the body',
  'The size of the body does not match its Content-Length. Send it again.',
)

const NOT_ACCEPTED = fail('overloaded', 'The storage did not accept the file. Send it again.', {
  retryAfterS: 2,
})

/** An upload of announced size, which is streamed without buffering. Fails for any other number of bytes. */
export function streamedUpload(bucket: R2Bucket, key: string, bytes: number): ObjectUpload {
  const { readable, writable } = new FixedLengthStream(bytes)
  const writer = writable.getWriter()
  writer.closed.catch(NOTHING)
  writer.ready.catch(NOTHING)
  const put = bucket.put(key, readable)
  // If the store fails early, the writer may wait forever, so the failure rejects the current wait.
  let rejectWait: (error: unknown) => void = NOTHING
  let isBroken = false
  put.catch((error: unknown) => {
    isBroken = true
    rejectWait(error)
  })
  const rejectIfBroken = async (work: Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      rejectWait = reject
      work.then(resolve, reject)
      if (isBroken) put.catch(reject)
    })
  let remaining = bytes
  return {
    write: async (piece) => {
      remaining -= piece.length
      if (remaining < 0) return WRONG_LENGTH
      await rejectIfBroken(writer.write(piece))
      return ok(null)
    },
    end: async () => {
      if (remaining !== 0) return WRONG_LENGTH
      await rejectIfBroken(writer.close())
      return (await put)?.size === bytes ? ok(null) : NOT_ACCEPTED
    },
    abort: async () => {
      await writer.abort().catch(NOTHING)
      await put.catch(NOTHING)
    },
  }
}

/**
 * An upload of unknown size, which buffers parts. It waits for part buffers in the queue of `queueKey`. `onStarted` is called with the
 * upload's id before the first part is sent, so that the upload can be aborted even if this caller is cut off.
 */
export class GatheredUpload implements ObjectUpload {
  readonly #bucket: R2Bucket
  readonly #objectKey: string
  readonly #queueKey: string
  readonly #onStarted: (upload: string) => Promise<Result<null>>
  #upload: R2MultipartUpload | null = null
  readonly #uploadedParts: R2UploadedPart[] = []
  #part: HeldPart | null = null

  constructor(
    bucket: R2Bucket,
    objectKey: string,
    key: string,
    onStarted: (upload: string) => Promise<Result<null>>,
  ) {
    this.#bucket = bucket
    this.#objectKey = objectKey
    this.#queueKey = key
    this.#onStarted = onStarted
  }

  async write(piece: Uint8Array): Promise<Result<null>> {
    for (let offset = 0; offset < piece.length;) {
      // A full part is sent only when more bytes follow, because the last part is sent by `end`.
      if (this.#part?.freeBytes === 0) {
        const sent = await this.#send(this.#part)
        if (!sent.ok) return sent
      }
      if (!this.#part) {
        const held = await holdPart(this.#queueKey)
        if (!held.ok) return held
        this.#part = held.value
      }
      const added = this.#part.add(piece.subarray(offset))
      if (added === null) return TOO_SLOW
      offset += added
    }
    return ok(null)
  }

  async #send(part: HeldPart): Promise<Result<null>> {
    const bytes = part.complete()
    if (!bytes) return TOO_SLOW
    if (!this.#upload) {
      this.#upload = await this.#bucket.createMultipartUpload(this.#objectKey)
      const onStarted = await this.#onStarted(this.#upload.uploadId)
      if (!onStarted.ok) return onStarted
    }
    this.#uploadedParts.push(await this.#upload.uploadPart(this.#uploadedParts.length + 1, bytes))
    this.#release()
    return ok(null)
  }

  async end(): Promise<Result<null>> {
    const part = this.#part
    if (part && !this.#upload) {
      const bytes = part.complete()
      if (!bytes) return TOO_SLOW
      await this.#bucket.put(this.#objectKey, bytes)
    } else if (part) {
      const sent = await this.#send(part)
      if (!sent.ok) return sent
    }
    this.#release()
    await this.#upload?.complete(this.#uploadedParts)
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
