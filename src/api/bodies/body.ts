// Reads a request body once and counts its bytes. Never trusts Content-Length and never waits indefinitely.

import { joinBytes } from '../../lib/bytes.ts'
import { systemClock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { BODY_PART_BYTES, QUEUED_BODY_MIN_BYTES_PER_S } from '../../limits/skills.ts'
import {
  QUEUED_BODY_GRACE_MS,
  BODY_SILENCE_MAX_MS,
  BODY_DURATION_MAX_MS,
  BODY_WINDOW_MIN_BYTES,
} from './limits.ts'
import { invalidField } from '../problems/field-errors.ts'
import { BodyMemory } from './body-memory.ts'
import { BodyTimeout, type TimeoutRules } from './body-timeout.ts'
import { markUnfinished, senderOf } from '../admission/sender.ts'

export interface BodyRules extends TimeoutRules {
  /** The memory for all bodies that this isolate is reading. */
  readonly memory: BodyMemory
}

export const BODY_RULES: BodyRules = {
  silenceMaxMs: BODY_SILENCE_MAX_MS,
  durationMaxMs: BODY_DURATION_MAX_MS,
  windowMinBytes: BODY_WINDOW_MIN_BYTES,
  memory: new BodyMemory(systemClock),
}
const NOTHING = (): void => undefined
/** The `reportProgress` function for bodies that are read outside a queue. */
const NO_OTHERS_WAIT = (): boolean => true

/**
 * Reads the bytes of a body. Failures: `too_large` if more than `maxBytes` are announced or received; `too_slow`; `overloaded` if the
 * memory is full and this sender holds the most of it; `invalid_request` if the body ends early. `reportProgress` is called for each
 * chunk. It keeps the request's slot in a queue and returns true if no other request is waiting.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  reportProgress = NO_OTHERS_WAIT,
): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const parts = await readParts(request, maxBytes, reportProgress)
  return parts.ok ? ok(joinBytes(parts.value)) : parts
}

/** Like readBytes, but returns few large parts instead of joining them, so that a large body is not stored twice. */
export async function readParts(
  request: Request,
  maxBytes: number,
  reportProgress = NO_OTHERS_WAIT,
  rules = BODY_RULES,
): Promise<Result<readonly Uint8Array[]>> {
  if (announcedBytes(request) > maxBytes) return tooLarge(maxBytes)
  const reader = request.body?.getReader()
  if (!reader) return ok([])
  const sender = senderOf(request)
  const parts = new Parts()
  const timeout = new BodyTimeout(rules)
  const reservation = rules.memory.begin(sender, () => {
    // Frees the memory even if the request was cut off and no longer runs code.
    parts.clear()
    timeout.giveUp()
  })
  const startedAt = systemClock()
  const giveUp = (failure: Result<never>): Result<never> => {
    markUnfinished(sender)
    void reader.cancel().catch(NOTHING)
    return failure
  }
  try {
    for (;;) {
      if (!reservation.reserve(parts.heldBytes)) return giveUp(MEMORY_FULL)
      const read = await timeout.with(reader.read())
      if (read === 'late') return giveUp(reservation.reserve(parts.heldBytes) ? TOO_SLOW : MEMORY_FULL)
      if (read.done) return reservation.reserve(parts.heldBytes) ? ok(parts.all()) : giveUp(MEMORY_FULL)
      timeout.countBytes(read.value.byteLength)
      parts.add(read.value)
      if (parts.bytes > maxBytes) return giveUp(tooLarge(maxBytes))
      if (!reportProgress() && isSlowInQueue(parts.bytes, systemClock() - startedAt)) return giveUp(TOO_SLOW)
    }
  } catch {
    return giveUp(ENDED_EARLY)
  } finally {
    timeout.end()
    reservation.end()
  }
}

export const TOO_SLOW = fail(
  'too_slow',
  'The complete body did not arrive in time. Send it again over a faster connection or in smaller parts.',
)
export const MEMORY_FULL = fail(
  'overloaded',
  'Your requests use too much memory, and other requests need it. Send fewer requests at a time.',
  { retryAfterS: 2 },
)
export const ENDED_EARLY = invalidField(
  'body',
  'ended early',
  'The body ended before it was complete. Send it again.',
)

export function tooLarge(maxBytes: number): Result<never> {
  return fail(
    'too_large',
    `The body has more than ${maxBytes} bytes, which is the limit for this route. Send a smaller body.`,
  )
}

/** The number of bytes that Content-Length announces, or 0. The body may be larger. */
export function announcedBytes({ headers }: Request): number {
  return Number(headers.get('Content-Length') ?? 0) || 0
}

/** Whether a body is too slow while other requests are waiting in its queue. */
function isSlowInQueue(bytes: number, ms: number): boolean {
  return ms > QUEUED_BODY_GRACE_MS && bytes < (ms / 1000) * QUEUED_BODY_MIN_BYTES_PER_S
}

/**
 * Merges small chunks: a one-byte chunk arrives in a 4 KB buffer, so even a small body could exhaust an isolate's
 * memory.
 */
class Parts {
  bytes = 0
  #parts: Uint8Array[] = []
  #gathered = new Uint8Array()
  #filled = 0
  #heldInParts = 0

  /** The memory that the parts use, in bytes. */
  get heldBytes(): number {
    return this.#heldInParts + this.#gathered.byteLength
  }

  add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength
    if (this.#filled + chunk.byteLength > BODY_PART_BYTES) this.#flush()
    if (chunk.byteLength >= BODY_PART_BYTES) return this.#keep(chunk)
    const needed = this.#filled + chunk.byteLength
    if (needed > this.#gathered.byteLength) {
      const larger = new Uint8Array(Math.min(BODY_PART_BYTES, Math.max(2 * this.#filled, needed)))
      larger.set(this.#gathered.subarray(0, this.#filled))
      this.#gathered = larger
    }
    this.#gathered.set(chunk, this.#filled)
    this.#filled = needed
  }

  all(): readonly Uint8Array[] {
    this.#flush()
    return this.#parts
  }

  clear(): void {
    this.#parts = []
    this.#heldInParts = 0
    this.#gathered = new Uint8Array()
    this.#filled = 0
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part)
    this.#heldInParts += part.byteLength
  }

  #flush(): void {
    if (this.#filled > 0) this.#keep(this.#gathered.slice(0, this.#filled))
    this.#gathered = new Uint8Array()
    this.#filled = 0
  }
}
