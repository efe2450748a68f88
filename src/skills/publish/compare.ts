// Compares new versions with the live catalog: what differs, what they shadow, which dependencies are missing. Changes
// nothing.

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

/** By name. A name without an entry is not live. */
type Live = ReadonlyMap<string, IndexEntry>

/** Compares each draft with the live catalog, in order. They go live together. */
export async function compareDrafts<T extends { readonly draft: Omit<SkillDraft, 'files'> }>(
  parts: readonly T[],
  build: string,
  { content, catalog }: PublishDeps,
): Promise<Result<readonly (T & Comparison)[]>> {
  const together = new Set(parts.map(({ draft }) => draft.entry.name))
  const around = new Set(parts.flatMap(({ draft: { entry } }) => [entry.name, ...entry.dependencies]))
  const live = await liveAmong([...around], build, catalog)
  if (!live.ok) return live
  const compared: (T & Comparison)[] = []
  for (const part of parts) {
    const { entry, manifest, findings } = part.draft
    const beyond = findingsAround(entry, live.value, together)
    const before = live.value.get(entry.name)
    // Damaged files of the live version must not block the publish that fixes them.
    const files = before ? await content.manifest(before) : null
    // Accepted errors are always kept, however many findings there are.
    let left = PUBLISH_FINDINGS_MAX - beyond.length - findings.filter(({ accepted }) => accepted).length
    compared.push({
      ...part,
      findings: [...findings.filter(({ accepted }) => accepted || left-- > 0), ...beyond],
      diff: diffFiles(files?.ok ? files.value : [], manifest.files),
    })
  }
  return ok(compared)
}

async function liveAmong(
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

function findingsAround(entry: IndexEntry, live: Live, together: ReadonlySet<string>): readonly Finding[] {
  const findings: Finding[] = []
  const location = { file: SKILL_FILE, line: null }
  for (const name of entry.dependencies) {
    const there = live.get(name)
    // A publish keeps the switch of a custom skill. One that replaces a built-in skill is on.
    const isOff = there?.enabled === false && (there.category === 'custom' || !together.has(name))
    if (!isOff && (there || together.has(name))) continue
    const why = isOff ? 'switched off' : 'not in the catalog'
    findings.push({
      rule: 'dependency-missing',
      severity: 'warning',
      ...location,
      message: `Depends on "${name}", which is ${why}.`,
      fix: `${isOff ? `Switch "${name}" on` : `Publish "${name}"`}, or remove it from the dependencies.`,
    })
  }
  const before = live.get(entry.name)
  if (before?.category === 'public' || before?.shadows === true)
    findings.push({
      rule: 'shadows-public',
      severity: 'note',
      ...location,
      message: `Replaces the built-in skill "${entry.name}".`,
      fix: 'Rename it to keep both. To get the built-in one back, unpublish this one.',
    })
  return findings
}
