// Plans changes of a single skill from the catalog's rows alone. Writes nothing: core.ts does that.

import { isSha256 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/suggest.ts'
import type { IndexEntry } from '../skill.ts'
import { skillNamed } from '../view/visibility.ts'
import { refusePurgedAcceptances } from './accepted-rows.ts'
import type { Action, Expect, NewVersion, Patch, Unpublishing, SkillOperation } from './api.ts'
import { entryIn } from './merge.ts'
import type { Flags } from './merge.ts'
import { changeOf } from './plan.ts'
import type { Plan, SkillEdit, Snapshot } from './plan.ts'
import {
  skillRollbackPath,
  publishedNames,
  publishedVersion,
  refusePurged,
  wasPublished,
} from './version-rows.ts'

/** The change of one skill; null if nothing changes. */
export type PlannedEdit = Result<SkillEdit | null>

export function planSkill(operation: SkillOperation): Plan {
  return (snapshot) => {
    const edited = refuseStale(snapshot, operation.skill, operation.expect) ?? planEdit(snapshot, operation)
    return edited.ok ? ok(changeOf(edited.value ? [edited.value] : [], null)) : edited
  }
}

function planEdit(snapshot: Snapshot, operation: SkillOperation): PlannedEdit {
  if (operation.kind === 'patch') return planPatch(snapshot, operation.skill, operation.patch)
  if (operation.kind === 'rollback') return planRollback(snapshot, operation.skill, operation.to)
  return planUnpublish(snapshot, operation.skill)
}

/** The error if the live version is not the expected one; null if it is. */
function refuseStale(snapshot: Snapshot, skill: string, expect: Expect): Result<never> | null {
  const current = entryIn(snapshot.build, snapshot.overlay, skill)?.digest ?? null
  if (expect === undefined || current === expect || (expect === '*' && current !== null)) return null
  const detail =
    expect === null
      ? `"${skill}" already exists, at ${current}. To change it, send that digest in If-Match.`
      : expect === '*'
        ? `No skill "${skill}" is live, but If-Match: * requires one. Omit the header to publish a new skill.`
        : `"${skill}" is at ${current ?? 'no version'}, not at ${expect}. Read it again and base your change on that.`
  return fail('stale_version', detail)
}

function refuseUnknown(snapshot: Snapshot, skill: string): Result<never> {
  if (wasPublished(snapshot.sql, skill))
    return fail(
      'not_found',
      `The skill "${skill}" is unpublished. To bring it back, roll back with {"to": -1}, or send PATCH with {"digest": …}.`,
    )
  const names = [
    ...snapshot.overlay.custom.keys(),
    ...snapshot.build.skills.map((entry) => entry.name),
    ...publishedNames(snapshot.sql),
  ]
  return fail(
    'not_found',
    `There is no skill "${skill}" in this catalog.${didYouMean(skill, [...new Set(names)])}`,
  )
}

/** The error for an operation that needs a custom version of a skill, when there is none. */
function refuseBuiltIn(snapshot: Snapshot, skill: string, operation: string): Result<never> {
  if (!skillNamed(snapshot.build, skill)) return refuseUnknown(snapshot, skill)
  return fail(
    'invalid_request',
    `"${skill}" is built in: you can switch it on and off and share it, but it cannot be ${operation}. To replace it, publish a custom skill of the same name.`,
  )
}

/** The edit that makes a version live; null if it is live already. Keeps the skill's flags; a new skill is enabled. */
function editToLive(snapshot: Snapshot, entry: IndexEntry, action: Action): SkillEdit | null {
  const live = snapshot.overlay.custom.get(entry.name)
  const before = live?.digest ?? null
  if (before === entry.digest) return null
  const { enabled, shareable } = live ?? { enabled: true, shareable: false }
  const custom = { ...entry, enabled, shareable, updated_at: snapshot.now }
  return { skill: entry.name, custom, action, also: [], note: null, before, after: entry.digest }
}

export function planPublish(snapshot: Snapshot, version: NewVersion): PlannedEdit {
  const { entry, expect, note } = version
  if (!isSha256(entry.digest) || !isSha256(entry.body))
    return fail(
      'invalid_request',
      `The digest and body of the entry for "${entry.name}" must both be SHA-256 hashes.`,
    )
  const purged = refusePurged(
    snapshot.sql,
    entry,
    'Remove whatever was published by mistake, then publish the skill again.',
  )
  if (purged) return purged
  const purgedAcceptances = refusePurgedAcceptances(snapshot.sql, version)
  if (purgedAcceptances) return purgedAcceptances
  const edit = editToLive(snapshot, entry, 'publish')
  // A client that lost the response repeats its request, which still expects the earlier version. The change
  // has been made already, so this is not a conflict.
  if (!edit) return ok(null)
  return refuseStale(snapshot, entry.name, expect) ?? ok({ ...edit, version, note })
}

function planVersion(snapshot: Snapshot, skill: string, digest: string, action: Action): PlannedEdit {
  if (snapshot.overlay.custom.get(skill)?.digest === digest) return ok(null)
  const entry = publishedVersion(
    snapshot.sql,
    { name: skill, digest },
    'Restore another version of the skill.',
  )
  return entry.ok ? ok(editToLive(snapshot, entry.value, action)) : entry
}

/** Pins the version first if one is requested, then sets the flags of the version that is then live. */
function planPatch(snapshot: Snapshot, skill: string, { digest, ...requested }: Patch): PlannedEdit {
  if (digest !== undefined && !wasPublished(snapshot.sql, skill))
    return refuseBuiltIn(snapshot, skill, 'pinned')
  const pinned = digest === undefined ? ok(null) : planVersion(snapshot, skill, digest, 'pin')
  if (!pinned.ok) return pinned
  const custom = pinned.value?.custom ?? snapshot.overlay.custom.get(skill)
  const current = custom ?? entryIn(snapshot.build, snapshot.overlay, skill)
  if (!current) return refuseUnknown(snapshot, skill)
  const flags = changedFlags(current, requested)
  const [action, ...also] = [...(pinned.value ? (['pin'] as const) : []), ...flagActions(flags)]
  if (action === undefined) return ok(null)
  const after = current.digest
  const before = pinned.value ? pinned.value.before : after
  const edited = { skill, action, also, note: null, before, after }
  return ok(
    custom ? { ...edited, custom: { ...custom, ...flags, updated_at: snapshot.now } } : { ...edited, flags },
  )
}

/** The requested flags that differ from the current ones. */
export function changedFlags(
  current: Flags,
  { enabled, shareable }: Pick<Patch, keyof Flags>,
): Partial<Flags> {
  return {
    ...(enabled === undefined || enabled === current.enabled ? {} : { enabled }),
    ...(shareable === undefined || shareable === current.shareable ? {} : { shareable }),
  }
}

export function flagActions({ enabled, shareable }: Partial<Flags>): readonly Action[] {
  const actions: Action[] = []
  if (enabled !== undefined) actions.push(enabled ? 'enable' : 'disable')
  if (shareable !== undefined) actions.push(shareable ? 'share' : 'unshare')
  return actions
}

function planRollback(snapshot: Snapshot, skill: string, to: string | number): PlannedEdit {
  if (!wasPublished(snapshot.sql, skill)) return refuseBuiltIn(snapshot, skill, 'rolled back')
  if (typeof to === 'string') return planVersion(snapshot, skill, to, 'rollback')
  if (!Number.isSafeInteger(to) || to >= 0)
    return fail(
      'invalid_request',
      '"to" must be a digest, or a negative integer: -1 is the previous version.',
    )
  const earlier = skillRollbackPath(snapshot.sql, skill, snapshot.overlay.custom.get(skill)?.digest ?? null)
  const digest = earlier[-to - 1]
  if (digest !== undefined) return planVersion(snapshot, skill, digest, 'rollback')
  const count = earlier.length
  const existing =
    count === 0
      ? 'are no earlier versions'
      : count === 1
        ? 'is only 1 earlier version'
        : `are only ${count} earlier versions`
  return fail(
    'invalid_request',
    `"${skill}" cannot go back by ${-to}: there ${existing}. To use any other version, pin it by its digest.`,
  )
}

/** Unpublishing an unpublished skill is not an error in a commit, because the commit may be a repeated request. */
export function planCommittedUnpublish(snapshot: Snapshot, { name, expect }: Unpublishing): PlannedEdit {
  if (!snapshot.overlay.custom.has(name) && wasPublished(snapshot.sql, name)) return ok(null)
  return refuseStale(snapshot, name, expect) ?? planUnpublish(snapshot, name)
}

function planUnpublish(snapshot: Snapshot, skill: string): PlannedEdit {
  const live = snapshot.overlay.custom.get(skill)
  if (live) {
    const before = live.digest
    return ok({ skill, custom: null, action: 'unpublish', also: [], note: null, before, after: null })
  }
  return wasPublished(snapshot.sql, skill) && !skillNamed(snapshot.build, skill)
    ? fail('not_found', `"${skill}" is already unpublished. To bring it back, pin one of its versions.`)
    : refuseBuiltIn(snapshot, skill, 'unpublished')
}
