// Who was refused a moment ago is refused again without a look, for a while. Remembers a bounded number of them.

import type { Clock } from '../lib/clock.ts'
import { RATE_BLOCK_MS, RATE_BLOCKED_KEYS } from '../limits.ts'

export class Blocked {
  readonly #since = new Map<string, number>()

  has(key: string, now: Clock): boolean {
    const since = this.#since.get(key)
    if (since === undefined) return false
    // Whichever way the clock was put meanwhile.
    if (Math.abs(now() - since) < RATE_BLOCK_MS) return true
    this.#since.delete(key)
    return false
  }

  add(key: string, now: Clock): void {
    if (this.#since.size >= RATE_BLOCKED_KEYS) this.#since.delete(this.#since.keys().next().value ?? '')
    this.#since.set(key, now())
  }
}
