// Reads a body in blocks through two alternating buffers: memory stays constant, however many bytes come and however small the
// pieces.

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
  /**
   * Reads into a caller's buffer from `at` and detaches it; the result has a replacement. Otherwise each piece has its own
   * buffer.
   */
  readonly fills: boolean
  read(buffer: ArrayBuffer, at: number): Promise<Piece>
  cancel(): Promise<unknown>
}

const EMPTY: Source = { fills: false, read: async () => ({ done: true }), cancel: async () => undefined }

export class BodyBlocks {
  readonly #max: number
  readonly #sender: Sender
  readonly #coming: BodyReservation
  readonly #timeout: BodyTimeout
  readonly #source: Source
  /** The first one is filled next. A parser may still use the other's block. */
  #buffers: readonly [ArrayBuffer, ArrayBuffer] = [new ArrayBuffer(BODY_PART_BYTES), new ArrayBuffer(0)]
  #rest: Uint8Array = new Uint8Array()
  #bytes = 0
  #ended = false

  /** `maxBytes`: of the whole body. Close it after use. */
  constructor(request: Request, maxBytes: number, rules: BodyRules = BODY_RULES) {
    this.#max = maxBytes
    this.#sender = senderOf(request)
    this.#timeout = new BodyTimeout(rules)
    this.#coming = rules.memory.begin(this.#sender, () => this.#timeout.giveUp())
    this.#source = request.body ? sourceOf(request.body) : EMPTY
  }

  /**
   * The next block, null at the end: BODY_PART_BYTES, the last one shorter. It is valid until the block after the next is
   * requested. `held`: other memory used for this body (bytes). Failures: `too_large`, `too_slow`, `overloaded`,
   * `invalid_request` for a body that broke off.
   */
  async next(held = 0): Promise<Result<Uint8Array | null>> {
    this.#timeout.busy(false)
    const block = await this.#read(held)
    this.#timeout.busy(true)
    if (!block.ok) markUnfinished(this.#sender)
    return block
  }

  /** The result of a block. A body too slow for the waiting requests counts as unfinished. */
  counted<T>(taken: Result<T>): Result<T> {
    if (!taken.ok && taken.error.code === 'too_slow') markUnfinished(this.#sender)
    return taken
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
    return this.#coming.has(held + buffers * BODY_PART_BYTES)
  }

  async #fill(held: number): Promise<Result<Uint8Array | null>> {
    const [mine, other] = this.#buffers
    let buffer = mine.byteLength === BODY_PART_BYTES ? mine : new ArrayBuffer(BODY_PART_BYTES)
    let filled = 0
    while (filled < BODY_PART_BYTES) {
      if (this.#rest.length > 0) {
        const some = this.#rest.subarray(0, BODY_PART_BYTES - filled)
        new Uint8Array(buffer).set(some, filled)
        this.#rest = this.#rest.subarray(some.length)
        filled += some.length
        continue
      }
      if (this.#ended) break
      const read = await this.#timeout.with(this.#source.read(buffer, filled))
      if (read === 'late') return this.#hasRoom(held) ? TOO_SLOW : CROWDED
      this.#ended = read.done
      const { value } = read
      if (this.#source.fills) {
        // Without it, the bytes read before are lost too.
        if (!value) return BROKEN_OFF
        buffer = value.buffer
        filled += value.length
      } else this.#rest = value ?? this.#rest
      this.#timeout.heard(value?.length ?? 0)
      this.#bytes += value?.length ?? 0
      if (this.#bytes > this.#max) return tooLarge(this.#max)
      if (!this.#hasRoom(held)) return CROWDED
    }
    this.#buffers = [other, buffer]
    return ok(filled === 0 ? null : new Uint8Array(buffer, 0, filled))
  }

  /** Stops reading, and tells the sender that the rest is not wanted. */
  close(): void {
    this.#timeout.end()
    this.#coming.end()
    if (!this.#ended) void this.#source.cancel().catch(NOTHING)
  }
}

/** A network body fills our buffers; one created by a script brings its own. */
function sourceOf(body: ReadableStream<Uint8Array>): Source {
  try {
    const reader = body.getReader({ mode: 'byob' })
    return {
      fills: true,
      read: async (buffer, at) => reader.read(new Uint8Array(buffer, at)),
      cancel: async () => reader.cancel(),
    }
  } catch {
    const reader = body.getReader()
    return {
      fills: false,
      // The wider type allows shared memory, which body chunks never use.
      read: async () => reader.read() as Promise<Piece>,
      cancel: async () => reader.cancel(),
    }
  }
}
