// What could not be packed, remembered by an isolate across catalog versions, so that it is not tried again and again.

import type { Clock } from '../../lib/clock.ts'
import { Recent } from '../../lib/recent.ts'
import { SHARE_UNFIT_KEPT, SHARE_UNFIT_MS } from './limits.ts'
import type { VersionName } from '../catalog/api.ts'

export class Unfit {
  readonly #now: Clock
  readonly #recent = new Recent<true>(SHARE_UNFIT_KEPT, SHARE_UNFIT_MS)

  constructor(now: Clock) {
    this.#now = now
  }

  has(version: VersionName): boolean {
    return this.#recent.get(keyOf(version), this.#now()) ?? false
  }

  add(version: VersionName): void {
    this.#recent.set(keyOf(version), true, this.#now())
  }
}

function keyOf({ category, name, digest }: VersionName): string {
  return JSON.stringify([category, name, digest])
}
