// A workspace for catalog tests: its catalog over RPC, publishing, and the live skills by name.

import { env } from 'cloudflare:workers'
import type { Failure, Result } from '../../src/lib/result.ts'
import { startPace, type Pace } from '../../src/lib/steps.ts'
import type { CatalogApi, Changes, Expect, Patch, Operation } from '../../src/skills/catalog/api.ts'
import type { Catalog } from '../../src/skills/catalog/catalog.ts'
import { contentReader, isolateCache } from '../../src/skills/store/content-reader.ts'
import type { ContentReader } from '../../src/skills/store/content-reader.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { loadGrammarTables } from '../../src/skills/scan/code/common/grammar-tables.ts'
import { publishFiles } from '../../src/skills/publish/publish.ts'
import type { Published, PublishRequest } from '../../src/skills/publish/publish.ts'
import type { IndexEntry, LiveCatalog } from '../../src/skills/skill.ts'
import { skillFiles } from './seed-build.ts'
import type { SeedSkill } from './seed-build.ts'
import { KNOWN_TOOLS } from '../../src/tools/builtins.ts'

export const AUTHOR = 'ann'

export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

export function failure(result: Result<unknown>): Failure {
  if (result.ok) throw new Error(`expected a failure, got ${JSON.stringify(result.value)}`)
  return result.error
}

/** No limit on the bytes of skills. */
export async function unbounded(): Promise<Result<number>> {
  return { ok: true, value: Number.MAX_SAFE_INTEGER }
}

/** What publishing needs, with the built-in tools and no limit. */
export const unlimited = {
  tools: KNOWN_TOOLS,
  loadGrammars: async () => loadGrammarTables(env.ASSETS),
  maxBytes: unbounded,
}

/** A pace that never yields, because nothing else runs. */
export function unpaced(): Pace {
  return startPace(async () => undefined)
}

/** Changes the catalog with an author and a note. Returns what is live afterwards. */
async function changed(
  catalog: CatalogApi,
  build: string,
  operation: Operation,
): Promise<Result<LiveCatalog & { readonly changes: Changes }>> {
  const done = await catalog.change({ author: AUTHOR, build, dryRun: false, operation })
  if (!done.ok) return done
  const { version, index, changes } = done.value
  return { ok: true, value: { version, index, changes } }
}

async function liveAfter(
  catalog: CatalogApi,
  build: string,
  operation: Operation,
): Promise<Result<LiveCatalog>> {
  const done = await changed(catalog, build, operation)
  if (!done.ok) return done
  const { version, index } = done.value
  return { ok: true, value: { version, index } }
}

export function patchSkill(
  catalog: CatalogApi,
  build: string,
  skill: string,
  patch: Patch,
  expect?: Expect,
): Promise<Result<LiveCatalog>> {
  return liveAfter(catalog, build, { kind: 'patch', skill, patch, expect })
}

export function rollBack(
  catalog: CatalogApi,
  build: string,
  skill: string,
  to: string | number,
  expect?: Expect,
): Promise<Result<LiveCatalog>> {
  return liveAfter(catalog, build, { kind: 'rollback', skill, to, expect })
}

export function unpublishSkill(
  catalog: CatalogApi,
  build: string,
  skill: string,
  expect?: Expect,
): Promise<Result<LiveCatalog>> {
  return liveAfter(catalog, build, { kind: 'unpublish', skill, expect })
}

export function restoreCatalog(
  catalog: CatalogApi,
  build: string,
  version: number,
  note: string | null = null,
  tools = true,
): Promise<Result<LiveCatalog & { readonly changes: Changes }>> {
  return changed(catalog, build, { kind: 'restore', version, note, tools })
}

/** The catalog with another `change` method. */
export function changedBy(catalog: CatalogApi, change: CatalogApi['change']): CatalogApi {
  // On a stub every name is a method, so all others are passed on.
  return new Proxy(catalog, { get: (of, key) => (key === 'change' ? change : Reflect.get(of, key)) })
}

export interface TestWorkspace {
  readonly stub: DurableObjectStub<Catalog>
  readonly catalog: CatalogApi
  /** With a cache of its own, so that every test reads the stores. */
  readonly content: ContentReader
  readonly publish: (
    build: string,
    skill: SeedSkill,
    more?: Partial<PublishRequest>,
  ) => Promise<Result<Published>>
  /** Entries of a live catalog by name. */
  readonly skills: (live: LiveCatalog) => Promise<ReadonlyMap<string, IndexEntry>>
}

export function openWorkspace(workspace: string): TestWorkspace {
  // The cast is safe: the namespace in Env is untyped, and this is its class.
  const stub = env.CATALOGS.getByName(workspace) as DurableObjectStub<Catalog>
  const catalog = stub as unknown as CatalogApi
  const stores = skillStores(env)
  const content = contentReader(stores, workspace, isolateCache())
  return {
    stub,
    catalog,
    content,
    publish: (build, skill, more = {}) =>
      publishFiles(
        { files: skillFiles(skill), note: null, author: AUTHOR, build, dryRun: false, ...more },
        {
          workspace,
          stores,
          content,
          catalog,
          pace: unpaced(),
          ...unlimited,
        },
      ),
    async skills(live) {
      const index = value(await content.index(live.index))
      return new Map(index.skills.map((entry) => [entry.name, entry]))
    },
  }
}
