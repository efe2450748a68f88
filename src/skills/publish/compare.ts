// What new versions mean beside what is live: what differs, what they hide, what they lack. Changes nothing.

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
  /** All that is to be said of the draft. */
  readonly findings: readonly Finding[]
  /** Every path of the live version and of the new one. */
  readonly diff: readonly FileDiff[]
}

/** By name; one without an entry is not live. */
type Live = ReadonlyMap<string, IndexEntry>

/** Each draft beside what is live, in their order: they go live together. */
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
    // A version whose files are damaged must not stand in the way of the publish that fixes it.
    const files = before ? await content.manifest(before) : null
    // What somebody answers for is kept, however many findings there are.
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
  const place = { file: SKILL_FILE, line: null }
  for (const name of entry.dependencies) {
    const there = live.get(name)
    // A publish leaves the switch of a custom skill as it is; one that takes the place of a built-in skill is on.
    const isOff = there?.enabled === false && (there.category === 'custom' || !together.has(name))
    if (!isOff && (there || together.has(name))) continue
    const why = isOff ? 'switched off' : 'not in the catalog'
    findings.push({
      rule: 'dependency-missing',
      severity: 'warning',
      ...place,
      message: `Depends on "${name}", which is ${why}.`,
      fix: `${isOff ? `Switch "${name}" on` : `Publish "${name}"`}, or take it out of the dependencies.`,
    })
  }
  const before = live.get(entry.name)
  if (before?.category === 'public' || before?.shadows === true)
    findings.push({
      rule: 'shadows-public',
      severity: 'note',
      ...place,
      message: `Takes the place of the built-in skill "${entry.name}".`,
      fix: 'Give it another name if both are to be seen; unpublish it to have the built-in one back.',
    })
  return findings
}
