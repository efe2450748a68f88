// Bytes that were promised to the catalog: known before they are written, swept when no version came to refer to them.

import type { Clock } from '../../lib/clock.ts'
import { inParallel } from '../../lib/parallel.ts'
import { redact } from '../../lib/redact.ts'
import {
  STORE_CONCURRENCY,
  SWEEP_AFTER_MS,
  SWEEP_BATCH,
  SWEEP_PAUSE_MS,
  SWEEP_RETRY_MS,
} from '../../limits.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { blobKey, bodyKey } from '../store/keys.ts'
import type { StagedBlob } from './api.ts'
import * as rows from './blob-rows.ts'
import { markVersion, unmarkedVersions } from './version-rows.ts'

/** Takes bytes away. Nothing else in Satchel does. */
export interface Bin {
  readonly blobs: (keys: readonly string[]) => Promise<void>
  readonly body: (key: string) => Promise<void>
}

export interface StagingDeps {
  readonly workspace: string
  readonly storage: DurableObjectStorage
  readonly content: ContentReader
  readonly bin: Bin
  readonly clock: Clock
}

export class Staging {
  readonly #deps: StagingDeps
  #sweeping: Promise<void> | null = null
  /** An alarm stands, as far as this instance knows. */
  #armed = false

  constructor(deps: StagingDeps) {
    this.#deps = deps
  }

  /** Answers when it is safe to write: from now on the bytes stay, and none of them is being swept. */
  async stage(blobs: readonly StagedBlob[]): Promise<void> {
    while (this.#sweeping) await this.#sweeping
    const { storage, clock } = this.#deps
    rows.stageBlobs(storage.sql, blobs, clock())
    if (this.#armed) return
    if ((await storage.getAlarm()) === null) await storage.setAlarm(clock() + SWEEP_AFTER_MS)
    this.#armed = true
  }

  /** What versions refer to, and what is only staged; that is staged anew, so that it stays for whoever asks. */
  async known(addresses: readonly string[]): Promise<{ readonly kept: string[]; readonly staged: string[] }> {
    while (this.#sweeping) await this.#sweeping
    const { storage, clock } = this.#deps
    const found = rows.knownBlobs(storage.sql, addresses)
    const kept = found.filter((row) => row.kept).map((row) => row.sha256)
    const staged = found.filter((row) => !row.kept).map((row) => row.sha256)
    rows.stageBlobs(
      storage.sql,
      staged.map((sha256) => ({ sha256, kind: 'file' })),
      clock(),
    )
    return { kept, staged }
  }

  /** One batch of what was staged long ago and is referred to by nothing. No change may be under way meanwhile. */
  async sweep(): Promise<void> {
    let done = (): void => undefined
    this.#sweeping = new Promise((resolve) => (done = resolve))
    let next = SWEEP_PAUSE_MS
    try {
      await this.#markOlder()
      await this.#batch()
    } catch (error) {
      // A store that does not answer, or a version whose files are not known: nothing is taken away on a guess.
      next = SWEEP_RETRY_MS
      console.warn(JSON.stringify({ at: 'catalog.sweep', error: redact(String(error)) }))
    } finally {
      this.#sweeping = null
      done()
      await this.#arm(next)
    }
  }

  /** What a Worker made that knew no blobs: its files are marked before anything can be taken for loose. */
  async #markOlder(): Promise<void> {
    const { storage, content } = this.#deps
    rows.keepIndexes(storage.sql)
    for (;;) {
      const versions = unmarkedVersions(storage.sql, SWEEP_BATCH)
      if (versions.length === 0) return
      for (const entry of versions) {
        const files = await content.manifest(entry)
        if (!files.ok) throw new Error(files.error.detail)
        storage.transactionSync(() => {
          rows.keepBlobs(storage.sql, [entry.digest, ...files.value.map((file) => file.sha256)])
          markVersion(storage.sql, entry)
        })
      }
    }
  }

  async #batch(): Promise<void> {
    const { workspace, storage, bin, clock } = this.#deps
    const loose = rows.looseBlobs(storage.sql, clock() - SWEEP_AFTER_MS, SWEEP_BATCH)
    if (loose.length === 0) return
    const scope = { workspace }
    // KV first: while R2 still has the bytes, their row must stand, or nobody would come for them again.
    const bodies = loose.filter((blob) => blob.kind === 'body')
    await inParallel(bodies, STORE_CONCURRENCY, ({ sha256 }) => bin.body(bodyKey(scope, sha256)))
    await bin.blobs(loose.map(({ sha256 }) => blobKey(scope, sha256)))
    rows.dropBlobs(
      storage.sql,
      loose.map((blob) => blob.sha256),
    )
  }

  async #arm(pause: number): Promise<void> {
    const { storage, clock } = this.#deps
    const oldest = rows.oldestLoose(storage.sql)
    this.#armed = oldest !== null
    if (oldest !== null) await storage.setAlarm(Math.max(clock() + pause, oldest + SWEEP_AFTER_MS))
  }
}
