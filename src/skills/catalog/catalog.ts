// The Catalog Durable Object: which skill and tool versions are live in one workspace. Nothing else writes them.

import { DurableObject } from 'cloudflare:workers'
import type { RestoredPage, RowsPage } from '../../backup/api.ts'
import { isRestoring, NOT_COMPLETE } from '../../backup/restoring.ts'
import type { Env } from '../../env/env.ts'
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
import type { IndexEntry, RankedCatalog, ToolEntry, WholeTool } from '../skill.ts'
import { acceptedFiles, storeAccepted } from './accepted-rows.ts'
import type {
  AcceptedFile,
  Batch,
  CatalogApi,
  CatalogVersion,
  Changed,
  ChangeRequest,
  NewVersion,
  Purge,
  SharedVersion,
  SkillChange,
  SkillUsage,
  StagedBlob,
  VersionInfo,
  VersionKey,
  VersionName,
  Operation,
} from './api.ts'
import { changedBy } from './changes.ts'
import { CatalogCore } from './core.ts'
import { entryIn } from './merge.ts'
import { toolIn } from './merge-tools.ts'
import { planCommit, planRestore } from './plan-many.ts'
import { planSkill } from './plan-skill.ts'
import { missingVersion, planTools } from './plan-tool.ts'
import type { Plan } from './plan.ts'
import { indexOfVersion, listCatalogVersions, liveDigest } from './rows.ts'
import { CATALOG_MIGRATIONS, CATALOG_TABLES } from './schema.ts'
import { findShared, keepShared, sharedAs } from './shared-rows.ts'
import { SkillUses } from './skill-uses.ts'
import { listToolVersions, toolVersion } from './tool-rows.ts'
import type { ToolVersion, ToolVersionInfo } from './tools-api.ts'
import {
  earlierDigests,
  listHistory,
  listVersions,
  publishedNames,
  publishedVersion,
} from './version-rows.ts'

/** A plan, with the names of the skills and tools that the request names and the new versions that it publishes. */
interface PlannedOperation {
  readonly plan: Plan
  readonly named: readonly string[]
  readonly versions?: readonly NewVersion[]
  readonly tools?: readonly string[]
}

export class Catalog extends DurableObject<Env> implements CatalogApi {
  // Private fields (#), because members that only TypeScript makes private can be called over RPC.
  readonly #workspace: string
  readonly #stores: SkillStores
  readonly #content: ContentReader
  readonly #core: CatalogCore
  readonly #sql: SqlStorage
  readonly #uses: SkillUses
  #isRestoring: boolean

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const workspace = ctx.id.name
    if (!workspace || workspace.includes('/')) throw new Error('a Catalog is named by its workspace')
    this.#workspace = workspace
    this.#sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.#sql, CATALOG_MIGRATIONS))
    this.#isRestoring = isRestoring(this.#sql)
    this.#stores = skillStores(env)
    this.#content = skillContent(env, workspace)
    this.#uses = new SkillUses(ctx.storage, this.#content)
    this.#core = new CatalogCore({
      workspace,
      storage: ctx.storage,
      stores: this.#stores,
      content: this.#content,
      deleter: {
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
    if (this.#isRestoring) return NOT_COMPLETE
    const live = await this.#core.live(build)
    if (!live.ok || ranking === undefined) return live
    const used = this.#uses.ranking()
    return (used?.id ?? null) === ranking ? live : ok({ ...live.value, used })
  }

  used(build: string, names: readonly string[], owner: string): Promise<Result<null>> {
    return this.#uses.record(build, new Set(names), owner, systemClock())
  }

  async mostUsed(): Promise<Result<readonly SkillUsage[]>> {
    return ok(this.#uses.most(systemClock()))
  }

  async entries(build: string, names: readonly string[]): Promise<Result<readonly (IndexEntry | null)[]>> {
    if (this.#isRestoring) return NOT_COMPLETE
    const current = await this.#core.read(build)
    if (!current.ok) return current
    return ok(names.map((name) => entryIn(current.value.build, current.value.overlay, name)))
  }

  async stage(blobs: readonly StagedBlob[], maxBytes: number | null): Promise<Result<null>> {
    return this.#core.staging.stage(blobs, maxBytes)
  }

  async known(
    blobs: readonly string[],
  ): Promise<Result<{ readonly kept: string[]; readonly staged: string[] }>> {
    return ok(await this.#core.staging.known(blobs))
  }

  async change({ operation, ...terms }: ChangeRequest): Promise<Result<Changed>> {
    if (this.#isRestoring) return NOT_COMPLETE
    const planned = await this.#planOf(operation)
    if (!planned.ok) return planned
    const { plan, named, versions = [], tools = [] } = planned.value
    const done = await this.#core.change(terms, plan)
    if (!done.ok) return done
    const by = { author: terms.author, at: rfc3339(systemClock()) }
    if (!terms.dryRun) for (const version of versions) storeAccepted(this.#sql, version, by)
    const { build, overlay } = done.value
    const shown = await this.#whole(tools.map((name) => toolIn(build, overlay, name)))
    return ok(changedBy(done.value, named, shown.ok ? shown.value : tools.map(() => null)))
  }

  async #planOf(operation: Operation): Promise<Result<PlannedOperation>> {
    if (operation.kind === 'commit') {
      const batch =
        'sha256' in operation.batch ? await this.#batchAt(operation.batch.sha256) : operation.batch
      if (!batch)
        return fail('overloaded', 'The commit could not be read back from the stores. Send it again.', {
          retryAfterS: 2,
        })
      const versions = batch.skills
      return ok({ plan: planCommit(batch), named: versions.map(({ entry }) => entry.name), versions })
    }
    if ('skill' in operation) return ok({ plan: planSkill(operation), named: [operation.skill] })
    if (operation.kind === 'upsert-tools')
      return ok({ plan: planTools(operation), named: [], tools: operation.tools.map(({ name }) => name) })
    if (operation.kind !== 'restore')
      return ok({ plan: planTools(operation), named: [], tools: [operation.tool] })
    const address = indexOfVersion(this.#sql, operation.version)
    if (address === null)
      return fail(
        'not_found',
        `There is no catalog version ${operation.version}. GET /admin/catalog/versions lists them.`,
      )
    const target = await this.#content.index(address)
    return target.ok
      ? ok({ plan: planRestore(target.value, operation.note, operation.tools), named: [] })
      : target
  }

  async version(skill: string, digest: string): Promise<Result<IndexEntry>> {
    return publishedVersion(this.#sql, { name: skill, digest }, 'Request another version of the skill.')
  }

  purge({ name, digest }: VersionKey, note: string | null, author: string): Promise<Result<Purge>> {
    return this.#core.purge({ name, digest, note, author })
  }

  async versions(skill: string): Promise<Result<readonly VersionInfo[]>> {
    const listed = listVersions(this.#sql, skill)
    if (listed.length > 0) return ok(listed)
    const hint = didYouMean(skill, publishedNames(this.#sql))
    return fail('not_found', `No skill "${skill}" was ever published here.${hint}`)
  }

  async accepted(skill: string, files: readonly string[]): Promise<Result<readonly AcceptedFile[]>> {
    return ok(acceptedFiles(this.#sql, skill, files))
  }

  async earlier(skill: string): Promise<Result<readonly string[]>> {
    return ok(earlierDigests(this.#sql, skill, liveDigest(this.#sql, skill)))
  }

  async history(
    name: string | null,
    limit: number,
    before: number | null,
    kind: 'skill' | 'tool' = 'skill',
  ): Promise<Result<{ readonly items: readonly SkillChange[]; readonly next: number | null }>> {
    return ok(listHistory(this.#sql, kind, name, limit, before))
  }

  async toolEntries(build: string, names: readonly string[]): Promise<Result<readonly (WholeTool | null)[]>> {
    if (this.#isRestoring) return NOT_COMPLETE
    const current = await this.#core.read(build)
    if (!current.ok) return current
    return this.#whole(names.map((name) => toolIn(current.value.build, current.value.overlay, name)))
  }

  /** Tools of the build may have their definitions in objects next to its index. */
  async #whole(tools: readonly (ToolEntry | null)[]): Promise<Result<readonly (WholeTool | null)[]>> {
    const found = await this.#content.wholeTools(tools.filter((tool) => tool !== null))
    if (!found.ok) return found
    const whole = new Map(found.value.map((tool) => [tool.name, tool]))
    return ok(tools.map((tool) => tool && (whole.get(tool.name) ?? null)))
  }

  async toolVersion(tool: string, digest: string): Promise<Result<ToolVersion>> {
    const version = toolVersion(this.#sql, tool, digest)
    return version ? ok(version) : missingVersion(tool, digest)
  }

  async toolVersions(tool: string): Promise<Result<readonly ToolVersionInfo[]>> {
    return ok(listToolVersions(this.#sql, tool))
  }

  async catalogVersions(limit: number, before: number | null): Promise<Result<readonly CatalogVersion[]>> {
    return ok(listCatalogVersions(this.#sql, limit, before))
  }

  async sharedVersions(versions: readonly VersionName[]): Promise<Result<readonly SharedVersion[]>> {
    return ok(findShared(this.#sql, versions))
  }

  async keepShared(
    build: string,
    packedVersions: readonly SharedVersion[],
  ): Promise<Result<readonly SharedVersion[]>> {
    return this.#core.whileUnchanged(build, ({ overlay, build: base }) => {
      const shared = packedVersions.filter(({ name, category, digest }) => {
        const liveEntry = entryIn(base, overlay, name)
        return liveEntry?.shareable && liveEntry.category === category && liveEntry.digest === digest
      })
      return keepShared(this.#sql, shared)
    })
  }

  async sharedAs(skill: Omit<VersionName, 'digest'>, sha256: string): Promise<Result<SharedVersion | null>> {
    return ok(sharedAs(this.#sql, skill, sha256))
  }

  async backupRows(cursor: string | null): Promise<Result<RowsPage>> {
    const { readRows } = await import('../../backup/read.ts')
    return this.#isRestoring ? NOT_COMPLETE : readRows(this.#sql, CATALOG_TABLES, cursor)
  }

  async beginRestore(): Promise<Result<null>> {
    const { closeCatalog } = await import('./restore.ts')
    const begun = closeCatalog(this.ctx.storage)
    this.#isRestoring = isRestoring(this.#sql)
    return begun
  }

  async restoreRows(page: RestoredPage): Promise<Result<null>> {
    const { restoreCatalog } = await import('./restore.ts')
    return restoreCatalog(this.ctx.storage, this.#workspace, page)
  }

  async finishRestore(): Promise<Result<null>> {
    const { openCatalog } = await import('./restore.ts')
    openCatalog(this.ctx.storage)
    this.#core.forget()
    this.#uses.forget()
    this.#isRestoring = false
    await this.#core.staging.arm()
    return ok(null)
  }

  /** Reads a batch that was too large for an RPC call. This workspace's publisher stored it under its hash. */
  async #batchAt(sha256: string): Promise<Batch | null> {
    const bytes = await this.#stores.blobs.get(blobKey({ workspace: this.#workspace }, sha256))
    if (!bytes || (await sha256Hex(bytes)) !== sha256) return null
    return JSON.parse(fromUtf8(bytes) ?? 'null') as Batch | null // The cast is safe: publish/write.ts wrote a Batch.
  }
}
