// Reads a body in blocks through two alternating buffers, so that memory use is constant for any number and size of chunks.

import { ok, type Result } from '../../lib/result.ts'
import { BODY_PART_BYTES } from '../../limits/skills.ts'
import { BODY_RULES, BROKEN_OFF, CROWDED, TOO_SLOW, tooLarge, type BodyRules } from '../bodies/body.ts'
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
  readonly fills: boolean
  /** Reads into `buffer` from `offset`, and detaches the buffer, if `fills` is true. */
  read(buffer: ArrayBuffer, offset: number): Promise<Piece>
  cancel(): Promise<unknown>
}

const EMPTY: Source = { fills: false, read: async () => ({ done: true }), cancel: async () => undefined }

export class BodyBlocks {
  readonly #max: number
  readonly #sender: Sender
  readonly #reservation: BodyReservation
  readonly #timeout: BodyTimeout
  readonly #source: Source
  /** The first buffer is filled next. A parser may still be using the block in the other one. */
  #buffers: readonly [ArrayBuffer, ArrayBuffer] = [new ArrayBuffer(BODY_PART_BYTES), new ArrayBuffer(0)]
  #unread: Uint8Array = new Uint8Array()
  #bytes = 0
  #ended = false

  /** `maxBytes` limits the complete body. Call `close` after use. */
  constructor(request: Request, maxBytes: number, rules: BodyRules = BODY_RULES) {
    this.#max = maxBytes
    this.#sender = senderOf(request)
    this.#timeout = new BodyTimeout(rules)
    this.#reservation = rules.memory.begin(this.#sender, () => this.#timeout.giveUp())
    this.#source = request.body ? sourceOf(request.body) : EMPTY
  }

  /**
   * Reads the next block, or null at the end. All blocks except the last one have BODY_PART_BYTES. A block is valid until the second
   * call after it. `held` is other memory used for this body, in bytes. Failures: `too_large`, `too_slow`, `overloaded`, and
   * `invalid_request` if the body ended early.
   */
  async next(held = 0): Promise<Result<Uint8Array | null>> {
    this.#timeout.busy(false)
    const block = await this.#read(held)
    this.#timeout.busy(true)
    if (!block.ok) markUnfinished(this.#sender)
    return block
  }

  /** Pass the result of processing a block through this. A body that was too slow then counts as unfinished. */
  counted<T>(result: Result<T>): Result<T> {
    if (!result.ok && result.error.code === 'too_slow') markUnfinished(this.#sender)
    return result
  }

  async #read(held: number): Promise<Result<Uint8Array | null>> {
    try {
      return this.#hasRoom(held) ? await this.#fill(held) : CROWDED
    } catch {
      return BROKEN_OFF
    }
  }

  #hasRoom(held: number): boolean {
    const buffers = this.#bytes > BODY_PART_BYTES ? 2 : 1
    return this.#reservation.has(held + buffers * BODY_PART_BYTES)
  }

  async #fill(held: number): Promise<Result<Uint8Array | null>> {
    const [free, used] = this.#buffers
    let buffer = free.byteLength === BODY_PART_BYTES ? free : new ArrayBuffer(BODY_PART_BYTES)
    let filled = 0
    while (filled < BODY_PART_BYTES) {
      if (this.#unread.length > 0) {
        const bytes = this.#unread.subarray(0, BODY_PART_BYTES - filled)
        new Uint8Array(buffer).set(bytes, filled)
        this.#unread = this.#unread.subarray(bytes.length)
        filled += bytes.length
        continue
      }
      if (this.#ended) break
      const read = await this.#timeout.with(this.#source.read(buffer, filled))
      if (read === 'late') return this.#hasRoom(held) ? TOO_SLOW : CROWDED
      this.#ended = read.done
      const { value } = read
      if (this.#source.fills) {
        // Without a replacement, the bytes that were already read into the buffer are lost too.
        if (!value) return BROKEN_OFF
        buffer = value.buffer
        filled += value.length
      } else this.#unread = value ?? this.#unread
      this.#timeout.heard(value?.length ?? 0)
      this.#bytes += value?.length ?? 0
      if (this.#bytes > this.#max) return tooLarge(this.#max)
      if (!this.#hasRoom(held)) return CROWDED
    }
    this.#buffers = [used, buffer]
    return ok(filled === 0 ? null : new Uint8Array(buffer, 0, filled))
  }

  /** Stops reading, and cancels the body if it has not ended. */
  close(): void {
    this.#timeout.end()
    this.#reservation.end()
    if (!this.#ended) void this.#source.cancel().catch(NOTHING)
  }
}

/** A body from the network fills our buffers. A body that was created by a script provides its own buffers. */
function sourceOf(body: ReadableStream<Uint8Array>): Source {
  try {
    const reader = body.getReader({ mode: 'byob' })
    return {
      fills: true,
      read: async (buffer, offset) => reader.read(new Uint8Array(buffer, offset)),
      cancel: async () => reader.cancel(),
    }
  } catch {
    const reader = body.getReader()
    return {
      fills: false,
      // The cast is safe: the wider type allows shared memory, which body chunks never use.
      read: async () => reader.read() as Promise<Piece>,
      cancel: async () => reader.cancel(),
    }
  }
}
