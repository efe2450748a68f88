// Counts which skills runs use, once a day for each owner of threads, and ranks them. A ranking is made when uses are
// told, never when somebody waits for one.

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
  /** As its row; undefined until that was read. */
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

  /** Null until the first use. It lacks the uses of an hour after it was made, until the next one after that is told. */
  ranking(): UseRanking | null {
    const made = this.#ranking()
    return made && { id: made.id, names: made.names }
  }

  /** Most used first, as they weigh at `now` (epoch ms). */
  most(now: number): readonly SkillUsage[] {
    return weighUses(this.#sql, now, SKILL_USE_SHOWN)
  }

  /**
   * One use of each at `now` (epoch ms), of those that this build or a publish brought here, and that were not counted
   * for `owner` today. Else nothing is written.
   */
  async told(build: string, names: ReadonlySet<string>, owner: string, now: number): Promise<Result<null>> {
    const known = knownAmong(this.#sql, names)
    // Only where a built-in skill is used for the first time: a large index takes long to read.
    if (known.size < names.size) {
      const index = await this.#content.index(build)
      if (!index.ok) return index
      for (const { name } of index.value.skills) if (names.has(name)) known.add(name)
    }
    if (known.size === 0) return ok(null)
    const day = dayOf(now)
    const who = await sha256Hex(JSON.stringify([day, owner]))
    // Nothing is awaited from here on: of two that tell at once, neither ranks by rows that the other has changed since.
    const made = this.#storage.transactionSync(() => {
      countUses(this.#sql, firstOfDay(this.#sql, day, who, known), now)
      return this.#isDue(now) ? this.#rank(now) : null
    })
    if (made) this.#made = made
    return ok(null)
  }

  #isDue(now: number): boolean {
    const age = now - (this.#ranking()?.madeAt ?? Number.NEGATIVE_INFINITY)
    // A ranking from the future was made by a clock that was wrong.
    return age < 0 || age >= SKILL_USE_RANK_MS
  }

  /** The same names keep their id, so that nobody is sent what he has. */
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
