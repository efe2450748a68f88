// Plans changes of many skills from the catalog's rows alone: commits, and restores of a catalog. Writes nothing.

import { fail, ok } from '../../lib/result.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import { skillNamed } from '../view/visibility.ts'
import type { Batch } from './api.ts'
import { builtInEntry } from './merge.ts'
import { changeOf } from './plan.ts'
import type { Plan, SkillEdit, Snapshot } from './plan.ts'
import { planToolsRestore } from './plan-tool.ts'
import { changedFlags, flagActions, planPublish, planCommittedUnpublish } from './plan-skill.ts'
import type { PlannedEdit } from './plan-skill.ts'
import { publishedVersion } from './version-rows.ts'

/** Plans all changes of a batch, or none. The error names the position of the first one that cannot be made. */
export function planCommit({ skills, unpublish, note }: Batch): Plan {
  const parts = [
    ...skills.map((version, index) => ({
      position: `skills[${index}]`,
      skill: version.entry.name,
      plan: (snapshot: Snapshot) => planPublish(snapshot, version),
    })),
    ...unpublish.map((unpublishing, index) => ({
      position: `unpublish[${index}]`,
      skill: unpublishing.name,
      plan: (snapshot: Snapshot) => planCommittedUnpublish(snapshot, unpublishing),
    })),
  ]
  return (snapshot) => {
    const edits: SkillEdit[] = []
    const positions = new Map<string, string>()
    for (const { position, skill, plan } of parts) {
      // Otherwise the result would depend on the order.
      const other = positions.get(skill)
      const duplicate = `${position} and ${other} both name the skill "${skill}". Name each skill once.`
      const edited = other === undefined ? plan(snapshot) : fail('invalid_request', duplicate)
      if (!edited.ok) {
        const errors = [{ path: position, message: edited.error.detail }]
        return { ok: false, error: { ...edited.error, errors } }
      }
      if (edited.value) edits.push({ ...edited.value, note: edited.value.note ?? note })
      positions.set(skill, position)
    }
    return ok(changeOf(edits, note))
  }
}

/**
 * Restores custom skills, switches and sharing as they were in `target`, the index of an earlier catalog version.
 * Built-in skills keep the current build's versions; those missing from `target` also keep their switches. `withTools`
 * restores the tools, too.
 */
export function planRestore(target: SkillIndex, note: string | null, withTools: boolean): Plan {
  return (snapshot) => {
    const edits: SkillEdit[] = []
    const names = target.skills.map((entry) => entry.name)
    for (const skill of new Set([...names, ...snapshot.overlay.custom.keys()])) {
      const targetEntry = skillNamed(target, skill)
      const edited =
        targetEntry?.category === 'custom'
          ? restoreCustom(snapshot, targetEntry)
          : ok(restoreBuiltIn(snapshot, skill, targetEntry))
      if (!edited.ok) return edited
      if (edited.value) edits.push({ ...edited.value, note })
    }
    const tools = withTools ? planToolsRestore(snapshot, target, note) : ok([])
    return tools.ok ? ok(changeOf(edits, note, tools.value)) : tools
  }
}

/** Restores a custom skill, with the flags that it had. */
function restoreCustom(snapshot: Snapshot, targetEntry: IndexEntry): PlannedEdit {
  const live = snapshot.overlay.custom.get(targetEntry.name)
  const also = live ? flagActions(changedFlags(live, targetEntry)) : []
  if (live?.digest === targetEntry.digest && also.length === 0) return ok(null)
  const fix = 'Restore a catalog version without it, or restore the other skills one by one.'
  const version = publishedVersion(snapshot.sql, targetEntry, fix)
  if (!version.ok) return version
  const { name: skill, enabled, shareable, digest: after } = targetEntry
  const custom = { ...version.value, enabled, shareable, updated_at: snapshot.now }
  const before = live?.digest ?? null
  return ok({ skill, custom, action: 'restore', also, note: null, before, after })
}

/** Removes the custom skill of that name and restores the flags of the built-in skill from `targetEntry`. */
function restoreBuiltIn(
  snapshot: Snapshot,
  skill: string,
  targetEntry: IndexEntry | undefined,
): SkillEdit | null {
  const live = snapshot.overlay.custom.get(skill)
  const builtIn = builtInEntry(snapshot.build, snapshot.overlay, skill)
  const flags = targetEntry && builtIn ? changedFlags(builtIn, targetEntry) : {}
  const also = flagActions(flags)
  const edit = { skill, action: 'restore', note: null, ...(also.length > 0 ? { flags } : {}) } as const
  if (live) return { ...edit, custom: null, also: ['unpublish'], before: live.digest, after: null }
  const digest = builtIn?.digest
  return digest === undefined || also.length === 0 ? null : { ...edit, also, before: digest, after: digest }
}
