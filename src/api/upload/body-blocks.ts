// Reads a body in blocks through two alternating buffers, so that memory use is constant for any number and size of chunks.

import { ok, type Result } from '../../lib/result.ts'
import { BODY_PART_BYTES } from '../../limits/skills.ts'
import { BODY_RULES, ENDED_EARLY, MEMORY_FULL, TOO_SLOW, tooLarge, type BodyRules } from '../bodies/body.ts'
import type { BodyReservation } from '../bodies/body-memory.ts'
import { BodyTimeout } from '../bodies/body-timeout.ts'
import { markUnfinished, senderOf, type Sender } from '../admission/sender.ts'

const NOTHING = (): void => undefined

interface Piece {
  readonly done: boolean
  readonly value?: Uint8Array<ArrayBuffer> | undefined
}

interface Source {
  /** Whether `read` fills the caller's buffer and returns a replacement for it, instead of returning a new buffer. */
  readonly fillsBuffer: boolean
  /** If `fillsBuffer` is true, reads into `buffer` from `offset`, and detaches the buffer. */
  read(buffer: ArrayBuffer, offset: number): Promise<Piece>
  cancel(): Promise<unknown>
}

const EMPTY: Source = {
  fillsBuffer: false,
  read: async () => ({ done: true }),
  cancel: async () => undefined,
}

export class BodyBlocks {
  readonly #max: number
  readonly #sender: Sender
  readonly #reservation: BodyReservation
  readonly #timeout: BodyTimeout
  readonly #source: Source
  /** The first buffer is filled next. A parser may still be using the block in the other one. */
  #buffers: readonly [ArrayBuffer, ArrayBuffer] = [new ArrayBuffer(BODY_PART_BYTES), new ArrayBuffer(0)]
  #unreadBytes: Uint8Array = new Uint8Array()
  #bytes = 0
  #hasEnded = false

  /** `maxBytes` limits the entire body. Call `close` after use. */
  constructor(request: Request, maxBytes: number, rules: BodyRules = BODY_RULES) {
    this.#max = maxBytes
    this.#sender = senderOf(request)
    this.#timeout = new BodyTimeout(rules)
    this.#reservation = rules.memory.begin(this.#sender, () => this.#timeout.giveUp())
    this.#source = request.body ? sourceOf(request.body) : EMPTY
  }

  /**
   * Reads the next block, or null at the end. All blocks except the last one have BODY_PART_BYTES. A block is
   * valid until the second call after it. `otherHeldBytes` is the other memory used for this body. Failures:
   * `too_large`, `too_slow`, `overloaded`, and `invalid_request` if the body ended early.
   */
  async next(otherHeldBytes = 0): Promise<Result<Uint8Array | null>> {
    this.#timeout.setProcessing(false)
    const block = await this.#read(otherHeldBytes)
    this.#timeout.setProcessing(true)
    if (!block.ok) markUnfinished(this.#sender)
    return block
  }

  /** Marks the body as unfinished if processing a block failed because the body was too slow. Returns the result unchanged. */
  markIfTooSlow<T>(result: Result<T>): Result<T> {
    if (!result.ok && result.error.code === 'too_slow') markUnfinished(this.#sender)
    return result
  }

  async #read(otherHeldBytes: number): Promise<Result<Uint8Array | null>> {
    try {
      return this.#reserveMemory(otherHeldBytes) ? await this.#fill(otherHeldBytes) : MEMORY_FULL
    } catch {
      return ENDED_EARLY
    }
  }

  #reserveMemory(otherHeldBytes: number): boolean {
    const buffers = this.#bytes > BODY_PART_BYTES ? 2 : 1
    return this.#reservation.reserve(otherHeldBytes + buffers * BODY_PART_BYTES)
  }

  async #fill(otherHeldBytes: number): Promise<Result<Uint8Array | null>> {
    const [free, used] = this.#buffers
    let buffer = free.byteLength === BODY_PART_BYTES ? free : new ArrayBuffer(BODY_PART_BYTES)
    let filledBytes = 0
    while (filledBytes < BODY_PART_BYTES) {
      if (this.#unreadBytes.length > 0) {
        const bytes = this.#unreadBytes.subarray(0, BODY_PART_BYTES - filledBytes)
        new Uint8Array(buffer).set(bytes, filledBytes)
        this.#unreadBytes = this.#unreadBytes.subarray(bytes.length)
        filledBytes += bytes.length
        continue
      }
      if (this.#hasEnded) break
      const read = await this.#timeout.with(this.#source.read(buffer, filledBytes))
      if (read === 'late') return this.#reserveMemory(otherHeldBytes) ? TOO_SLOW : MEMORY_FULL
      this.#hasEnded = read.done
      const { value } = read
      if (this.#source.fillsBuffer) {
        // Without a replacement, the bytes that were already read into the buffer are lost too.
        if (!value) return ENDED_EARLY
        buffer = value.buffer
        filledBytes += value.length
      } else this.#unreadBytes = value ?? this.#unreadBytes
      this.#timeout.countBytes(value?.length ?? 0)
      this.#bytes += value?.length ?? 0
      if (this.#bytes > this.#max) return tooLarge(this.#max)
      if (!this.#reserveMemory(otherHeldBytes)) return MEMORY_FULL
    }
    this.#buffers = [used, buffer]
    return ok(filledBytes === 0 ? null : new Uint8Array(buffer, 0, filledBytes))
  }

  /** Stops reading, and cancels the body if it has not ended. */
  close(): void {
    this.#timeout.end()
    this.#reservation.end()
    if (!this.#hasEnded) void this.#source.cancel().catch(NOTHING)
  }
}

/** A body from the network fills our buffers. A body that was created by a script provides its own buffers. */
function sourceOf(body: ReadableStream<Uint8Array>): Source {
  try {
    const reader = body.getReader({ mode: 'byob' })
    return {
      fillsBuffer: true,
      read: async (buffer, offset) => reader.read(new Uint8Array(buffer, offset)),
      cancel: async () => reader.cancel(),
    }
  } catch {
    const reader = body.getReader()
    return {
      fillsBuffer: false,
      // The cast is safe: the wider type allows shared memory, which body chunks never use.
      read: async () => reader.read() as Promise<Piece>,
      cancel: async () => reader.cancel(),
    }
  }
}
