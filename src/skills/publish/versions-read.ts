// Reads versions of a skill: any version by its digest, its files, and what each change did to them.

import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { inParallel } from '../../lib/parallel.ts'
import { STORE_CONCURRENCY } from '../../limits/skills.ts'
import { diffFiles } from '../package/file-diff.ts'
import type { FileDiff } from '../package/file-diff.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { IndexEntry, ManifestFile } from '../skill.ts'
import type { CatalogApi, SkillChange } from '../catalog/api.ts'

export interface VersionDeps {
  readonly catalog: Pick<CatalogApi, 'version' | 'versions' | 'entries' | 'earlier'>
  readonly content: ContentReader
  readonly build: string
}

/** A version published here, live or not, or the built-in one of that name, shadowed or not. Failure: `not_found`. */
async function findVersion(
  name: string,
  digest: string,
  { catalog, content, build }: VersionDeps,
): Promise<Result<IndexEntry>> {
  const published = await catalog.version(name, digest)
  if (published.ok || published.error.code !== 'not_found') return published
  const builtIn = await publicVersion(name, { content, build })
  if (!builtIn.ok) return builtIn
  return builtIn.value?.digest === digest ? ok(builtIn.value) : published
}

/** The built-in skill of that name; null if there is none. */
async function publicVersion(
  name: string,
  { content, build }: Pick<VersionDeps, 'content' | 'build'>,
): Promise<Result<IndexEntry | null>> {
  const index = await content.index(build)
  return index.ok ? ok(index.value.skills.find((entry) => entry.name === name) ?? null) : index
}

/** The live version; of an unpublished skill the newest. Failure: `not_found`. */
async function newest(name: string, deps: VersionDeps): Promise<Result<IndexEntry>> {
  const found = await deps.catalog.entries(deps.build, [name])
  if (!found.ok) return found
  const [live] = found.value
  if (live) return ok(live)
  const versions = await deps.catalog.versions(name)
  if (!versions.ok) return versions
  // When all versions were purged, the error of the newest one explains it.
  const last = versions.value.find((one) => one.purged === null) ?? versions.value[0]
  return last ? deps.catalog.version(name, last.digest) : fail('not_found', `"${name}" has no versions.`)
}

export interface VersionPair {
  /** Null if there is no earlier version. */
  readonly from: IndexEntry | null
  readonly to: IndexEntry
}

/**
 * The two versions to compare. `to`: null for the live one. `from`: null for the one that was live before it, or that
 * it shadows.
 */
export async function versionPair(
  name: string,
  from: string | null,
  to: string | null,
  deps: VersionDeps,
): Promise<Result<VersionPair>> {
  const target = to === null ? await newest(name, deps) : await findVersion(name, to, deps)
  if (!target.ok) return target
  if (from !== null) {
    const base = await findVersion(name, from, deps)
    return base.ok ? ok({ from: base.value, to: target.value }) : base
  }
  const earlier = await deps.catalog.earlier(name)
  if (!earlier.ok) return earlier
  // Live versions in order, newest first. The target is one of them, or the current one.
  const { digest } = target.value
  const before = earlier.value.slice(earlier.value.indexOf(digest) + 1).find((other) => other !== digest)
  const base = before === undefined ? await publicVersion(name, deps) : await findVersion(name, before, deps)
  if (!base.ok) return base
  return ok({ from: base.value?.digest === digest ? null : base.value, to: target.value })
}

export interface HistoryEntry extends SkillChange {
  /** Added, removed and changed paths; null if the manifest of one side can no longer be read. */
  readonly files: readonly FileDiff[] | null
}

/** The changes, each with its changed files. */
export async function withFiles(
  changes: readonly SkillChange[],
  content: Pick<ContentReader, 'manifest'>,
): Promise<readonly HistoryEntry[]> {
  const lists = new Map<string, readonly ManifestFile[] | null>()
  const wanted = new Map<string, Parameters<typeof content.manifest>[0]>()
  for (const { name, action, before, after } of changes)
    for (const digest of before === after ? [] : [before, after])
      // Files of built-in skills change only with a build.
      if (name !== null && digest !== null)
        wanted.set(digest, { category: action === 'build' ? 'public' : 'custom', name, digest })
  await inParallel([...wanted], STORE_CONCURRENCY, async ([digest, version]) => {
    const list = await content.manifest(version)
    lists.set(digest, list.ok ? list.value : null)
  })
  const filesOf = (digest: string | null): readonly ManifestFile[] | null =>
    digest === null ? [] : (lists.get(digest) ?? null)
  return changes.map((change) => {
    if (change.name === null || change.before === change.after) return { ...change, files: [] }
    const before = filesOf(change.before)
    const after = filesOf(change.after)
    const all = before && after ? diffFiles(before, after) : null
    return { ...change, files: all?.filter((file) => file.change !== 'same') ?? null }
  })
}
