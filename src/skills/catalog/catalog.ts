// The Catalog object: what is live in one workspace, by which versions and since when. The only writer of that.

import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import { systemClock } from '../../lib/clock.ts'
import { migrate } from '../../lib/migrate.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { Actor, CatalogApi, HistoryItem, VersionInfo } from './api.ts'
import { CatalogCore } from './core.ts'
import { planPin, planPublish, planRetire, planRollback, planSwitch } from './plans.ts'
import type { Plan } from './plans.ts'
import { listHistory, listVersions, publishedNames } from './rows.ts'
import { CATALOG_MIGRATIONS } from './schema.ts'
import { skillContent, skillStores } from '../store/content.ts'
import type { Finding, IndexEntry, LiveCatalog } from '../skill.ts'
import { didYouMean } from '../../lib/suggest.ts'

function authorOf(actor: Actor): string {
  return actor.user ?? actor.keyId
}

export class Catalog extends DurableObject<Env> implements CatalogApi {
  readonly #core: CatalogCore
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const workspace = ctx.id.name
    if (!workspace || workspace.includes('/')) throw new Error('a Catalog is named by its workspace')
    this.#sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.#sql, CATALOG_MIGRATIONS))
    this.#core = new CatalogCore({
      workspace,
      storage: ctx.storage,
      stores: skillStores(env),
      content: skillContent(env, workspace),
      clock: systemClock,
    })
  }

  live(build: string): Promise<Result<LiveCatalog>> {
    return this.#core.live(build)
  }

  async publish(
    build: string,
    entry: IndexEntry,
    findings: readonly Finding[],
    note: string | null,
    actor: Actor,
    expect?: string,
  ): Promise<
    Result<{ readonly entry: IndexEntry; readonly created: boolean; readonly catalog_version: number }>
  > {
    const plan = planPublish(entry, findings, note, expect)
    const done = await this.#core.change(build, authorOf(actor), plan)
    if (!done.ok) return done
    const { live, changed, index } = done.value
    const merged = index.skills.find((skill) => skill.name === entry.name) ?? entry
    return ok({ entry: merged, created: changed, catalog_version: live.version })
  }

  setEnabled(build: string, skill: string, enabled: boolean, actor: Actor): Promise<Result<LiveCatalog>> {
    return this.#change(build, actor, planSwitch(skill, enabled))
  }

  pin(build: string, skill: string, digest: string, actor: Actor): Promise<Result<LiveCatalog>> {
    return this.#change(build, actor, planPin(skill, digest))
  }

  rollback(build: string, skill: string, to: string | number, actor: Actor): Promise<Result<LiveCatalog>> {
    return this.#change(build, actor, planRollback(skill, to))
  }

  retire(build: string, skill: string, actor: Actor): Promise<Result<LiveCatalog>> {
    return this.#change(build, actor, planRetire(skill))
  }

  async versions(skill: string): Promise<Result<readonly VersionInfo[]>> {
    const found = listVersions(this.#sql, skill)
    if (found.length > 0) return ok(found)
    const hint = didYouMean(skill, publishedNames(this.#sql))
    return fail('not_found', `No skill "${skill}" was ever published here.${hint}`)
  }

  async history(
    skill: string | null,
    limit: number,
    before: number | null,
  ): Promise<Result<{ readonly items: readonly HistoryItem[]; readonly next: number | null }>> {
    return ok(listHistory(this.#sql, skill, limit, before))
  }

  async #change(build: string, actor: Actor, plan: Plan): Promise<Result<LiveCatalog>> {
    const done = await this.#core.change(build, authorOf(actor), plan)
    return done.ok ? ok(done.value.live) : done
  }
}
