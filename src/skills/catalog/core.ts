// The only way to change the catalog: plan, write the new index, then switch to it in one synchronous block. Never
// holds bytes.

import { isSha256 } from '../../lib/bytes.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { CATALOG_CHANGE_TRIES, STORE_CONCURRENCY } from '../../limits/skills.ts'
import { noBuild, notPushed } from '../not-ready.ts'
import { INDEX_SIZE_MAX, indexSize, indexProblem, type IndexSize } from '../store/index-size.ts'
import { indexObjects } from '../store/index-objects.ts'
import type { IndexObjects } from '../store/index-objects.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { blobKey, indexKey } from '../store/keys.ts'
import type { SkillStores } from '../store/store.ts'
import type { LiveCatalog, SkillIndex } from '../skill.ts'
import type { ChangeTerms, Over, Purge } from './api.ts'
import { knownBlobs, referToBlobs, unstagedBlobs } from './blob-rows.ts'
import { mergeIndex } from './merge.ts'
import type { Overlay } from './merge.ts'
import { applied } from './plan.ts'
import type { CatalogChange, Plan, Snapshot } from './plan.ts'
import { purgeVersion } from './purge.ts'
import type { PurgeRequest } from './purge.ts'
import * as rows from './rows.ts'
import { Staging } from './staging.ts'
import type { StagingDeps } from './staging.ts'
import { blobsOf, takeChange } from './take.ts'
import { insertHistory } from './version-rows.ts'

export interface CatalogDeps extends StagingDeps {
  readonly content: ContentReader
  readonly stores: SkillStores
}

export interface Done {
  /** For a dry run the current catalog. */
  readonly live: LiveCatalog
  /** Null: nothing changed, nothing was written. */
  readonly change: CatalogChange | null
  readonly build: SkillIndex
  readonly before: Overlay
  /** After the change. */
  readonly overlay: Overlay
}

/** The author of catalog versions that a new build causes. */
const BUILD_AUTHOR = 'build'

export class CatalogCore {
  readonly #deps: CatalogDeps
  readonly staging: Staging
  /** By build, for the current overlay: a cache of rows, cleared at each switch. */
  readonly #live = new Map<string, LiveCatalog>()
  /** The overlay's rows, parsed. Valid only for this revision. */
  #overlay: { readonly revision: number; readonly value: Overlay } | null = null
  /** Changes are queued only to avoid repeated work. The revision check before each switch keeps them correct. */
  #queue: Promise<unknown> = Promise.resolve()

  readonly #max: IndexSize

  constructor(deps: CatalogDeps, max = INDEX_SIZE_MAX) {
    this.#deps = deps
    this.#max = max
    this.staging = new Staging(deps)
  }

  /** The live catalog for this build. Only a new pair of build and overlay needs more than memory. */
  async live(build: string): Promise<Result<LiveCatalog>> {
    const known = this.#known(build)
    if (known) return ok(known)
    const minted = await this.change({ build, author: BUILD_AUTHOR, dryRun: false }, () => ok(null))
    return minted.ok ? ok(minted.value.live) : minted
  }

  /** The same, with the build's index and the overlay. */
  async look(build: string): Promise<Result<Done>> {
    const live = await this.live(build)
    if (!live.ok) return live
    const base = await this.#deps.content.index(build, notPushed(build))
    if (!base.ok) return base
    const overlay = this.#overlayNow(rows.revision(this.#deps.storage.sql))
    const seen = this.#known(build) ?? live.value
    return ok({ live: seen, change: null, build: base.value, before: overlay, overlay })
  }

  /** Returns after the change is durable and visible to every later `live`. A failure or a dry run changes nothing. */
  change({ build, author, dryRun, over }: ChangeTerms, plan: Plan): Promise<Result<Done>> {
    const guarded = overVersion(plan, over, () => this.#known(build))
    return dryRun ? this.#try(build, guarded) : this.#inTurn(() => this.#attempt(build, author, guarded))
  }

  async #try(build: string, plan: Plan): Promise<Result<Done>> {
    const seen = await this.look(build)
    if (!seen.ok) return seen
    const planned = plan(this.#snapshot(seen.value.build, seen.value.before))
    if (!planned.ok) return planned
    const change = planned.value
    const { build: base, before } = seen.value
    const overlay = applied(before, change)
    return this.#refuseLarge(change, base, before, overlay) ?? ok({ ...seen.value, change, overlay })
  }

  /** Runs between changes: no version may start to refer to bytes that are being deleted. */
  sweep(): Promise<void> {
    return this.#inTurn(() => this.staging.sweep())
  }

  /** Permanently deletes a version's bytes. Runs between changes, as a sweep does. */
  purge(operation: PurgeRequest): Promise<Result<Purge>> {
    return this.#inTurn(() => purgeVersion(operation, this.#deps, this.staging))
  }

  /** Runs `work` with the live catalog, while no change, sweep or purge runs. */
  async between<T>(build: string, work: (seen: Pick<Done, 'build' | 'overlay'>) => T): Promise<Result<T>> {
    // Read before queuing: reading a new build is queued itself.
    const seen = await this.look(build)
    if (!seen.ok) return seen
    return this.#inTurn(async () => {
      const overlay = this.#overlayNow(rows.revision(this.#deps.storage.sql))
      return ok(work({ build: seen.value.build, overlay }))
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  #known(build: string): LiveCatalog | null {
    const kept = this.#live.get(build)
    if (kept) return kept
    const row = rows.mintedVersion(this.#deps.storage.sql, build)
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

  async #attempt(build: string, author: string, plan: Plan): Promise<Result<Done>> {
    const { storage, content } = this.#deps
    if (!isSha256(build)) return noBuild()
    const read = await content.index(build, notPushed(build))
    if (!read.ok) return read
    const base = read.value
    for (let attempt = 0; attempt < CATALOG_CHANGE_TRIES; attempt++) {
      // No await from here to the first write: revision, overlay and plan must match.
      const revision = rows.revision(storage.sql)
      const before = this.#overlayNow(revision)
      const at = this.#snapshot(base, before)
      const planned = plan(at)
      if (!planned.ok) return planned
      const change = planned.value
      const needed = change?.edits.flatMap(({ version }) => (version ? blobsOf(version) : [])) ?? []
      if (unstagedBlobs(storage.sql, needed).length > 0)
        return fail('overloaded', 'Some files were swept meanwhile. Send them again.', { retryAfterS: 0 })
      const known = change ? null : this.#known(build)
      if (known) return ok({ live: known, change: null, build: base, before, overlay: before })
      const overlay = applied(before, change)
      const refused = this.#refuseLarge(change, base, before, overlay)
      if (refused) return refused
      const written = await this.#writeIndex(mergeIndex(base, overlay), base, build)
      if (!written.ok) return written
      // Other events may have run during the writes. Only the storage shows whether the catalog changed.
      if (rows.revision(storage.sql) !== revision) continue
      const minted = change ? null : this.#known(build)
      if (minted) return ok({ live: minted, change: null, build: base, before, overlay })
      const live = storage.transactionSync(() => this.#flip(build, written.value, author, at.now, change))
      this.#live.clear()
      this.#live.set(build, live)
      this.#overlay = { revision: rows.revision(storage.sql), value: overlay }
      return ok({ live, change, build: base, before, overlay })
    }
    return fail('overloaded', 'The catalog kept changing meanwhile. Try again.', { retryAfterS: 1 })
  }

  /** A new build alone is never refused: `skills:build` has already reported that it is too large. */
  #refuseLarge(
    change: CatalogChange | null,
    base: SkillIndex,
    before: Overlay,
    after: Overlay,
  ): Result<never> | null {
    if (!change) return null
    const sizeOf = (overlay: Overlay): IndexSize => indexSize(mergeIndex(base, overlay))
    const why = indexProblem(sizeOf(after), () => sizeOf(before), this.#max)
    if (why === null) return null
    const fix =
      'Unpublish unused skills (before, or in the same commit), or shorten descriptions, tags and changelogs.'
    return fail('too_large', `The index of this catalog ${why} ${fix}`)
  }

  /** R2 first, then KV. Skips bytes that an existing version already refers to. */
  async #writeIndex(index: SkillIndex, base: SkillIndex, build: string): Promise<Result<IndexObjects>> {
    const { workspace, storage, stores } = this.#deps
    if (index === base) {
      // Archives that are no longer shared lose their reference when the catalog switches.
      await this.staging.arm()
      return ok({ address: build, objects: [] })
    }
    const made = await indexObjects(index)
    const addresses = made.objects.map((object) => object.sha256)
    const there = new Set(knownBlobs(storage.sql, addresses).flatMap((row) => (row.kept ? row.sha256 : [])))
    const fresh = made.objects.filter((object) => !there.has(object.sha256))
    try {
      const staged = fresh.map(({ sha256, bytes }) => {
        return { sha256, kind: 'index' as const, bytes: bytes.byteLength }
      })
      // A workspace over its quota can still switch skills off, unpublish them and roll back.
      await this.staging.stage(staged, null)
      await inParallel(fresh, STORE_CONCURRENCY, ({ sha256, bytes }) =>
        stores.blobs.put(blobKey({ workspace }, sha256), bytes, sha256),
      )
      await inParallel(fresh, STORE_CONCURRENCY, ({ sha256, bytes }) =>
        stores.bodies.put(indexKey(sha256), bytes),
      )
      return ok(made)
    } catch {
      return fail('overloaded', 'The stores did not take the new index; nothing has changed. Try again.', {
        retryAfterS: 2,
      })
    }
  }

  #flip(
    build: string,
    index: IndexObjects,
    author: string,
    at: string,
    change: CatalogChange | null,
  ): LiveCatalog {
    const { sql } = this.#deps.storage
    const met = rows.buildWasMet(sql, build)
    const previous = rows.latestBuild(sql)
    if (change) rows.bumpRevision(sql)
    referToBlobs(
      sql,
      index.objects.map((object) => object.sha256),
    )
    const live = rows.insertCatalogVersion(sql, {
      build,
      index: index.address,
      at,
      author,
      action: change?.action ?? 'build',
      note: change?.note ?? null,
    })
    const made = { at, catalog_version: live.version }
    if (!met)
      insertHistory(sql, 'skill', {
        ...made,
        author: BUILD_AUTHOR,
        action: 'build',
        before: previous,
        after: build,
      })
    if (change) takeChange(sql, change, { ...made, author })
    return live
  }
}

/**
 * The plan, but only over that catalog version. A plan that changes nothing passes, because it may be a repeated
 * request.
 */
function overVersion(plan: Plan, over: Over, live: () => LiveCatalog | null): Plan {
  if (over === undefined) return plan
  return (view) => {
    const planned = plan(view)
    if (planned.ok && planned.value === null) return planned
    const seen = live()?.version
    if (seen === over) return planned
    const detail = `The catalog is at ${seen === undefined ? 'a newer version' : `version ${seen}`}, not at ${over}. Read GET /admin/catalog again, then change what is live.`
    return fail('stale_version', detail)
  }
}
