// Reads a request's body once, counting bytes. Never trusts Content-Length and never waits without a limit.

import { joinBytes } from '../../lib/bytes.ts'
import { systemClock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { BODY_PART_BYTES, BODY_QUEUED_PACE_BYTES_S } from '../../limits/skills.ts'
import { BODY_QUEUED_MS, BODY_SILENT_MS, BODY_TOTAL_MS, BODY_WINDOW_BYTES } from './limits.ts'
import { invalidField } from '../problems/field-errors.ts'
import { Intake } from './intake.ts'
import { BodyTimeout, type TimeoutRules } from './body-timeout.ts'
import { didNotEnd, senderOf } from '../admission/sender.ts'

export interface BodyRules extends TimeoutRules {
  /** The bodies that this isolate is reading. */
  readonly intake: Intake
}

export const BODY_RULES: BodyRules = {
  silentMs: BODY_SILENT_MS,
  totalMs: BODY_TOTAL_MS,
  windowBytes: BODY_WINDOW_BYTES,
  intake: new Intake(systemClock),
}
const NOTHING = (): void => undefined
/** For bodies read outside any queue. */
const ALONE = (): boolean => true

/**
 * The body's bytes. Failures: `too_large` for more than `maxBytes`, announced or received; `too_slow`; `overloaded` while this
 * sender holds the most of a full memory; `invalid_request` for a body that broke off. `alive` is called with each part: it
 * keeps the request's slot in a queue and returns whether nobody waits.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  alive = ALONE,
): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const parts = await readParts(request, maxBytes, alive)
  return parts.ok ? ok(joinBytes(parts.value)) : parts
}

/** The same in few parts, however it arrived: a large body is not stored twice. */
export async function readParts(
  request: Request,
  maxBytes: number,
  alive = ALONE,
  rules = BODY_RULES,
): Promise<Result<readonly Uint8Array[]>> {
  if (announcedBytes(request) > maxBytes) return tooLarge(maxBytes)
  const reader = request.body?.getReader()
  if (!reader) return ok([])
  const sender = senderOf(request)
  const parts = new Parts()
  const timeout = new BodyTimeout(rules)
  const coming = rules.intake.begin(sender, () => {
    // Frees the memory even if the request was cut off and runs no more code.
    parts.clear()
    timeout.giveUp()
  })
  const began = systemClock()
  const given = (why: Result<never>): Result<never> => {
    didNotEnd(sender)
    void reader.cancel().catch(NOTHING)
    return why
  }
  try {
    for (;;) {
      if (!coming.has(parts.held)) return given(CROWDED)
      const read = await timeout.with(reader.read())
      if (read === 'late') return given(coming.has(parts.held) ? TOO_SLOW : CROWDED)
      if (read.done) return coming.has(parts.held) ? ok(parts.all()) : given(CROWDED)
      timeout.heard(read.value.byteLength)
      parts.add(read.value)
      if (parts.bytes > maxBytes) return given(tooLarge(maxBytes))
      if (!alive() && isSlowInQueue(parts.bytes, systemClock() - began)) return given(TOO_SLOW)
    }
  } catch {
    return given(BROKEN_OFF)
  } finally {
    timeout.end()
    coming.end()
  }
}

export const TOO_SLOW = fail(
  'too_slow',
  'The body did not arrive completely in time. Send it again, faster or in smaller parts.',
)
export const CROWDED = fail(
  'overloaded',
  'Your requests hold too many bytes in memory at once, and others need the memory. Send fewer at a time.',
  { retryAfterS: 2 },
)
export const BROKEN_OFF = invalidField(
  'body',
  'broke off',
  'The body broke off before its end. Send it again.',
)

export function tooLarge(maxBytes: number): Result<never> {
  return fail('too_large', `The body has more than ${maxBytes} bytes, the limit of this route. Send less.`)
}

/** The bytes that Content-Length announces, or 0. More may arrive. */
export function announcedBytes({ headers }: Request): number {
  return Number(headers.get('Content-Length') ?? 0) || 0
}

/** Whether a body delays the requests behind it in the queue. */
function isSlowInQueue(bytes: number, ms: number): boolean {
  return ms > BODY_QUEUED_MS && bytes < (ms / 1000) * BODY_QUEUED_PACE_BYTES_S
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

  /** The memory they use (bytes). */
  get held(): number {
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
