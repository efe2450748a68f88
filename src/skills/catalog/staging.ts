// Keeps track of the bytes in the stores: records them before they are written, and deletes those that no version
// refers to, a day after they were staged or immediately after a purge.

import type { Clock } from '../../lib/clock.ts'
import { inParallel } from '../../lib/parallel.ts'
import { logText } from '../../lib/redact.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { STORE_CONCURRENCY } from '../../limits/skills.ts'
import { SWEEP_AFTER_MS, SWEEP_BATCH_BLOBS_MAX, SWEEP_PAUSE_MS, SWEEP_RETRY_MS } from './limits.ts'
import { blobKey, bodyKey, indexKey } from '../store/keys.ts'
import type { StagedBlob } from './api.ts'
import * as rows from './blob-rows.ts'

/** Deletes the bytes of skills. Nothing else in Satchel does. */
export interface BlobDeleter {
  /** Deletes from R2. */
  readonly blobs: (keys: readonly string[]) => Promise<void>
  /** Deletes from KV. */
  readonly text: (key: string) => Promise<void>
}

export interface StagingDeps {
  readonly workspace: string
  readonly storage: DurableObjectStorage
  readonly deleter: BlobDeleter
  readonly clock: Clock
}

export class Staging {
  readonly #deps: StagingDeps
  #sweeping: Promise<void> | null = null
  /** True if this instance knows that an alarm is set. */
  #armed = false

  constructor(deps: StagingDeps) {
    this.#deps = deps
  }

  /**
   * Returns once it is safe to write the bytes: none of them is being deleted, and none will be for a day. Failure:
   * `storage_full` if the workspace would exceed `maxBytes`, which is null if there is no limit.
   */
  async stage(blobs: readonly StagedBlob[], maxBytes: number | null): Promise<Result<null>> {
    while (this.#sweeping) await this.#sweeping
    const { storage, clock } = this.#deps
    const refusal = maxBytes === null ? null : this.#refuseFull(blobs, maxBytes)
    if (refusal) return refusal
    rows.stageBlobs(storage.sql, blobs, clock())
    await this.arm()
    return ok(null)
  }

  #refuseFull(blobs: readonly StagedBlob[], maxBytes: number): Result<never> | null {
    const { sql } = this.#deps.storage
    const addedBytes = rows.newBytes(sql, blobs)
    const bytes = rows.totalBytes(sql) + addedBytes
    if (addedBytes === 0 || bytes <= maxBytes) return null
    return fail(
      'storage_full',
      `All versions of all skills in this workspace may total at most ${maxBytes} bytes; with these files, the total would be ${bytes}. Files that no commit uses are deleted a day after they were sent. To free space sooner, ask an admin to purge unused versions (DELETE /admin/skills/:skill/versions/:digest) or to raise skills.max_bytes.`,
    )
  }

  /** Makes sure that an alarm is set for the sweep of unreferenced bytes. */
  async arm(): Promise<void> {
    const { storage, clock } = this.#deps
    if (this.#armed) return
    if ((await storage.getAlarm()) === null) await storage.setAlarm(clock() + SWEEP_AFTER_MS)
    this.#armed = true
  }

  /** Tells which blobs some version refers to and which are only staged. Extends the staging of the latter. */
  async known(addresses: readonly string[]): Promise<{ readonly kept: string[]; readonly staged: string[] }> {
    while (this.#sweeping) await this.#sweeping
    const { storage, clock } = this.#deps
    const knownBlobs = rows.knownBlobs(storage.sql, addresses)
    const kept = knownBlobs.filter((row) => row.kept).map((row) => row.sha256)
    const staged = knownBlobs.filter((row) => !row.kept).map((row) => row.sha256)
    rows.restageBlobs(storage.sql, staged, clock())
    return { kept, staged }
  }

  /** Deletes one batch of unreferenced bytes that were staged over SWEEP_AFTER_MS ago. No change may run meanwhile. */
  async sweep(): Promise<void> {
    const { clock } = this.#deps
    await this.#runExclusively(() => this.#batch(clock() - SWEEP_AFTER_MS))
  }

  /**
   * Deletes all bytes that a purge marked. Returns false if a store does not respond; the sweep then continues later.
   * No change may run meanwhile.
   */
  async deletePurged(): Promise<boolean> {
    return this.#runExclusively(async () => {
      while ((await this.#batch(0)) > 0);
    })
  }

  async #runExclusively(work: () => Promise<unknown>): Promise<boolean> {
    let done = (): void => undefined
    this.#sweeping = new Promise((resolve) => (done = resolve))
    let pauseMs = SWEEP_PAUSE_MS
    try {
      await work()
    } catch (error) {
      pauseMs = SWEEP_RETRY_MS
      console.warn(JSON.stringify({ at: 'catalog.sweep', error: logText(error) }))
    } finally {
      this.#sweeping = null
      done()
      await this.#rearm(pauseMs)
    }
    return pauseMs === SWEEP_PAUSE_MS
  }

  /** Deletes one batch of unreferenced bytes staged until then (epoch ms). Returns how many blobs were deleted. */
  async #batch(until: number): Promise<number> {
    const { workspace, storage, deleter } = this.#deps
    const unreferenced = rows.unreferencedBlobs(storage.sql, until, SWEEP_BATCH_BLOBS_MAX)
    if (unreferenced.length === 0) return 0
    const scope = { workspace }
    // The row is deleted last: without it, nothing would delete bytes that are still in a store.
    const kvKeys = unreferenced.flatMap(({ sha256, kind }) =>
      // Another workspace with the same index then reads it from its own R2 prefix.
      kind === 'body' ? bodyKey(scope, sha256) : kind === 'index' ? indexKey(sha256) : [],
    )
    await inParallel(kvKeys, STORE_CONCURRENCY, (key) => deleter.text(key))
    await deleter.blobs(unreferenced.map(({ sha256 }) => blobKey(scope, sha256)))
    rows.deleteBlobRows(
      storage.sql,
      unreferenced.map((blob) => blob.sha256),
    )
    return unreferenced.length
  }

  async #rearm(pauseBeforeMs: number): Promise<void> {
    const { storage, clock } = this.#deps
    const oldest = rows.oldestUnreferenced(storage.sql)
    this.#armed = oldest !== null
    if (oldest !== null) await storage.setAlarm(Math.max(clock() + pauseBeforeMs, oldest + SWEEP_AFTER_MS))
  }
}
