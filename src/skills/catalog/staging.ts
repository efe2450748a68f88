// Bytes staged for the catalog: recorded before they are written, and swept when no version refers to them, or the last
// one that did was purged.

import type { Clock } from '../../lib/clock.ts'
import { inParallel } from '../../lib/parallel.ts'
import { redact } from '../../lib/redact.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { STORE_CONCURRENCY } from '../../limits/skills.ts'
import { SWEEP_AFTER_MS, SWEEP_BATCH, SWEEP_PAUSE_MS, SWEEP_RETRY_MS } from './limits.ts'
import { blobKey, bodyKey, indexKey } from '../store/keys.ts'
import type { StagedBlob } from './api.ts'
import * as rows from './blob-rows.ts'

/** Deletes bytes. Nothing else in Satchel does. */
export interface Bin {
  /** From R2. */
  readonly blobs: (keys: readonly string[]) => Promise<void>
  /** From KV. */
  readonly text: (key: string) => Promise<void>
}

export interface StagingDeps {
  readonly workspace: string
  readonly storage: DurableObjectStorage
  readonly bin: Bin
  readonly clock: Clock
}

export class Staging {
  readonly #deps: StagingDeps
  #sweeping: Promise<void> | null = null
  /** An alarm is set, as far as this instance knows. */
  #armed = false

  constructor(deps: StagingDeps) {
    this.#deps = deps
  }

  /**
   * Returns when it is safe to write: from then on the bytes are kept, and none of them is being swept. Failure
   * `storage_full` when the workspace would exceed `maxBytes` with the new ones; null if there is no limit.
   */
  async stage(blobs: readonly StagedBlob[], maxBytes: number | null): Promise<Result<null>> {
    while (this.#sweeping) await this.#sweeping
    const { storage, clock } = this.#deps
    const full = maxBytes === null ? null : this.#refuseFull(blobs, maxBytes)
    if (full) return full
    rows.stageBlobs(storage.sql, blobs, clock())
    await this.arm()
    return ok(null)
  }

  #refuseFull(blobs: readonly StagedBlob[], maxBytes: number): Result<never> | null {
    const { sql } = this.#deps.storage
    const more = rows.newBytes(sql, blobs)
    const bytes = rows.totalBytes(sql) + more
    if (more === 0 || bytes <= maxBytes) return null
    return fail(
      'storage_full',
      `Skills may have ${maxBytes} bytes in this workspace, all versions together; with this they would have ${bytes}. Files that no commit names are removed a day after they were sent. An admin can purge unused versions (DELETE /admin/skills/:skill/versions/:digest), or raise skills.max_bytes.`,
    )
  }

  /** Sets an alarm for the sweep of unreferenced bytes. */
  async arm(): Promise<void> {
    const { storage, clock } = this.#deps
    if (this.#armed) return
    if ((await storage.getAlarm()) === null) await storage.setAlarm(clock() + SWEEP_AFTER_MS)
    this.#armed = true
  }

  /** Which bytes versions refer to, and which are only staged. The staging of the latter is extended for the caller. */
  async known(addresses: readonly string[]): Promise<{ readonly kept: string[]; readonly staged: string[] }> {
    while (this.#sweeping) await this.#sweeping
    const { storage, clock } = this.#deps
    const found = rows.knownBlobs(storage.sql, addresses)
    const kept = found.filter((row) => row.kept).map((row) => row.sha256)
    const staged = found.filter((row) => !row.kept).map((row) => row.sha256)
    rows.restageBlobs(storage.sql, staged, clock())
    return { kept, staged }
  }

  /** Deletes one batch of unreferenced bytes that were staged long ago. No change may run meanwhile. */
  async sweep(): Promise<void> {
    const { clock } = this.#deps
    await this.#alone(() => this.#batch(clock() - SWEEP_AFTER_MS))
  }

  /**
   * Deletes all bytes that a purge marked. False: a store does not answer, and the sweep continues later. No change may
   * run meanwhile.
   */
  async bury(): Promise<boolean> {
    return this.#alone(async () => {
      while ((await this.#batch(0)) > 0);
    })
  }

  async #alone(work: () => Promise<unknown>): Promise<boolean> {
    let done = (): void => undefined
    this.#sweeping = new Promise((resolve) => (done = resolve))
    let next = SWEEP_PAUSE_MS
    try {
      await work()
    } catch (error) {
      next = SWEEP_RETRY_MS
      console.warn(JSON.stringify({ at: 'catalog.sweep', error: redact(String(error)) }))
    } finally {
      this.#sweeping = null
      done()
      await this.#rearm(next)
    }
    return next === SWEEP_PAUSE_MS
  }

  /** Returns how many were deleted. */
  async #batch(until: number): Promise<number> {
    const { workspace, storage, bin } = this.#deps
    const loose = rows.looseBlobs(storage.sql, until, SWEEP_BATCH)
    if (loose.length === 0) return 0
    const scope = { workspace }
    // KV first: the row must exist while R2 still has the bytes, or nothing would delete them later.
    const texts = loose.flatMap(({ sha256, kind }) =>
      // Another workspace with the same index reads it from its own R2 prefix then.
      kind === 'body' ? bodyKey(scope, sha256) : kind === 'index' ? indexKey(sha256) : [],
    )
    await inParallel(texts, STORE_CONCURRENCY, (key) => bin.text(key))
    await bin.blobs(loose.map(({ sha256 }) => blobKey(scope, sha256)))
    rows.dropBlobs(
      storage.sql,
      loose.map((blob) => blob.sha256),
    )
    return loose.length
  }

  async #rearm(pause: number): Promise<void> {
    const { storage, clock } = this.#deps
    const oldest = rows.oldestLoose(storage.sql)
    this.#armed = oldest !== null
    if (oldest !== null) await storage.setAlarm(Math.max(clock() + pause, oldest + SWEEP_AFTER_MS))
  }
}
