// Stores which skills were loaded: which are active in a run, and whose instructions the model has in its
// context.

import type { SkillUse } from '../../agent/events.ts'
import type { Category } from '../../skills/skill.ts'

/** One immutable version of a skill. */
export interface SkillVersion {
  readonly name: string
  readonly category: Category
  readonly digest: string
}

export interface SkillLoad extends SkillVersion {
  readonly via: SkillUse['via']
  /** Whether this load adds the skill's instructions to the transcript. */
  readonly body: boolean
}

type LoadRow = {
  readonly message: number
  readonly name: string
  readonly category: Category
  readonly digest: string
  readonly via: SkillUse['via']
}

/** The window's first message, and the skills in its opening. */
interface WindowSkills {
  readonly first: number
  readonly skills: readonly SkillVersion[]
}

export class SkillLoads {
  readonly #sql: SqlStorage
  /** Cached loads of the run that was read last. Always accurate, because only this object writes them. */
  #cached: { readonly runId: string; readonly loads: LoadRow[] } | null = null

  readonly #window: () => WindowSkills

  /** `window` returns the thread's newest window: what an earlier one contained, the model no longer has. */
  constructor(sql: SqlStorage, window: () => WindowSkills) {
    this.#sql = sql
    this.#window = window
  }

  /** Drops the cache, which may be wrong; the next access reads the rows. */
  dropCache(): void {
    this.#cached = null
  }

  /**
   * Adds a load. Must be called in the same block that writes the message or result with the instructions.
   */
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
    if (this.#cached?.runId === runId) this.#cached.loads.push({ message, name, category, digest, via })
  }

  /**
   * Whether the newest instructions under this name that the model has are of this same version. Instructions
   * in a withdrawn message do not count, because the model no longer gets them; results of tools are never
   * withdrawn.
   */
  isCurrentVersion(skill: SkillVersion): boolean {
    const newest =
      this.#sql
        .exec<{ category: string; digest: string }>(
          `SELECT category, digest FROM skill_loads AS load JOIN messages ON messages.seq = load.message
         WHERE load.body = 1 AND load.name = ? AND content <> '[]' AND load.message >= ?
         ORDER BY load.ord DESC LIMIT 1`,
          skill.name,
          this.#window().first,
        )
        .toArray()[0] ?? this.#window().skills.find(({ name }) => name === skill.name)
    return newest?.digest === skill.digest && newest.category === skill.category
  }

  /**
   * Names of skills whose instructions, complete, in part or with arguments filled in, are still in the
   * window, the newest last.
   */
  namesInContext(): ReadonlySet<string> {
    const { first, skills } = this.#window()
    const rows = this.#sql.exec<{ name: string }>(
      `SELECT name FROM skill_loads AS load JOIN messages ON messages.seq = load.message
       WHERE content <> '[]' AND load.message >= ? GROUP BY name ORDER BY max(load.ord)`,
      first,
    )
    const loaded = Array.from(rows, ({ name }) => name)
    return new Set([...skills.map(({ name }) => name).filter((name) => !loaded.includes(name)), ...loaded])
  }

  /** The loads of a run in order, without those of message `before`. */
  ofRun(runId: string, before: number | null = null): readonly (SkillVersion & Pick<SkillLoad, 'via'>)[] {
    if (this.#cached?.runId !== runId) this.#cached = { runId, loads: this.#read(runId) }
    return this.#cached.loads.filter(({ message }) => message !== before)
  }

  /** The type is safe: only add() writes these rows. */
  #read(runId: string): LoadRow[] {
    return this.#sql
      .exec<LoadRow>(
        'SELECT message, name, category, digest, via FROM skill_loads WHERE run_id = ? ORDER BY ord',
        runId,
      )
      .toArray()
  }

  /** The skills that a person called for this run. */
  calledByUser(runId: string): ReturnType<SkillLoads['ofRun']> {
    return this.ofRun(runId).filter(({ via }) => via === 'slash' || via === 'request')
  }
}
