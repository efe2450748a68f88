// Remembers, for the life of an isolate, which versions could not be packed, so that they are not tried repeatedly.

import type { Clock } from '../../lib/clock.ts'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { SHARE_UNPACKABLE_MAX, SHARE_UNPACKABLE_MS } from './limits.ts'
import type { VersionName } from '../catalog/api.ts'

export class UnpackableVersions {
  readonly #now: Clock
  readonly #recent = new ExpiringCache<true>(SHARE_UNPACKABLE_MAX, SHARE_UNPACKABLE_MS)

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
