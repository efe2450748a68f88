// Finds versions of a skill to compare, and the files that each change in the history affected.

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

/**
 * A version published here, live or not, or the built-in skill of that name, even if shadowed. Failure: `not_found`.
 */
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

/** The live version, or the newest one of an unpublished skill. Failure: `not_found`. */
async function newestVersion(name: string, deps: VersionDeps): Promise<Result<IndexEntry>> {
  const found = await deps.catalog.entries(deps.build, [name])
  if (!found.ok) return found
  const [live] = found.value
  if (live) return ok(live)
  const versions = await deps.catalog.versions(name)
  if (!versions.ok) return versions
  // If all versions were purged, requesting the newest one fails with an error that says so.
  const newest = versions.value.find((candidate) => candidate.purged === null) ?? versions.value[0]
  return newest ? deps.catalog.version(name, newest.digest) : fail('not_found', `"${name}" has no versions.`)
}

export interface VersionPair {
  /** Null if there is no earlier version. */
  readonly from: IndexEntry | null
  readonly to: IndexEntry
}

/**
 * The two versions to compare. If `to` is null, the live one is used; if `from` is null, the one that was live before
 * `to` or that `to` shadows.
 */
export async function versionPair(
  name: string,
  from: string | null,
  to: string | null,
  deps: VersionDeps,
): Promise<Result<VersionPair>> {
  const target = to === null ? await newestVersion(name, deps) : await findVersion(name, to, deps)
  if (!target.ok) return target
  if (from !== null) {
    const base = await findVersion(name, from, deps)
    return base.ok ? ok({ from: base.value, to: target.value }) : base
  }
  const earlier = await deps.catalog.earlier(name)
  if (!earlier.ok) return earlier
  // `earlier` lists what was live before the current version, newest first. The target is one of them or the current
  // one.
  const { digest } = target.value
  const before = earlier.value.slice(earlier.value.indexOf(digest) + 1).find((other) => other !== digest)
  const base = before === undefined ? await publicVersion(name, deps) : await findVersion(name, before, deps)
  if (!base.ok) return base
  return ok({ from: base.value?.digest === digest ? null : base.value, to: target.value })
}

export interface HistoryEntry extends SkillChange {
  /** The added, removed and changed files; null if one of the manifests can no longer be read. */
  readonly files: readonly FileDiff[] | null
}

/** Adds to each change the files that it affected. */
export async function withFiles(
  changes: readonly SkillChange[],
  content: Pick<ContentReader, 'manifest'>,
): Promise<readonly HistoryEntry[]> {
  const lists = new Map<string, readonly ManifestFile[] | null>()
  const manifestsToRead = new Map<string, Parameters<typeof content.manifest>[0]>()
  for (const { name, action, before, after } of changes)
    for (const digest of before === after ? [] : [before, after])
      // Only builds change the files of built-in skills.
      if (name !== null && digest !== null)
        manifestsToRead.set(digest, { category: action === 'build' ? 'public' : 'custom', name, digest })
  await inParallel([...manifestsToRead], STORE_CONCURRENCY, async ([digest, version]) => {
    const list = await content.manifest(version)
    lists.set(digest, list.ok ? list.value : null)
  })
  const filesOf = (digest: string | null): readonly ManifestFile[] | null =>
    digest === null ? [] : (lists.get(digest) ?? null)
  return changes.map((change) => {
    if (change.name === null || change.before === change.after) return { ...change, files: [] }
    const before = filesOf(change.before)
    const after = filesOf(change.after)
    const diffs = before && after ? diffFiles(before, after) : null
    return { ...change, files: diffs?.filter((file) => file.change !== 'same') ?? null }
  })
}
