// Compares new versions with the live catalog: which files differ, whether they replace a built-in skill, and which
// dependencies are missing. Changes nothing.

import { ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { PUBLISH_FINDINGS_MAX, CATALOG_ENTRIES_MAX } from './limits.ts'
import type { CatalogApi } from '../catalog/api.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { diffFiles } from '../package/file-diff.ts'
import type { FileDiff } from '../package/file-diff.ts'
import type { Finding, IndexEntry } from '../skill.ts'
import type { SkillDraft } from './draft.ts'
import type { PublishDeps } from './write.ts'

export interface Comparison {
  /** All findings about the draft. */
  readonly findings: readonly Finding[]
  /** Every path of the live version and of the new one. */
  readonly diff: readonly FileDiff[]
}

/** The live skills by name. */
type Live = ReadonlyMap<string, IndexEntry>

/** Compares drafts, which will become live together, with the live catalog. Keeps their order. */
export async function compareDrafts<T extends { readonly draft: Omit<SkillDraft, 'files'> }>(
  parts: readonly T[],
  build: string,
  { content, catalog }: PublishDeps,
): Promise<Result<readonly (T & Comparison)[]>> {
  const batchNames = new Set(parts.map(({ draft }) => draft.entry.name))
  const relevantNames = new Set(parts.flatMap(({ draft: { entry } }) => [entry.name, ...entry.dependencies]))
  const live = await readLive([...relevantNames], build, catalog)
  if (!live.ok) return live
  const compared: (T & Comparison)[] = []
  for (const part of parts) {
    const { entry, manifest, findings } = part.draft
    const catalogFindings = findCatalogIssues(entry, live.value, batchNames)
    const liveEntry = live.value.get(entry.name)
    // A damaged live version must not prevent publishing the version that fixes it.
    const files = liveEntry ? await content.manifest(liveEntry) : null
    // Accepted errors are always kept, however many findings there are.
    let remaining =
      PUBLISH_FINDINGS_MAX - catalogFindings.length - findings.filter(({ accepted }) => accepted).length
    compared.push({
      ...part,
      findings: [...findings.filter(({ accepted }) => accepted || remaining-- > 0), ...catalogFindings],
      diff: diffFiles(files?.ok ? files.value : [], manifest.files),
    })
  }
  return ok(compared)
}

async function readLive(
  names: readonly string[],
  build: string,
  catalog: Pick<CatalogApi, 'entries'>,
): Promise<Result<Live>> {
  const live = new Map<string, IndexEntry>()
  for (let from = 0; from < names.length; from += CATALOG_ENTRIES_MAX) {
    const found = await catalog.entries(build, names.slice(from, from + CATALOG_ENTRIES_MAX))
    if (!found.ok) return found
    for (const entry of found.value) if (entry) live.set(entry.name, entry)
  }
  return ok(live)
}

function findCatalogIssues(
  entry: IndexEntry,
  live: Live,
  batchNames: ReadonlySet<string>,
): readonly Finding[] {
  const findings: Finding[] = []
  const location = { file: SKILL_FILE, line: null }
  for (const name of entry.dependencies) {
    const dependency = live.get(name)
    // Publishing a custom skill again keeps its switch; one that replaces a built-in skill is switched on.
    const isOff = dependency?.enabled === false && (dependency.category === 'custom' || !batchNames.has(name))
    if (!isOff && (dependency || batchNames.has(name))) continue
    const why = isOff ? 'switched off' : 'not in the catalog'
    findings.push({
      rule: 'dependency-missing',
      severity: 'warning',
      ...location,
      message: `The skill depends on "${name}", which is ${why}.`,
      fix: `${isOff ? `Switch "${name}" on` : `Publish "${name}"`}, or remove it from the dependencies.`,
    })
  }
  const liveEntry = live.get(entry.name)
  if (liveEntry?.category === 'public' || liveEntry?.shadows === true)
    findings.push({
      rule: 'shadows-public',
      severity: 'note',
      ...location,
      message: `This skill replaces the built-in skill "${entry.name}".`,
      fix: 'Rename it to keep both. To restore the built-in skill, unpublish this one.',
    })
  return findings
}
