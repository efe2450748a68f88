// Counts which skills runs use, once a day for each owner of threads, and ranks them. The ranking is updated when uses
// are recorded, never while a caller waits for one.

import { sha256Hex } from '../../lib/bytes.ts'
import { randomToken } from '../../lib/ids.ts'
import { ok, type Result } from '../../lib/result.ts'
import { SKILL_USE_RANK_MS, SKILL_USE_SHOWN } from './limits.ts'
import type { UseRanking } from '../skill.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { SkillUsage } from './api.ts'
import {
  countUses,
  dayOf,
  firstOfDay,
  forgetUses,
  keepRanking,
  knownAmong,
  mostUsed,
  readRanking,
  weighUses,
  type MadeRanking,
} from './use-rows.ts'

export class SkillUses {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #content: Pick<ContentReader, 'index'>
  /** The row; undefined until it was read. */
  #made: MadeRanking | null | undefined

  constructor(storage: DurableObjectStorage, content: Pick<ContentReader, 'index'>) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#content = content
  }

  #ranking(): MadeRanking | null {
    if (this.#made === undefined) this.#made = readRanking(this.#sql)
    return this.#made
  }

  /** Null until the first use. Lacks the uses of the last hour, or longer if no use was recorded since. */
  ranking(): UseRanking | null {
    const made = this.#ranking()
    return made && { id: made.id, names: made.names }
  }

  /** Most used first, weighed at `now` (epoch ms). */
  most(now: number): readonly SkillUsage[] {
    return weighUses(this.#sql, now, SKILL_USE_SHOWN)
  }

  /**
   * Records one use at `now` (epoch ms) of each known skill that was not counted for `owner` today. Known are skills of
   * this build and published ones. Otherwise nothing is written.
   */
  async record(build: string, names: ReadonlySet<string>, owner: string, now: number): Promise<Result<null>> {
    const known = knownAmong(this.#sql, names)
    // Only when a built-in skill is used for the first time, because reading a large index takes long.
    if (known.size < names.size) {
      const index = await this.#content.index(build)
      if (!index.ok) return index
      for (const { name } of index.value.skills) if (names.has(name)) known.add(name)
    }
    if (known.size === 0) return ok(null)
    const day = dayOf(now)
    const who = await sha256Hex(JSON.stringify([day, owner]))
    // No await from here on: two concurrent calls must not rank rows that the other has changed.
    const made = this.#storage.transactionSync(() => {
      countUses(this.#sql, firstOfDay(this.#sql, day, who, known), now)
      return this.#isDue(now) ? this.#rank(now) : null
    })
    if (made) this.#made = made
    return ok(null)
  }

  #isDue(now: number): boolean {
    const age = now - (this.#ranking()?.madeAt ?? Number.NEGATIVE_INFINITY)
    // A ranking from the future was made when the clock was wrong.
    return age < 0 || age >= SKILL_USE_RANK_MS
  }

  /** An unchanged ranking keeps its id, so that callers do not receive it again. */
  #rank(now: number): MadeRanking {
    forgetUses(this.#sql, now)
    const names = mostUsed(this.#sql)
    const last = this.#ranking()
    const same = last !== null && JSON.stringify(last.names) === JSON.stringify(names)
    const made = { madeAt: now, id: same ? last.id : randomToken(24), names }
    keepRanking(this.#sql, made)
    return made
  }
}
