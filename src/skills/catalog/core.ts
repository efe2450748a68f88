// The catalog's one way to change: plan, write the new index, then flip in one synchronous block. Never holds bytes.

import { isSha256, sha256Hex, utf8 } from '../../lib/bytes.ts'
import { rfc3339 } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { CATALOG_CHANGE_TRIES } from '../../limits.ts'
import { taken } from './plans.ts'
import type { Change, Plan } from './plans.ts'
import * as rows from './rows.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { indexText } from '../store/index-json.ts'
import { blobKey, indexKey } from '../store/keys.ts'
import { mergeIndex } from './merge.ts'
import type { LiveCatalog, SkillIndex } from '../skill.ts'
import type { SkillStores } from '../store/store.ts'

export interface CatalogDeps {
  readonly workspace: string
  readonly storage: DurableObjectStorage
  readonly stores: SkillStores
  readonly content: ContentReader
  readonly clock: Clock
}

export interface Changed {
  readonly live: LiveCatalog
  /** False: it was so already, nothing was written. */
  readonly changed: boolean
  readonly index: SkillIndex
}

/** The author of versions that nobody asked for: a new build was met. */
const BUILD_AUTHOR = 'build'

const NO_CHANGE: Plan = () => ok(null)

export class CatalogCore {
  readonly #deps: CatalogDeps
  /** By build, for the overlay as it is: a cache of rows, emptied at each flip. */
  readonly #live = new Map<string, LiveCatalog>()
  /** Changes queue up to spare repeated work; what keeps them right is the revision check before each flip. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(deps: CatalogDeps) {
    this.#deps = deps
  }

  /** What is live for this build. Only a pair of build and overlay that was never met costs more than memory. */
  async live(build: string): Promise<Result<LiveCatalog>> {
    const known = this.#known(build)
    if (known) return ok(known)
    const minted = await this.change(build, BUILD_AUTHOR, NO_CHANGE)
    return minted.ok ? ok(minted.value.live) : minted
  }

  /** Answers after the change is durable and in every later `live`. A failure has changed nothing. */
  change(build: string, author: string, plan: Plan): Promise<Result<Changed>> {
    const attempt = this.#queue.then(() => this.#attempt(build, author, plan))
    this.#queue = attempt.catch(() => undefined)
    return attempt
  }

  #known(build: string): LiveCatalog | null {
    const kept = this.#live.get(build)
    if (kept) return kept
    const row = rows.mintedVersion(this.#deps.storage.sql, build)
    if (row) this.#live.set(build, row)
    return row
  }

  async #attempt(build: string, author: string, plan: Plan): Promise<Result<Changed>> {
    const { storage, content, clock } = this.#deps
    if (!isSha256(build))
      return fail('catalog_broken', 'The Worker names no build. Build the skills and deploy.')
    const base = await content.index(build)
    if (!base.ok) return base
    for (let attempt = 0; attempt < CATALOG_CHANGE_TRIES; attempt++) {
      // No await from here to the first write: revision, overlay and plan belong together.
      const revision = rows.revision(storage.sql)
      const overlay = rows.readOverlay(storage.sql)
      const now = rfc3339(clock())
      const planned = plan({ sql: storage.sql, overlay, build: base.value, now })
      if (!planned.ok) return planned
      const change = planned.value
      const index = mergeIndex(base.value, change ? taken(overlay, change.step) : overlay)
      const known = change ? null : this.#known(build)
      if (known) return ok({ live: known, changed: false, index })
      const written = await this.#writeIndex(index, base.value, build)
      if (!written.ok) return written
      // Other events may have run during the writes; storage alone says whether the catalog moved.
      if (rows.revision(storage.sql) !== revision) continue
      const minted = change ? null : this.#known(build)
      if (minted) return ok({ live: minted, changed: false, index })
      const live = storage.transactionSync(() => this.#flip(build, written.value, author, now, change))
      this.#live.clear()
      this.#live.set(build, live)
      return ok({ live, changed: change !== null, index })
    }
    return fail('overloaded', 'The catalog kept changing meanwhile. Try again.', { retryAfterS: 1 })
  }

  /** R2 first, then KV; answers the index's address. Bytes that some version already points to are there. */
  async #writeIndex(index: SkillIndex, base: SkillIndex, build: string): Promise<Result<string>> {
    if (index === base) return ok(build)
    const { workspace, storage, stores } = this.#deps
    const bytes = utf8(indexText(index))
    const sha256 = await sha256Hex(bytes)
    if (rows.indexWasWritten(storage.sql, sha256)) return ok(sha256)
    try {
      await stores.blobs.put(blobKey({ workspace }, sha256), bytes, sha256)
      await stores.bodies.put(indexKey(sha256), bytes)
      return ok(sha256)
    } catch {
      return fail('overloaded', 'The stores did not take the new index; nothing has changed. Try again.', {
        retryAfterS: 2,
      })
    }
  }

  #flip(build: string, index: string, author: string, at: string, change: Change | null): LiveCatalog {
    const { sql } = this.#deps.storage
    const met = rows.buildWasMet(sql, build)
    const previous = rows.latestBuild(sql)
    if (change) {
      this.#take(change, author, at)
      rows.bumpRevision(sql)
    }
    const action = change?.action ?? 'build'
    const live = rows.insertCatalogVersion(sql, { build, index, at, author, action })
    const history = { at, author, catalog_version: live.version }
    if (!met)
      rows.insertHistory(sql, {
        ...history,
        action: 'build',
        author: BUILD_AUTHOR,
        name: null,
        note: null,
        before: previous,
        after: build,
      })
    if (change) {
      const { action: done, skill, note, before, after } = change
      rows.insertHistory(sql, { ...history, action: done, name: skill, note, before, after })
    }
    return live
  }

  #take({ step, note }: Change, author: string, at: string): void {
    const { sql } = this.#deps.storage
    if (step.kind === 'live') {
      if (step.findings)
        rows.insertVersion(sql, step.custom.entry, { author, note, at, findings: step.findings })
      rows.setLive(sql, step.custom)
    } else if (step.kind === 'retire') rows.removeLive(sql, step.skill)
    else rows.setSwitch(sql, step.skill, step.enabled, at)
  }
}
