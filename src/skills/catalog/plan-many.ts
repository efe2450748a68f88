// Changes of many skills at once: a commit, and a whole catalog brought back. Decides from rows alone, writes nothing.

import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { Action, Batch, Retiring } from './api.ts'
import { builtIns, entryIn } from './merge.ts'
import type { Overlay } from './merge.ts'
import { flagSteps, planPublish, planRetire, stale } from './plans.ts'
import type { Change, Plan, SkillChange, SkillPlan, Step, View } from './plans.ts'
import { refusePurged } from './purge-rows.ts'
import { retiring } from './refusals.ts'
import { versionEntry, wasPublished } from './version-rows.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'

/** Every skill of the batch, or none: the first that cannot be is named by its place. */
export function planCommit(batch: Batch): Plan {
  const parts: readonly (readonly [place: string, plan: SkillPlan])[] = [
    ...batch.skills.map((version, at) => {
      const note = version.note ?? batch.note
      return [`skills[${at}]`, planPublish({ ...version, note })] as const
    }),
    ...batch.retire.map((one, at) => [`retire[${at}]`, planAway(retiring(one))] as const),
  ]
  return (view) => {
    const skills: SkillChange[] = []
    for (const [place, plan] of parts) {
      const planned = plan(view)
      if (!planned.ok) return at(place, planned)
      if (planned.value) skills.push({ ...planned.value, note: planned.value.note ?? batch.note })
    }
    return ok(changeOf(skills, batch.note))
  }
}

/** A skill that was taken out before is no reason to refuse: the commit may be one that is sent again. */
function planAway({ name, expect }: Retiring): SkillPlan {
  return (view) =>
    !view.overlay.custom.has(name) && wasPublished(view.sql, name)
      ? ok(null)
      : (stale(view, name, expect) ?? planRetire(name)(view))
}

function at(place: string, refused: Extract<Result<never>, { readonly ok: false }>): Result<never> {
  const { code, detail, ...more } = refused.error
  return fail(code, detail, { ...more, errors: [{ path: place, message: detail }] })
}

function changeOf(skills: readonly SkillChange[], note: string | null): Change | null {
  const [first] = skills
  if (!first) return null
  const action = skills.every((one) => one.action === first.action) ? first.action : 'commit'
  return { action, note, skills }
}

/**
 * What custom skills, switches and shares were in `target`, the index of an earlier catalog version. Public skills stay
 * those of the present build; those that `target` does not show keep their switches.
 */
export function planRestore(target: SkillIndex, note: string | null): Plan {
  return (view) => {
    const wanted = builtIns(target)
    const skills: SkillChange[] = []
    for (const entry of target.skills) {
      const change = entry.category === 'custom' ? restored(view, entry) : ok(reflagged(view, entry))
      if (!change.ok) return change
      if (change.value) skills.push({ ...change.value, note })
    }
    for (const [skill, { entry }] of view.overlay.custom)
      if (wanted.get(skill)?.category !== 'custom') {
        const flags = wanted.get(skill)
        const steps: Step[] = [{ kind: 'retire', skill }]
        if (flags) steps.push(...reflagging(view, flags).steps)
        const also: readonly Action[] = ['retire']
        skills.push({ skill, steps, action: 'restore', also, note, before: entry.digest, after: null })
      }
    return ok(changeOf(skills, note))
  }
}

/** The custom skill as it was, switches too. */
function restored(view: View, was: IndexEntry): Result<SkillChange | null> {
  const live = view.overlay.custom.get(was.name)
  const same = live?.entry.digest === was.digest
  const also: Action[] = []
  if (live && live.enabled !== was.enabled) also.push(was.enabled ? 'enable' : 'disable')
  if (live && live.shareable !== was.shareable) also.push(was.shareable ? 'share' : 'unshare')
  if (same && also.length === 0) return ok(null)
  const entry = versionEntry(view.sql, was.name, was.digest)
  const mend = 'Restore a catalog without it, or bring back the other skills one by one.'
  const purged = entry ? null : refusePurged(view.sql, was, mend)
  if (purged) return purged
  if (!entry) return fail('catalog_broken', `The version ${was.digest} of "${was.name}" has no row any more.`)
  const custom = { entry, enabled: was.enabled, shareable: was.shareable, updatedAt: view.now }
  return ok({
    skill: was.name,
    steps: [{ kind: 'live', custom, version: null }],
    action: 'restore',
    also,
    note: null,
    before: live?.entry.digest ?? null,
    after: was.digest,
  })
}

/** The switches of a public skill that no custom one hides now. */
function reflagged(view: View, was: IndexEntry): SkillChange | null {
  if (view.overlay.custom.has(was.name)) return null
  const { steps, also } = reflagging(view, was)
  const digest = builtIns(view.build).get(was.name)?.digest
  if (steps.length === 0 || digest === undefined) return null
  return { skill: was.name, steps, action: 'restore', also, note: null, before: digest, after: digest }
}

function reflagging(
  view: View,
  was: IndexEntry,
): { readonly steps: readonly Step[]; readonly also: readonly Action[] } {
  const bare: Overlay = { ...view.overlay, custom: new Map() }
  const now = entryIn(view.build, bare, was.name)
  const also: Action[] = []
  if (now && now.enabled !== was.enabled) also.push(was.enabled ? 'enable' : 'disable')
  if (now && now.shareable !== was.shareable) also.push(was.shareable ? 'share' : 'unshare')
  return { steps: flagSteps(was.name, also, was), also }
}

/** The overlay after a change. */
export function taken(overlay: Overlay, change: Change): Overlay {
  const custom = new Map(overlay.custom)
  const switches = new Map(overlay.switches)
  const shares = new Map(overlay.shares)
  for (const { steps } of change.skills)
    for (const step of steps)
      if (step.kind === 'live') custom.set(step.custom.entry.name, step.custom)
      else if (step.kind === 'retire') custom.delete(step.skill)
      else if (step.kind === 'switch') switches.set(step.skill, step.enabled)
      else shares.set(step.skill, step.shareable)
  return { custom, switches, shares }
}
