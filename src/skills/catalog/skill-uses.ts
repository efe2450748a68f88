// Counts which skills runs use, once a day for each owner of threads, and ranks the skills. The ranking is updated only
// when uses are recorded, so that reading it is fast.

import { sha256Hex } from '../../lib/bytes.ts'
import { randomToken } from '../../lib/ids.ts'
import { ok, type Result } from '../../lib/result.ts'
import { SKILL_USE_RANKING_INTERVAL_MS, SKILL_USE_LISTED_MAX } from './limits.ts'
import type { UseRanking } from '../skill.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { SkillUsage } from './api.ts'
import {
  countUses,
  dayOf,
  markFirstUses,
  deleteFadedUses,
  saveRanking,
  filterKnown,
  mostUsed,
  readRanking,
  weighUses,
  type StoredRanking,
} from './use-rows.ts'

export class SkillUses {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #content: Pick<ContentReader, 'index'>
  /** The stored ranking, or null if there is none; undefined until its row has been read. */
  #cached: StoredRanking | null | undefined

  constructor(storage: DurableObjectStorage, content: Pick<ContentReader, 'index'>) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#content = content
  }

  /** Must be called when the rows were replaced. */
  forget(): void {
    this.#cached = undefined
  }

  #ranking(): StoredRanking | null {
    if (this.#cached === undefined) this.#cached = readRanking(this.#sql)
    return this.#cached
  }

  /** The ranking, or null until the first use. It may lack the uses of the last SKILL_USE_RANKING_INTERVAL_MS. */
  ranking(): UseRanking | null {
    const cached = this.#ranking()
    return cached && { id: cached.id, names: cached.names }
  }

  /** The most used skills, in order, with their uses weighted at `now` (epoch ms). */
  most(now: number): readonly SkillUsage[] {
    return weighUses(this.#sql, now, SKILL_USE_LISTED_MAX)
  }

  /**
   * Records one use at `now` (epoch ms) of each known skill that was not yet counted for `owner` today. Skills of this
   * build and published skills are known; other names are ignored.
   */
  async record(build: string, names: ReadonlySet<string>, owner: string, now: number): Promise<Result<null>> {
    const knownNames = filterKnown(this.#sql, names)
    // Reading a large index is slow, so it is read only when a built-in skill may be used for the first time.
    if (knownNames.size < names.size) {
      const index = await this.#content.index(build)
      if (!index.ok) return index
      for (const { name } of index.value.skills) if (names.has(name)) knownNames.add(name)
    }
    if (knownNames.size === 0) return ok(null)
    const day = dayOf(now)
    const ownerHash = await sha256Hex(JSON.stringify([day, owner]))
    // No await from here on, so that concurrent calls cannot change the rows between counting and ranking.
    const cached = this.#storage.transactionSync(() => {
      countUses(this.#sql, markFirstUses(this.#sql, day, ownerHash, knownNames), now)
      return this.#isDue(now) ? this.#rank(now) : null
    })
    if (cached) this.#cached = cached
    return ok(null)
  }

  #isDue(now: number): boolean {
    const age = now - (this.#ranking()?.createdAt ?? Number.NEGATIVE_INFINITY)
    // A ranking from the future was created while the clock was wrong.
    return age < 0 || age >= SKILL_USE_RANKING_INTERVAL_MS
  }

  /** Updates the ranking. An unchanged one keeps its ID, so that callers do not receive it again. */
  #rank(now: number): StoredRanking {
    deleteFadedUses(this.#sql, now)
    const names = mostUsed(this.#sql)
    const previous = this.#ranking()
    const isUnchanged = previous !== null && JSON.stringify(previous.names) === JSON.stringify(names)
    const cached = { createdAt: now, id: isUnchanged ? previous.id : randomToken(24), names }
    saveRanking(this.#sql, cached)
    return cached
  }
}
