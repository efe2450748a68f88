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

type LoadRow = {
  readonly message: number
  readonly name: string
  readonly category: Category
  readonly digest: string
  readonly via: SkillUse['via']
}

export class SkillLoads {
  readonly #sql: SqlStorage
  /** Those of the run that was asked for last, as their rows stand: this object is their only writer. */
  #kept: { readonly runId: string; readonly loads: LoadRow[] } | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
  reread(): void {
    this.#kept = null
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
    const { name, category, digest, via } = load
    if (this.#kept?.runId === runId) this.#kept.loads.push({ message, name, category, digest, via })
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

  /** In the order of loading. `before`: without what this message asked for. */
  of(runId: string, before: number | null = null): readonly (SkillVersion & Pick<SkillLoad, 'via'>)[] {
    if (this.#kept?.runId !== runId) this.#kept = { runId, loads: this.#read(runId) }
    return this.#kept.loads.filter(({ message }) => message !== before)
  }

  /** The type names what add() wrote. */
  #read(runId: string): LoadRow[] {
    return this.#sql
      .exec<LoadRow>(
        'SELECT message, name, category, digest, via FROM skill_loads WHERE run_id = ? ORDER BY ord',
        runId,
      )
      .toArray()
  }

  /** Those of a run that a person called. */
  called(runId: string): ReturnType<SkillLoads['of']> {
    return this.of(runId).filter(({ via }) => via === 'slash' || via === 'request')
  }
}
