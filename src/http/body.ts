// Reads a request's body once, counting bytes; never trusts Content-Length, and never waits without end.

import { joinBytes } from '../lib/bytes.ts'
import { systemClock } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { BODY_PART_BYTES, BODY_SILENT_MS, BODY_TOTAL_MS } from '../limits.ts'
import { Intake } from './intake.ts'
import { Patience, type PatienceRules } from './patience.ts'

export interface BodyRules extends PatienceRules {
  /** What all requests of this isolate are reading. */
  readonly intake: Intake
}

export const BODY_RULES: BodyRules = {
  silentMs: BODY_SILENT_MS,
  totalMs: BODY_TOTAL_MS,
  intake: new Intake(systemClock),
}
const NOTHING = (): void => undefined

/**
 * The body's bytes. Failures: `too_large` as soon as there are more than `maxBytes`, `too_slow`, `overloaded` while others
 * send much. `alive` is called with each part: whoever holds a place for this request knows that it goes on.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  alive = NOTHING,
): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const parts = await readParts(request, maxBytes, alive)
  return parts.ok ? ok(joinBytes(parts.value)) : parts
}

/** The same in few parts, however it came: a large body is not held twice. */
export async function readParts(
  request: Request,
  maxBytes: number,
  alive = NOTHING,
  rules = BODY_RULES,
): Promise<Result<readonly Uint8Array[]>> {
  const reader = request.body?.getReader()
  if (!reader) return ok([])
  const parts = new Parts()
  const coming = rules.intake.begin()
  const patience = new Patience(rules)
  const given = (why: Result<never>): Result<never> => {
    void reader.cancel().catch(NOTHING)
    return why
  }
  try {
    for (;;) {
      const read = await patience.with(reader.read())
      if (read === 'late') return given(TOO_SLOW)
      if (read.done) return ok(parts.all())
      patience.heard()
      alive()
      parts.add(read.value)
      if (parts.bytes > maxBytes) return given(tooLarge(maxBytes))
      if (!coming.has(parts.bytes)) return given(CROWDED)
    }
  } finally {
    patience.end()
    coming.end()
  }
}

export const TOO_SLOW = fail(
  'too_slow',
  'The body did not come to its end in time. Send it again, faster or in less.',
)
export const CROWDED = fail('overloaded', 'Others are sending much at the moment. Try again.', {
  retryAfterS: 2,
})

export function tooLarge(maxBytes: number): Result<never> {
  return fail('too_large', `The body has more than ${maxBytes} bytes, the most this route takes. Send less.`)
}

/** Few parts: a chunk of one byte comes in a buffer of 4 KB; kept as they come, such chunks fill an isolate with a small body. */
class Parts {
  bytes = 0
  readonly #parts: Uint8Array[] = []
  #gathered = new Uint8Array()
  #filled = 0

  add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength
    if (this.#filled + chunk.byteLength > this.#gathered.byteLength) this.#flush()
    if (chunk.byteLength >= BODY_PART_BYTES) this.#parts.push(chunk)
    else {
      if (this.#filled === 0) this.#gathered = new Uint8Array(BODY_PART_BYTES)
      this.#gathered.set(chunk, this.#filled)
      this.#filled += chunk.byteLength
    }
  }

  all(): readonly Uint8Array[] {
    this.#flush()
    return this.#parts
  }

  #flush(): void {
    if (this.#filled > 0) this.#parts.push(this.#gathered.slice(0, this.#filled))
    this.#gathered = new Uint8Array()
    this.#filled = 0
  }
}
