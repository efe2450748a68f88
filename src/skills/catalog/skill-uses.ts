// Counts which skills runs use and ranks them. A ranking is made when uses are told, never when somebody waits for one.

import { sha256Hex } from '../../lib/bytes.ts'
import { ok, type Result } from '../../lib/result.ts'
import { SKILL_USE_RANK_MS } from '../../limits.ts'
import type { UseRanking } from '../skill.ts'
import type { ContentReader } from '../store/content-reader.ts'
import {
  countUses,
  forgetUses,
  keepRanking,
  knownAmong,
  mostUsed,
  readRanking,
  type MadeRanking,
} from './use-rows.ts'

export class SkillUses {
  readonly #sql: SqlStorage
  readonly #content: Pick<ContentReader, 'index'>
  /** As its row; undefined until that was read. */
  #made: MadeRanking | null | undefined

  constructor(sql: SqlStorage, content: Pick<ContentReader, 'index'>) {
    this.#sql = sql
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

  /** One use of each at `now` (epoch ms), of those that this build or a publish brought here. Else nothing is written. */
  async told(build: string, names: ReadonlySet<string>, now: number): Promise<Result<null>> {
    const known = knownAmong(this.#sql, names)
    // Only where a built-in skill is used for the first time: a large index takes long to read.
    if (known.size < names.size) {
      const index = await this.#content.index(build)
      if (!index.ok) return index
      for (const { name } of index.value.skills) if (names.has(name)) known.add(name)
    }
    if (known.size === 0) return ok(null)
    countUses(this.#sql, known, now)
    const age = now - (this.#ranking()?.madeAt ?? Number.NEGATIVE_INFINITY)
    // A ranking from the future was made by a clock that was wrong.
    if (age < 0 || age >= SKILL_USE_RANK_MS) await this.#rank(now)
    return ok(null)
  }

  async #rank(now: number): Promise<void> {
    forgetUses(this.#sql, now)
    const names = mostUsed(this.#sql)
    const made = { madeAt: now, id: await sha256Hex(JSON.stringify(names)), names }
    keepRanking(this.#sql, made)
    this.#made = made
  }
}
