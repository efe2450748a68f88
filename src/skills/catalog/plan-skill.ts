// Plans each change of one skill from the catalog's rows alone. Writes nothing; core.ts does.

import { isSha256 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/suggest.ts'
import type { IndexEntry } from '../skill.ts'
import { skillNamed } from '../view/visibility.ts'
import { refuseForgotten } from './accepted-rows.ts'
import type { Action, Expect, NewVersion, Patch, Unpublishing, SkillOperation } from './api.ts'
import { entryIn } from './merge.ts'
import type { Flags } from './merge.ts'
import { changeOf } from './plan.ts'
import type { Plan, SkillEdit, Snapshot } from './plan.ts'
import { lineage, publishedNames, publishedVersion, refusePurged, wasPublished } from './version-rows.ts'

/** The change of one skill; null if nothing changes. */
export type Edited = Result<SkillEdit | null>

export function planSkill(operation: SkillOperation): Plan {
  return (at) => {
    const edited = stale(at, operation.skill, operation.expect) ?? edit(at, operation)
    return edited.ok ? ok(changeOf(edited.value ? [edited.value] : [], null)) : edited
  }
}

function edit(at: Snapshot, operation: SkillOperation): Edited {
  if (operation.kind === 'patch') return patched(at, operation.skill, operation.patch)
  if (operation.kind === 'rollback') return rolledBack(at, operation.skill, operation.to)
  return unpublished(at, operation.skill)
}

/** The error when the live version is not the expected one; null if it is. */
function stale(at: Snapshot, skill: string, expect: Expect): Result<never> | null {
  const seen = entryIn(at.build, at.overlay, skill)?.digest ?? null
  if (expect === undefined || seen === expect || (expect === '*' && seen !== null)) return null
  const detail =
    expect === null
      ? `"${skill}" exists already, at ${seen}. Name that digest to change it.`
      : expect === '*'
        ? `No skill "${skill}" is live, and If-Match: * requires one. Omit the header to publish a new one.`
        : `"${skill}" is at ${seen ?? 'no version'}, not at ${expect}. Read it again, then change what is live.`
  return fail('stale_version', detail)
}

function unknown(at: Snapshot, skill: string): Result<never> {
  if (wasPublished(at.sql, skill))
    return fail(
      'not_found',
      `No skill "${skill}" in this catalog. It is unpublished: rollback {"to": -1} or PATCH {"digest": …} brings it back.`,
    )
  const names = [
    ...at.overlay.custom.keys(),
    ...at.build.skills.map((entry) => entry.name),
    ...publishedNames(at.sql),
  ]
  return fail('not_found', `No skill "${skill}" in this catalog.${didYouMean(skill, [...new Set(names)])}`)
}

/** The error for pinning, rolling back or unpublishing a skill without a custom version. */
function notCustom(at: Snapshot, skill: string, operation: string): Result<never> {
  if (!skillNamed(at.build, skill)) return unknown(at, skill)
  return fail(
    'invalid_request',
    `"${skill}" is built in: it can be switched on and off and shared, not ${operation}. Publish a custom skill of the same name to shadow it.`,
  )
}

/** Makes a version live. The skill keeps its flags; an unpublished one comes back enabled. */
function madeLive(at: Snapshot, entry: IndexEntry, action: Action): SkillEdit | null {
  const live = at.overlay.custom.get(entry.name)
  const before = live?.digest ?? null
  if (before === entry.digest) return null
  const { enabled, shareable } = live ?? { enabled: true, shareable: false }
  const custom = { ...entry, enabled, shareable, updated_at: at.now }
  return { skill: entry.name, custom, action, also: [], note: null, before, after: entry.digest }
}

export function published(at: Snapshot, version: NewVersion): Edited {
  const { entry, expect, note } = version
  if (!isSha256(entry.digest) || !isSha256(entry.body))
    return fail('invalid_request', `The entry of "${entry.name}" must name its digest and body by sha-256.`)
  const purged = refusePurged(at.sql, entry, 'Remove what was published by mistake, then publish again.')
  if (purged) return purged
  const forgotten = refuseForgotten(at.sql, version)
  if (forgotten) return forgotten
  const made = madeLive(at, entry, 'publish')
  // A repeated request, after a lost answer, expects the earlier version: the change is done, nothing is overwritten.
  if (!made) return ok(null)
  return stale(at, entry.name, expect) ?? ok({ ...made, version, note })
}

function toVersion(at: Snapshot, skill: string, digest: string, action: Action): Edited {
  if (at.overlay.custom.get(skill)?.digest === digest) return ok(null)
  const entry = publishedVersion(at.sql, { name: skill, digest }, 'Restore another of its versions.')
  return entry.ok ? ok(madeLive(at, entry.value, action)) : entry
}

/** Pins first, then applies switches and sharing to the version that is live then. */
function patched(at: Snapshot, skill: string, { digest, ...wanted }: Patch): Edited {
  if (digest !== undefined && !wasPublished(at.sql, skill)) return notCustom(at, skill, 'pinned')
  const pinned = digest === undefined ? ok(null) : toVersion(at, skill, digest, 'pin')
  if (!pinned.ok) return pinned
  const custom = pinned.value?.custom ?? at.overlay.custom.get(skill)
  const seen = custom ?? entryIn(at.build, at.overlay, skill)
  if (!seen) return unknown(at, skill)
  const flags = differing(seen, wanted)
  const [action, ...also] = [...(pinned.value ? (['pin'] as const) : []), ...flagActions(flags)]
  if (action === undefined) return ok(null)
  const after = seen.digest
  const before = pinned.value ? pinned.value.before : after
  const edited = { skill, action, also, note: null, before, after }
  return ok(
    custom ? { ...edited, custom: { ...custom, ...flags, updated_at: at.now } } : { ...edited, flags },
  )
}

/** The requested flags that differ from the current ones. */
export function differing(seen: Flags, { enabled, shareable }: Pick<Patch, keyof Flags>): Partial<Flags> {
  return {
    ...(enabled === undefined || enabled === seen.enabled ? {} : { enabled }),
    ...(shareable === undefined || shareable === seen.shareable ? {} : { shareable }),
  }
}

export function flagActions({ enabled, shareable }: Partial<Flags>): readonly Action[] {
  const actions: Action[] = []
  if (enabled !== undefined) actions.push(enabled ? 'enable' : 'disable')
  if (shareable !== undefined) actions.push(shareable ? 'share' : 'unshare')
  return actions
}

function rolledBack(at: Snapshot, skill: string, to: string | number): Edited {
  if (!wasPublished(at.sql, skill)) return notCustom(at, skill, 'rolled back')
  if (typeof to === 'string') return toVersion(at, skill, to, 'rollback')
  if (!Number.isSafeInteger(to) || to >= 0)
    return fail('invalid_request', '"to" must be a digest or a negative whole number: -1 is the one before.')
  const earlier = lineage(at.sql, skill, at.overlay.custom.get(skill)?.digest ?? null)
  const digest = earlier[-to - 1]
  if (digest !== undefined) return toVersion(at, skill, digest, 'rollback')
  return fail(
    'invalid_request',
    `"${skill}" cannot go back ${-to}: there ${earlier.length === 1 ? 'is 1 earlier version' : `are ${earlier.length} earlier versions`} to go back to. Pin any other by its digest.`,
  )
}

/** In a commit, unpublishing an unpublished skill is no error: the commit may be a repeated request. */
export function takenOut(at: Snapshot, { name, expect }: Unpublishing): Edited {
  if (!at.overlay.custom.has(name) && wasPublished(at.sql, name)) return ok(null)
  return stale(at, name, expect) ?? unpublished(at, name)
}

function unpublished(at: Snapshot, skill: string): Edited {
  const live = at.overlay.custom.get(skill)
  if (live) {
    const before = live.digest
    return ok({ skill, custom: null, action: 'unpublish', also: [], note: null, before, after: null })
  }
  return wasPublished(at.sql, skill) && !skillNamed(at.build, skill)
    ? fail('not_found', `"${skill}" is unpublished already. Pin one of its versions to bring it back.`)
    : notCustom(at, skill, 'unpublished')
}
