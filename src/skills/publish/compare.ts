// What a new version means beside what is live: what differs, what it hides, what it lacks. Changes nothing.

import { ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { PUBLISH_FINDINGS_MAX, STANDING_NAMES } from '../../limits.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { diffFiles } from '../package/file-diff.ts'
import type { FileDiff } from '../package/file-diff.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { Finding, IndexEntry } from '../skill.ts'
import type { CatalogApi, Expect, PurgedVersion, SkillState, VersionKey } from '../catalog/api.ts'
import type { Draft } from './draft.ts'
import { goneFor, staleness } from '../catalog/refusals.ts'
import { skillInfo } from '../view/skill-info.ts'
import type { SkillInfo } from '../view/skill-info.ts'

/** What is live under the names that some drafts have or depend on, and under some others. */
export interface Around {
  readonly version: number
  /** RFC 3339: when it was so. */
  readonly now: string
  /** A name without an entry is not live. */
  readonly skills: ReadonlyMap<string, IndexEntry>
}

const NOT_AGAIN = 'Take out what was published by mistake, then publish again.'

type Named = Pick<Draft, 'entry'>

/** Failure: `gone` when one of the drafts is a version that was purged; `errors` name its place. */
export async function lookAround(
  drafts: readonly Named[],
  build: string,
  catalog: Pick<CatalogApi, 'standing'>,
  others: readonly string[] = [],
): Promise<Result<Around>> {
  const named = drafts.flatMap(({ entry }) => [entry.name, ...entry.dependencies])
  const names = [...new Set([...named, ...others])]
  const skills = new Map<string, IndexEntry>()
  let [version, now] = [0, '']
  for (let from = 0; from === 0 || from < names.length; from += STANDING_NAMES) {
    const asked = names.slice(from, from + STANDING_NAMES)
    const found = await catalog.standing(build, asked, from === 0 ? drafts.map(keyOf) : [])
    if (!found.ok) return found
    const [purged] = found.value.purged
    if (purged) return refusedAt(drafts, purged)
    ;({ version, now } = found.value)
    for (const entry of found.value.skills) if (entry) skills.set(entry.name, entry)
  }
  return ok({ version, now, skills })
}

function keyOf({ entry: { name, digest } }: Named): VersionKey {
  return { name, digest }
}

function refusedAt(drafts: readonly Named[], purged: PurgedVersion): Result<never> {
  const refused = goneFor(purged, NOT_AGAIN)
  if (refused.ok || drafts.length === 1) return refused
  const at = drafts.findIndex(({ entry }) => entry.name === purged.name && entry.digest === purged.digest)
  const errors = [{ path: `skills[${at}]`, message: refused.error.detail }]
  return { ok: false, error: { ...refused.error, errors } }
}

/** Every path of the live version and of the new one. */
export async function differences(
  { entry, manifest }: Pick<Draft, 'entry' | 'manifest'>,
  around: Around,
  content: Pick<ContentReader, 'manifest'>,
): Promise<readonly FileDiff[]> {
  const live = around.skills.get(entry.name)
  // A version whose files are damaged must not stand in the way of the publish that mends it.
  const before = live ? await content.manifest(live) : null
  return diffFiles(before?.ok ? before.value : [], manifest.files)
}

/** All that is to be said of a draft. `together`: names that go live in the same change. */
export function findingsOf(
  draft: Pick<Draft, 'entry' | 'findings'>,
  around: Around,
  together: ReadonlySet<string>,
): readonly Finding[] {
  const outside = findingsAround(draft, around, together)
  return [...draft.findings.slice(0, PUBLISH_FINDINGS_MAX - outside.length), ...outside]
}

function findingsAround({ entry }: Named, around: Around, together: ReadonlySet<string>): readonly Finding[] {
  const findings: Finding[] = []
  const add = (rule: string, severity: 'warning' | 'note', message: string, mend: string): void => {
    findings.push({ rule, severity, file: SKILL_FILE, line: null, message, mend })
  }
  for (const name of entry.dependencies) {
    const there = around.skills.get(name)
    // A publish leaves the switch of a custom skill as it is; one that takes the place of a built-in skill is on.
    if (there?.enabled === false && (there.category === 'custom' || !together.has(name)))
      add(
        'dependency-missing',
        'warning',
        `Depends on "${name}", which is switched off.`,
        `Switch "${name}" on, or take it out of the dependencies.`,
      )
    else if (!there && !together.has(name))
      add(
        'dependency-missing',
        'warning',
        `Depends on "${name}", which is not in the catalog.`,
        `Publish "${name}", or take it out of the dependencies.`,
      )
  }
  if (hides(around.skills.get(entry.name)))
    add(
      'shadows-public',
      'note',
      `Takes the place of the built-in skill "${entry.name}".`,
      'Give it another name if both are to be seen; retire it to have the built-in one back.',
    )
  return findings
}

/** True: publishing over this hides a public skill. */
function hides(live: IndexEntry | undefined): boolean {
  return live !== undefined && (live.category === 'public' || live.shadows)
}

/** Why a commit of this draft would be `stale_version`; null: it would not, or it is live already. */
export function staleOnTrial({ entry }: Named, around: Around, expect: Expect): Failure | null {
  const live = around.skills.get(entry.name)
  if (live?.category === 'custom' && live.digest === entry.digest) return null
  return staleness(entry.name, live?.digest ?? null, expect)
}

/** The skill as it would be if it went live now. */
export function infoOnTrial({ entry }: Named, around: Around): SkillInfo {
  const live = around.skills.get(entry.name)
  const own = live?.category === 'custom' ? live : null
  return skillInfo({
    ...entry,
    enabled: own?.enabled ?? true,
    shareable: own?.shareable ?? false,
    updated_at: own?.digest === entry.digest ? own.updated_at : around.now,
    shadows: hides(live),
  })
}

/** The skill as the catalog said it is now. */
export function infoOf({ entry }: Named, { enabled, shareable, shadows, updated_at }: SkillState): SkillInfo {
  return skillInfo({ ...entry, enabled, shareable, shadows, updated_at })
}
