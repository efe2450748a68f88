// The Catalog object: what is live in one workspace, by which versions and since when. The only writer of that.

import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import { fromUtf8, sha256Hex } from '../../lib/bytes.ts'
import { rfc3339, systemClock } from '../../lib/clock.ts'
import { migrate } from '../../lib/migrate.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/suggest.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { skillContent, skillStores } from '../store/content.ts'
import { blobKey } from '../store/keys.ts'
import type { SkillStores } from '../store/store.ts'
import type { IndexEntry, LiveCatalog, RankedCatalog } from '../skill.ts'
import type {
  Actor,
  Batch,
  CatalogApi,
  CatalogVersion,
  Committed,
  Expect,
  Over,
  Patch,
  Purge,
  Restored,
  SharedVersion,
  SkillChange,
  SkillUse,
  StagedBlob,
  Standing,
  Trial,
  VersionInfo,
  VersionKey,
  VersionName,
  Wish,
} from './api.ts'
import { changesOf } from './changes.ts'
import { CatalogCore } from './core.ts'
import { entryIn } from './merge.ts'
import { planRestore } from './plan-many.ts'
import { planWish } from './plans.ts'
import type { Plan } from './plans.ts'
import { purgedVersions, refusePurged } from './purge-rows.ts'
import { indexOfVersion, listCatalogVersions, liveDigest } from './rows.ts'
import { CATALOG_MIGRATIONS } from './schema.ts'
import { findShared, keepShared, sharedAs } from './shared-rows.ts'
import { SkillUses } from './skill-uses.ts'
import { takeBatch } from './take-batch.ts'
import { earlierDigests, listHistory, listVersions, publishedNames, versionEntry } from './version-rows.ts'

function authorOf(actor: Actor): string {
  return actor.user ?? actor.keyId
}

export class Catalog extends DurableObject<Env> implements CatalogApi {
  // Private by name: what is only private by type can be called over RPC.
  readonly #workspace: string
  readonly #stores: SkillStores
  readonly #content: ContentReader
  readonly #core: CatalogCore
  readonly #sql: SqlStorage
  readonly #uses: SkillUses

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const workspace = ctx.id.name
    if (!workspace || workspace.includes('/')) throw new Error('a Catalog is named by its workspace')
    this.#workspace = workspace
    this.#sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.#sql, CATALOG_MIGRATIONS))
    this.#stores = skillStores(env)
    this.#content = skillContent(env, workspace)
    this.#uses = new SkillUses(ctx.storage, this.#content)
    this.#core = new CatalogCore({
      workspace,
      storage: ctx.storage,
      stores: this.#stores,
      content: this.#content,
      bin: {
        blobs: (keys) => env.RESOURCES.delete([...keys]),
        text: (key) => env.SKILLS.delete(key),
      },
      clock: systemClock,
    })
  }

  override alarm(): Promise<void> {
    return this.#core.sweep()
  }

  async live(build: string, ranking?: string | null): Promise<Result<RankedCatalog>> {
    const live = await this.#core.live(build)
    if (!live.ok || ranking === undefined) return live
    const used = this.#uses.ranking()
    return (used?.id ?? null) === ranking ? live : ok({ ...live.value, used })
  }

  used(build: string, names: readonly string[], owner: string): Promise<Result<null>> {
    return this.#uses.told(build, new Set(names), owner, systemClock())
  }

  async mostUsed(): Promise<Result<readonly SkillUse[]>> {
    return ok(this.#uses.most(systemClock()))
  }

  async standing(
    build: string,
    names: readonly string[],
    drafts: readonly VersionKey[] = [],
  ): Promise<Result<Standing>> {
    const seen = await this.#core.look(build)
    if (!seen.ok) return seen
    const { live, overlay, build: base } = seen.value
    const skills = names.map((name) => entryIn(base, overlay, name))
    const purged = purgedVersions(this.#sql, drafts)
    return ok({ version: live.version, now: rfc3339(systemClock()), skills, purged })
  }

  async stage(blobs: readonly StagedBlob[]): Promise<Result<null>> {
    await this.#core.staging.stage(blobs)
    return ok(null)
  }

  async known(
    blobs: readonly string[],
  ): Promise<Result<{ readonly kept: string[]; readonly staged: string[] }>> {
    return ok(await this.#core.staging.known(blobs))
  }

  async commit(
    build: string,
    sent: Batch | { readonly sha256: string },
    actor: Actor,
  ): Promise<Result<Committed>> {
    const batch = 'sha256' in sent ? await this.#batchAt(sent.sha256) : sent
    if (!batch) return fail('overloaded', 'The stores lost the commit. Send it again.', { retryAfterS: 2 })
    return takeBatch(this.#core, build, authorOf(actor), batch)
  }

  patch(
    build: string,
    skill: string,
    patch: Patch,
    actor: Actor,
    expect?: Expect,
  ): Promise<Result<LiveCatalog>> {
    return this.#change(build, actor, planWish({ kind: 'patch', skill, patch }, expect))
  }

  rollback(
    build: string,
    skill: string,
    to: string | number,
    actor: Actor,
    expect?: Expect,
  ): Promise<Result<LiveCatalog>> {
    return this.#change(build, actor, planWish({ kind: 'rollback', skill, to }, expect))
  }

  retire(build: string, skill: string, actor: Actor, expect?: Expect): Promise<Result<LiveCatalog>> {
    return this.#change(build, actor, planWish({ kind: 'retire', skill }, expect))
  }

  async restore(
    build: string,
    version: number,
    note: string | null,
    actor: Actor,
    over?: Over,
  ): Promise<Result<Restored>> {
    const plan = await this.#restorePlan(version, note)
    if (!plan.ok) return plan
    const done = await this.#core.change(build, authorOf(actor), plan.value, over)
    return done.ok ? ok({ ...done.value.live, changes: changesOf(done.value) }) : done
  }

  async trial(build: string, wish: Wish, expect?: Expect): Promise<Result<Trial>> {
    const plan =
      wish.kind === 'restore' ? await this.#restorePlan(wish.version, null) : ok(planWish(wish, expect))
    if (!plan.ok) return plan
    const over = wish.kind === 'restore' ? wish.over : undefined
    const tried = await this.#core.trial(build, plan.value, over)
    if (!tried.ok) return tried
    const { live, overlay, build: base } = tried.value
    const skill = wish.kind === 'restore' ? null : entryIn(base, overlay, wish.skill)
    return ok({ version: live.version, skill, changes: changesOf(tried.value) })
  }

  async #restorePlan(version: number, note: string | null): Promise<Result<Plan>> {
    const address = indexOfVersion(this.#sql, version)
    if (address === null)
      return fail(
        'not_found',
        `There was no catalog version ${version}. GET /admin/catalog/versions lists them.`,
      )
    const target = await this.#content.index(address)
    return target.ok ? ok(planRestore(target.value, note)) : target
  }

  async version(skill: string, digest: string): Promise<Result<IndexEntry>> {
    const entry = versionEntry(this.#sql, skill, digest)
    if (entry) return ok(entry)
    const purged = refusePurged(this.#sql, { name: skill, digest }, 'Ask for another of its versions.')
    if (purged) return purged
    return fail('not_found', `"${skill}" has no version ${digest}. Its versions are listed under /versions.`)
  }

  purge({ name, digest }: VersionKey, note: string | null, actor: Actor): Promise<Result<Purge>> {
    return this.#core.purge({ name, digest, note, author: authorOf(actor) })
  }

  async versions(skill: string): Promise<Result<readonly VersionInfo[]>> {
    const found = listVersions(this.#sql, skill)
    if (found.length > 0) return ok(found)
    const hint = didYouMean(skill, publishedNames(this.#sql))
    return fail('not_found', `No skill "${skill}" was ever published here.${hint}`)
  }

  async earlier(skill: string): Promise<Result<readonly string[]>> {
    return ok(earlierDigests(this.#sql, skill, liveDigest(this.#sql, skill)))
  }

  async history(
    skill: string | null,
    limit: number,
    before: number | null,
  ): Promise<Result<{ readonly items: readonly SkillChange[]; readonly next: number | null }>> {
    return ok(listHistory(this.#sql, skill, limit, before))
  }

  async catalogVersions(limit: number, before: number | null): Promise<Result<readonly CatalogVersion[]>> {
    return ok(listCatalogVersions(this.#sql, limit, before))
  }

  async sharedVersions(versions: readonly VersionName[]): Promise<Result<readonly SharedVersion[]>> {
    return ok(findShared(this.#sql, versions))
  }

  async keepShared(build: string, made: readonly SharedVersion[]): Promise<Result<readonly SharedVersion[]>> {
    return this.#core.between(build, ({ overlay, build: base }) => {
      const shared = made.filter(({ name, category, digest }) => {
        const now = entryIn(base, overlay, name)
        return now?.shareable && now.category === category && now.digest === digest
      })
      return keepShared(this.#sql, shared)
    })
  }

  async sharedAs(skill: Omit<VersionName, 'digest'>, sha256: string): Promise<Result<SharedVersion | null>> {
    return ok(sharedAs(this.#sql, skill, sha256))
  }

  async #change(build: string, actor: Actor, plan: Plan): Promise<Result<LiveCatalog>> {
    const done = await this.#core.change(build, authorOf(actor), plan)
    return done.ok ? ok(done.value.live) : done
  }

  /** A batch that was too large for a call. Written by this workspace's publisher, and nobody else's bytes hash to it. */
  async #batchAt(sha256: string): Promise<Batch | null> {
    const bytes = await this.#stores.blobs.get(blobKey({ workspace: this.#workspace }, sha256))
    if (!bytes || (await sha256Hex(bytes)) !== sha256) return null
    return JSON.parse(fromUtf8(bytes) ?? 'null') as Batch | null // commit.ts wrote it from this type
  }
}
