// The ledger of loaded skills, from rows: which are active in a run, and whose instructions the model has before it.

import type { SkillUse } from '../../agent/events.ts'
import type { Category } from '../../skills/skill.ts'

/** One immutable skill version where the model sees it. */
export interface SkillVersion {
  readonly name: string
  readonly category: Category
  readonly digest: string
}

export interface SkillLoad extends SkillVersion {
  readonly via: SkillUse['via']
  /** Its instructions go into the transcript with this load. */
  readonly body: boolean
}

export class SkillLoads {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** In one block with the message or the result that holds the instructions. */
  add(runId: string, message: number, load: SkillLoad): void {
    this.#sql.exec(
      'INSERT INTO skill_loads (run_id, message, name, category, digest, via, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
      runId,
      message,
      load.name,
      load.category,
      load.digest,
      load.via,
      load.body ? 1 : 0,
    )
  }

  /**
   * Whether the instructions of this very version are the newest of their name that the model has before it. Those that
   * came with a message which was withdrawn since are in no request any more; results of tools are never withdrawn.
   */
  stands(skill: SkillVersion): boolean {
    const newest = this.#sql
      .exec<{ category: string; digest: string }>(
        `SELECT category, digest FROM skill_loads AS load JOIN messages ON messages.seq = load.message
         WHERE load.body = 1 AND load.name = ? AND content <> '[]' ORDER BY load.ord DESC LIMIT 1`,
        skill.name,
      )
      .toArray()[0]
    return newest?.digest === skill.digest && newest.category === skill.category
  }

  /** Names of skills whose instructions, filled in or a part of them, came into this conversation and still stand there. */
  held(): ReadonlySet<string> {
    const rows = this.#sql.exec<{ name: string }>(
      `SELECT DISTINCT name FROM skill_loads AS load JOIN messages ON messages.seq = load.message
       WHERE content <> '[]'`,
    )
    return new Set(Array.from(rows, ({ name }) => name))
  }

  /** In the order of loading. `before`: without what this message asked for. The type names what add() wrote. */
  of(runId: string, before: number | null = null): readonly (SkillVersion & Pick<SkillLoad, 'via'>)[] {
    type Row = { name: string; category: Category; digest: string; via: SkillUse['via'] }
    return this.#sql
      .exec<Row>(
        `SELECT name, category, digest, via FROM skill_loads
         WHERE run_id = ? AND message IS NOT ? ORDER BY ord`,
        runId,
        before,
      )
      .toArray()
  }

  /** Those of a run that a person called. */
  called(runId: string): ReturnType<SkillLoads['of']> {
    return this.of(runId).filter(({ via }) => via === 'slash' || via === 'request')
  }
}
