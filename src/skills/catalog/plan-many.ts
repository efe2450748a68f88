// Plans changes of many skills: a commit, and the restore of a catalog. Decides from rows alone, writes nothing.

import { fail, ok } from '../../lib/result.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import { skillNamed } from '../view/visibility.ts'
import type { Batch } from './api.ts'
import { builtInEntry } from './merge.ts'
import { changeOf } from './plan.ts'
import type { Plan, SkillEdit, Snapshot } from './plan.ts'
import { toolsAsIn } from './plan-tool.ts'
import { differing, flagActions, published, takenOut } from './plan-skill.ts'
import type { Edited } from './plan-skill.ts'
import { publishedVersion } from './version-rows.ts'

/** All skills of the batch, or none. The error names the position of the first that cannot change. */
export function planCommit({ skills, unpublish, note }: Batch): Plan {
  const parts = [
    ...skills.map((one, at) => ({
      position: `skills[${at}]`,
      skill: one.entry.name,
      plan: (now: Snapshot) => published(now, one),
    })),
    ...unpublish.map((one, at) => ({
      position: `unpublish[${at}]`,
      skill: one.name,
      plan: (now: Snapshot) => takenOut(now, one),
    })),
  ]
  return (now) => {
    const edits: SkillEdit[] = []
    const positions = new Map<string, string>()
    for (const { position, skill, plan } of parts) {
      // A commit names a skill only once: otherwise the result would depend on the order.
      const other = positions.get(skill)
      const twice = `${position} is the skill "${skill}", as ${other} is. Name each skill once.`
      const edited = other === undefined ? plan(now) : fail('invalid_request', twice)
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
 * Custom skills, switches and sharing as in `target`, the index of an earlier catalog version. Built-in skills stay
 * those of the current build; those missing from `target` keep their switches. `withTools` includes tools.
 */
export function planRestore(target: SkillIndex, note: string | null, withTools: boolean): Plan {
  return (at) => {
    const edits: SkillEdit[] = []
    const names = target.skills.map((entry) => entry.name)
    for (const skill of new Set([...names, ...at.overlay.custom.keys()])) {
      const was = skillNamed(target, skill)
      const edited = was?.category === 'custom' ? broughtBack(at, was) : ok(asBuiltIn(at, skill, was))
      if (!edited.ok) return edited
      if (edited.value) edits.push({ ...edited.value, note })
    }
    const tools = withTools ? toolsAsIn(at, target, note) : ok([])
    return tools.ok ? ok(changeOf(edits, note, tools.value)) : tools
  }
}

/** The custom skill with its earlier flags. */
function broughtBack(at: Snapshot, was: IndexEntry): Edited {
  const live = at.overlay.custom.get(was.name)
  const also = live ? flagActions(differing(live, was)) : []
  if (live?.digest === was.digest && also.length === 0) return ok(null)
  const fix = 'Restore a catalog without it, or restore the other skills one by one.'
  const version = publishedVersion(at.sql, was, fix)
  if (!version.ok) return version
  const { name: skill, enabled, shareable, digest: after } = was
  const custom = { ...version.value, enabled, shareable, updated_at: at.now }
  const before = live?.digest ?? null
  return ok({ skill, custom, action: 'restore', also, note: null, before, after })
}

/** Removes the custom skill of that name, and restores the flags of the built-in one if `target` has it. */
function asBuiltIn(at: Snapshot, skill: string, was: IndexEntry | undefined): SkillEdit | null {
  const live = at.overlay.custom.get(skill)
  const builtIn = builtInEntry(at.build, at.overlay, skill)
  const flags = was && builtIn ? differing(builtIn, was) : {}
  const also = flagActions(flags)
  const edit = { skill, action: 'restore', note: null, ...(also.length > 0 ? { flags } : {}) } as const
  if (live) return { ...edit, custom: null, also: ['unpublish'], before: live.digest, after: null }
  const digest = builtIn?.digest
  return digest === undefined || also.length === 0 ? null : { ...edit, also, before: digest, after: digest }
}
