// The only way to change the catalog: plans the change, writes the new index to the stores, then makes it live in one
// synchronous transaction. Never handles the bytes of skills.

import { isSha256 } from '../../lib/bytes.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { CATALOG_CHANGE_ATTEMPTS_MAX, STORE_CONCURRENCY } from '../../limits/skills.ts'
import { noBuild, notPushed } from '../not-ready.ts'
import { INDEX_SIZE_MAX, indexSize, indexProblem, type IndexSize } from '../store/index-size.ts'
import { indexObjects } from '../store/index-objects.ts'
import type { IndexObjects } from '../store/index-objects.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { blobKey, indexKey } from '../store/keys.ts'
import type { SkillStores } from '../store/store.ts'
import type { LiveCatalog, SkillIndex } from '../skill.ts'
import type { ChangeTerms, Purge } from './api.ts'
import { knownBlobs, referToBlobs, unstagedBlobs } from './blob-rows.ts'
import { mergeIndex } from './merge.ts'
import type { Overlay } from './merge.ts'
import { applyChange } from './plan.ts'
import type { CatalogChange, Plan, Snapshot } from './plan.ts'
import { purgeVersion } from './purge.ts'
import type { PurgeRequest } from './purge.ts'
import { requireVersion } from './require-version.ts'
import * as rows from './rows.ts'
import { Staging } from './staging.ts'
import type { StagingDeps } from './staging.ts'
import { blobsOf, writeChange } from './write-change.ts'
import { insertHistory } from './version-rows.ts'

export interface CatalogDeps extends StagingDeps {
  readonly content: ContentReader
  readonly stores: SkillStores
}

/** The catalog after a change or a dry run. */
export interface ChangeOutcome {
  /** After a dry run, this is still the current catalog. */
  readonly live: LiveCatalog
  /** Null if nothing changed; then nothing was written. */
  readonly change: CatalogChange | null
  readonly build: SkillIndex
  readonly before: Overlay
  /** The overlay after the change; for a dry run, as it would be. */
  readonly overlay: Overlay
}

/** The author recorded for catalog versions that exist only because a new build was deployed. */
const BUILD_AUTHOR = 'build'

export class CatalogCore {
  readonly #deps: CatalogDeps
  readonly staging: Staging
  /** By build: the live catalog with the current overlay. A cache of rows, cleared by each change. */
  readonly #live = new Map<string, LiveCatalog>()
  /** A cache of the overlay's rows, valid only for its revision. */
  #overlay: { readonly revision: number; readonly value: Overlay } | null = null
  /**
   * Queues changes, sweeps and purges. For two changes this only avoids repeated work: the revision check before each
   * switch keeps them correct. A sweep or a purge must not run during a change.
   */
  #queue: Promise<unknown> = Promise.resolve()

  readonly #maxSize: IndexSize

  constructor(deps: CatalogDeps, maxSize = INDEX_SIZE_MAX) {
    this.#deps = deps
    this.#maxSize = maxSize
    this.staging = new Staging(deps)
  }

  /** The live catalog for this build. Answered from memory, except for a new pair of build and overlay. */
  async live(build: string): Promise<Result<LiveCatalog>> {
    const existingVersion = this.#existingVersion(build)
    if (existingVersion) return ok(existingVersion)
    const created = await this.change({ build, author: BUILD_AUTHOR, dryRun: false }, () => ok(null))
    return created.ok ? ok(created.value.live) : created
  }

  /** The live catalog for this build, with the build's index and the overlay. */
  async read(build: string): Promise<Result<ChangeOutcome>> {
    const live = await this.live(build)
    if (!live.ok) return live
    const base = await this.#deps.content.index(build, notPushed(build))
    if (!base.ok) return base
    const overlay = this.#overlayNow(rows.revision(this.#deps.storage.sql))
    const current = this.#existingVersion(build) ?? live.value
    return ok({ live: current, change: null, build: base.value, before: overlay, overlay })
  }

  /** Returns once the change is durable and every later `live` sees it. A failure or a dry run changes nothing. */
  change({ build, author, dryRun, over }: ChangeTerms, plan: Plan): Promise<Result<ChangeOutcome>> {
    const guarded = requireVersion(plan, over, () => this.#existingVersion(build))
    return dryRun
      ? this.#dryRunOf(build, guarded)
      : this.#enqueue(() => this.#attempt(build, author, guarded))
  }

  async #dryRunOf(build: string, plan: Plan): Promise<Result<ChangeOutcome>> {
    const current = await this.read(build)
    if (!current.ok) return current
    const planned = plan(this.#snapshot(current.value.build, current.value.before))
    if (!planned.ok) return planned
    const change = planned.value
    const { build: base, before } = current.value
    const overlay = applyChange(before, change)
    return this.#refuseLarge(change, base, before, overlay) ?? ok({ ...current.value, change, overlay })
  }

  /** Must be called when the rows were replaced. */
  forget(): void {
    this.#live.clear()
    this.#overlay = null
  }

  /** Runs while no change does, because no version may start to refer to bytes that are being deleted. */
  sweep(): Promise<void> {
    return this.#enqueue(() => this.staging.sweep())
  }

  /** Permanently deletes a version's bytes. Like a sweep, runs while no change does. */
  purge(operation: PurgeRequest): Promise<Result<Purge>> {
    return this.#enqueue(() => purgeVersion(operation, this.#deps, this.staging))
  }

  /** Runs `work` with the live catalog while no change, sweep or purge runs. */
  async whileUnchanged<T>(
    build: string,
    work: (current: Pick<ChangeOutcome, 'build' | 'overlay'>) => T,
  ): Promise<Result<T>> {
    // Read before queuing, because reading a new build needs the queue itself.
    const current = await this.read(build)
    if (!current.ok) return current
    return this.#enqueue(async () => {
      const overlay = this.#overlayNow(rows.revision(this.#deps.storage.sql))
      return ok(work({ build: current.value.build, overlay }))
    })
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const queued = this.#queue.then(work)
    this.#queue = queued.catch(() => undefined)
    return queued
  }

  #existingVersion(build: string): LiveCatalog | null {
    const cached = this.#live.get(build)
    if (cached) return cached
    const row = rows.existingCatalogVersion(this.#deps.storage.sql, build)
    if (row) this.#live.set(build, row)
    return row
  }

  #overlayNow(revision: number): Overlay {
    if (this.#overlay?.revision !== revision)
      this.#overlay = { revision, value: rows.readOverlay(this.#deps.storage.sql) }
    return this.#overlay.value
  }

  #snapshot(build: SkillIndex, overlay: Overlay): Snapshot {
    const { storage, clock } = this.#deps
    return { sql: storage.sql, overlay, build, now: rfc3339(clock()) }
  }

  async #attempt(build: string, author: string, plan: Plan): Promise<Result<ChangeOutcome>> {
    const { storage, content } = this.#deps
    if (!isSha256(build)) return noBuild()
    const loaded = await content.index(build, notPushed(build))
    if (!loaded.ok) return loaded
    const base = loaded.value
    for (let attempt = 0; attempt < CATALOG_CHANGE_ATTEMPTS_MAX; attempt++) {
      // No await from here to the first write, because revision, overlay and plan must match.
      const revision = rows.revision(storage.sql)
      const before = this.#overlayNow(revision)
      const snapshot = this.#snapshot(base, before)
      const planned = plan(snapshot)
      if (!planned.ok) return planned
      const change = planned.value
      const needed = change?.edits.flatMap(({ version }) => (version ? blobsOf(version) : [])) ?? []
      if (unstagedBlobs(storage.sql, needed).length > 0)
        return fail('overloaded', 'Some files were deleted in the meantime. Send them again.', {
          retryAfterS: 0,
        })
      const existingVersion = change ? null : this.#existingVersion(build)
      if (existingVersion)
        return ok({ live: existingVersion, change: null, build: base, before, overlay: before })
      const overlay = applyChange(before, change)
      const refused = this.#refuseLarge(change, base, before, overlay)
      if (refused) return refused
      const written = await this.#writeIndex(mergeIndex(base, overlay), base, build)
      if (!written.ok) return written
      // Other events may have run during the writes, so check the stored revision again.
      if (rows.revision(storage.sql) !== revision) continue
      const created = change ? null : this.#existingVersion(build)
      if (created) return ok({ live: created, change: null, build: base, before, overlay })
      const live = storage.transactionSync(() =>
        this.#switchTo(build, written.value, author, snapshot.now, change),
      )
      this.#live.clear()
      this.#live.set(build, live)
      this.#overlay = { revision: rows.revision(storage.sql), value: overlay }
      return ok({ live, change, build: base, before, overlay })
    }
    return fail('overloaded', 'Other changes to the catalog kept this one from being made. Try again.', {
      retryAfterS: 1,
    })
  }

  /**
   * The error if the change would make the index too large; null if not. A new build without a change is never refused
   * here, because `skills:build` has already reported its size.
   */
  #refuseLarge(
    change: CatalogChange | null,
    base: SkillIndex,
    before: Overlay,
    after: Overlay,
  ): Result<never> | null {
    if (!change) return null
    const sizeOf = (overlay: Overlay): IndexSize => indexSize(mergeIndex(base, overlay))
    const why = indexProblem(sizeOf(after), () => sizeOf(before), this.#maxSize)
    if (why === null) return null
    const fix =
      'Unpublish unused skills (before, or in the same commit), or shorten descriptions, tags and changelogs.'
    return fail('too_large', `The index of this catalog ${why} ${fix}`)
  }

  /** Writes to R2 first, then to KV. Skips bytes that an existing version already refers to. */
  async #writeIndex(index: SkillIndex, base: SkillIndex, build: string): Promise<Result<IndexObjects>> {
    const { workspace, storage, stores } = this.#deps
    if (index === base) {
      // The switch may release archives that are no longer shared, which the sweep then deletes.
      await this.staging.arm()
      return ok({ address: build, objects: [] })
    }
    const written = await indexObjects(index)
    const addresses = written.objects.map((object) => object.sha256)
    const existing = new Set(
      knownBlobs(storage.sql, addresses).flatMap((row) => (row.kept ? row.sha256 : [])),
    )
    const missing = written.objects.filter((object) => !existing.has(object.sha256))
    try {
      const staged = missing.map(({ sha256, bytes }) => {
        return { sha256, kind: 'index' as const, bytes: bytes.byteLength }
      })
      // A workspace over its quota can still switch skills off, unpublish them and roll back.
      await this.staging.stage(staged, null)
      await inParallel(missing, STORE_CONCURRENCY, ({ sha256, bytes }) =>
        stores.blobs.put(blobKey({ workspace }, sha256), bytes, sha256),
      )
      await inParallel(missing, STORE_CONCURRENCY, ({ sha256, bytes }) =>
        stores.bodies.put(indexKey(sha256), bytes),
      )
      return ok(written)
    } catch {
      return fail('overloaded', 'The stores did not accept the new index; nothing was changed. Try again.', {
        retryAfterS: 2,
      })
    }
  }

  #switchTo(
    build: string,
    index: IndexObjects,
    author: string,
    changedAt: string,
    change: CatalogChange | null,
  ): LiveCatalog {
    const { sql } = this.#deps.storage
    const wasKnown = rows.isKnownBuild(sql, build)
    const previous = rows.latestBuild(sql)
    if (change) rows.bumpRevision(sql)
    referToBlobs(
      sql,
      index.objects.map((object) => object.sha256),
    )
    const live = rows.insertCatalogVersion(sql, {
      build,
      index: index.address,
      at: changedAt,
      author,
      action: change?.action ?? 'build',
      note: change?.note ?? null,
    })
    const record = { at: changedAt, catalog_version: live.version }
    if (!wasKnown)
      insertHistory(sql, 'skill', {
        ...record,
        author: BUILD_AUTHOR,
        action: 'build',
        before: previous,
        after: build,
      })
    if (change) writeChange(sql, change, { ...record, author })
    return live
  }
}
