// Since when built-in skills are as they are. A build has no clock: the catalog says when it met it, and builds are
// compared when somebody asks, never for a run.

import type { Result } from '../../lib/result.ts'
import { BUILDS_COMPARED_AT_ONCE, BUILT_IN_ROWS_AT_ONCE } from '../../limits.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import * as rows from './built-in-rows.ts'
import type { BuiltInChange } from './built-in-rows.ts'
import { builtIns } from './merge.ts'

export class BuiltInTimes {
  readonly #storage: DurableObjectStorage
  readonly #content: Pick<ContentReader, 'index'>
  /** One at a time: a comparison awaits the stores between what it reads and what it writes. */
  #settling: Promise<void> | null = null

  constructor(storage: DurableObjectStorage, content: Pick<ContentReader, 'index'>) {
    this.#storage = storage
    this.#content = content
  }

  /**
   * By name, RFC 3339: since when `build` has these skills as it has them. A build that could not be compared yet has
   * all of them since it was met; so has one that was met before the comparison began.
   */
  async since(build: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    await this.#settled()
    const { sql } = this.#storage
    const met = rows.metBuild(sql, build)
    if (!met) return new Map()
    const compared = rows.compared(sql)
    const known = compared && met.seq >= compared.first.seq && met.seq <= compared.last.seq
    const at = known
      ? (name: string) => rows.changedAt(sql, name, met.seq) ?? compared.first.at
      : () => met.at
    return new Map(names.map((name) => [name, at(name)]))
  }

  /** The same entries; built-in ones with their time. */
  async dated<E extends IndexEntry | null>(build: string, entries: readonly E[]): Promise<readonly E[]> {
    const names = entries.flatMap((entry) => (entry?.category === 'public' ? [entry.name] : []))
    if (names.length === 0) return entries
    const since = await this.since(build, names)
    return entries.map((entry) =>
      entry?.category === 'public' ? { ...entry, updated_at: since.get(entry.name) ?? null } : entry,
    )
  }

  /** What the skill was in the first build that was compared; null: nothing, or nobody knows. */
  async origin(build: SkillIndex, address: string, name: string): Promise<string | null> {
    await this.#settled()
    const { sql } = this.#storage
    const met = rows.metBuild(sql, address)
    const compared = rows.compared(sql)
    if (!met || !compared || met.seq < compared.first.seq || met.seq > compared.last.seq) return null
    return rows.firstDigest(sql, name, builtIns(build).get(name)?.digest ?? null)
  }

  #settled(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = null
    })
    return this.#settling
  }

  async #settle(): Promise<void> {
    const { sql } = this.#storage
    for (let left = BUILDS_COMPARED_AT_ONCE; left > 0; left--) {
      const compared = rows.compared(sql)
      const start = compared ? null : rows.recentBuild(sql, BUILDS_COMPARED_AT_ONCE)
      if (start) {
        this.#storage.transactionSync(() => rows.beginWith(sql, start))
        continue
      }
      const next = compared && rows.nextBuild(sql, compared.last.seq)
      if (!next) return
      const [before, after] = [
        await this.#content.index(compared.last.build),
        await this.#content.index(next.build),
      ]
      if (isSilent(before) || isSilent(after)) return
      this.#storage.transactionSync(() => {
        if (before.ok && after.ok)
          rows.insertChanges(sql, next, changesOf(before.value, after.value), BUILT_IN_ROWS_AT_ONCE)
        // An index that is lost can be compared with nothing, ever.
        else rows.beginWith(sql, next)
      })
    }
  }
}

/** The store did not answer: another time it will. */
function isSilent(index: Result<SkillIndex>): boolean {
  return !index.ok && index.error.retryAfterS !== undefined
}

function changesOf(before: SkillIndex, after: SkillIndex): readonly BuiltInChange[] {
  const [was, is] = [builtIns(before), builtIns(after)]
  const changes: BuiltInChange[] = []
  for (const [name, { digest }] of is)
    if (was.get(name)?.digest !== digest)
      changes.push({ name, before: was.get(name)?.digest ?? null, after: digest })
  for (const [name, { digest }] of was) if (!is.has(name)) changes.push({ name, before: digest, after: null })
  return changes
}
