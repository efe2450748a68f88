// What could not be packed, as an isolate remembers it across catalog versions, so that nobody has it tried over and over.

import type { Clock } from '../../lib/clock.ts'
import { SHARE_UNFIT_KEPT, SHARE_UNFIT_MS } from '../../limits.ts'
import type { VersionName } from '../catalog/api.ts'

export class Unfit {
  readonly #clock: Clock
  /** Epoch ms until when, by version; the oldest goes first. */
  readonly #until = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  has(version: VersionName): boolean {
    const until = this.#until.get(keyOf(version))
    return until !== undefined && until > this.#clock()
  }

  add(version: VersionName): void {
    const key = keyOf(version)
    this.#until.delete(key)
    const oldest = this.#until.keys().next()
    if (this.#until.size >= SHARE_UNFIT_KEPT && !oldest.done) this.#until.delete(oldest.value)
    this.#until.set(key, this.#clock() + SHARE_UNFIT_MS)
  }
}

function keyOf({ category, name, digest }: VersionName): string {
  return JSON.stringify([category, name, digest])
}
