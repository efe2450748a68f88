// Versions of a skill looked at from outside: any of them by its digest, its files, what a change did to them.

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

/** A version published here, live or not, or the build's own of that name, shadowed or not. Failure: `not_found`. */
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

/** The build's skill of that name; null: it has none. */
async function publicVersion(
  name: string,
  { content, build }: Pick<VersionDeps, 'content' | 'build'>,
): Promise<Result<IndexEntry | null>> {
  const index = await content.index(build)
  return index.ok ? ok(index.value.skills.find((entry) => entry.name === name) ?? null) : index
}

/** What is live under the name; of an unpublished skill the newest version. Failure: `not_found`. */
async function newest(name: string, deps: VersionDeps): Promise<Result<IndexEntry>> {
  const found = await deps.catalog.entries(deps.build, [name])
  if (!found.ok) return found
  const [live] = found.value
  if (live) return ok(live)
  const versions = await deps.catalog.versions(name)
  if (!versions.ok) return versions
  // Of purged ones alone the newest says why there is nothing.
  const last = versions.value.find((one) => one.purged === null) ?? versions.value[0]
  return last ? deps.catalog.version(name, last.digest) : fail('not_found', `"${name}" has no versions.`)
}

export interface VersionPair {
  /** Null: nothing came before. */
  readonly from: IndexEntry | null
  readonly to: IndexEntry
}

/** Two versions to compare. `to`: null for the live one. `from`: null for the one that was live before, or is hidden. */
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
  // Live ones in a row, newest first; the target is one of them, or the live one above them all.
  const { digest } = target.value
  const before = earlier.value.slice(earlier.value.indexOf(digest) + 1).find((other) => other !== digest)
  const base = before === undefined ? await publicVersion(name, deps) : await findVersion(name, before, deps)
  if (!base.ok) return base
  return ok({ from: base.value?.digest === digest ? null : base.value, to: target.value })
}

export interface HistoryEntry extends SkillChange {
  /** Paths added, removed and changed; null: the list of files of one side cannot be read any more. */
  readonly files: readonly FileDiff[] | null
}

/** The changes with what each did to the skill's files. */
export async function withFiles(
  changes: readonly SkillChange[],
  content: Pick<ContentReader, 'manifest'>,
): Promise<readonly HistoryEntry[]> {
  const lists = new Map<string, readonly ManifestFile[] | null>()
  const wanted = new Map<string, Parameters<typeof content.manifest>[0]>()
  for (const { name, action, before, after } of changes)
    for (const digest of before === after ? [] : [before, after])
      // Builds alone change files of public skills.
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
