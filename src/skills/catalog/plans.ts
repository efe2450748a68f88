// What each change of one skill would do, decided from the catalog's rows alone. Writes nothing; core.ts does.

import { isSha256 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/suggest.ts'
import type { Action, CatalogVersion, Expect, NewVersion, Patch, SkillWish } from './api.ts'
import { staleness } from './refusals.ts'
import { builtIns, entryIn } from './merge.ts'
import type { LiveCustom, Overlay } from './merge.ts'
import { refusePurged } from './purge-rows.ts'
import { lineage, publishedNames, versionEntry, wasPublished } from './version-rows.ts'
import type { SkillIndex } from '../skill.ts'

export type Step =
  /** `version`: not known before, to be written with its findings. */
  | { readonly kind: 'live'; readonly custom: LiveCustom; readonly version: NewVersion | null }
  | { readonly kind: 'retire'; readonly skill: string }
  | { readonly kind: 'switch'; readonly skill: string; readonly enabled: boolean }
  | { readonly kind: 'share'; readonly skill: string; readonly shareable: boolean }

/** All that one change does to one skill: one row of its history. */
export interface SkillChange {
  readonly skill: string
  readonly steps: readonly Step[]
  readonly action: Action
  readonly also: readonly Action[]
  readonly note: string | null
  /** Digest that was live under this name before, and after; null: none. */
  readonly before: string | null
  readonly after: string | null
}

export interface Change {
  readonly action: CatalogVersion['action']
  readonly note: string | null
  /** At least one, each of another skill. */
  readonly skills: readonly SkillChange[]
}

/** The catalog as it stands while a change is planned. */
export interface View {
  readonly sql: SqlStorage
  readonly overlay: Overlay
  readonly build: SkillIndex
  /** RFC 3339. */
  readonly now: string
}

/** Null: it is so already. */
export type Plan = (view: View) => Result<Change | null>

/** What would happen to one skill; null: it is so already. */
export type SkillPlan = (view: View) => Result<SkillChange | null>

/** One skill's change as a change of the catalog. `expect`: what must be live under its name now. */
function alone(skill: string, expect: Expect, plan: SkillPlan): Plan {
  return (view) => {
    const refusal = stale(view, skill, expect)
    if (refusal) return refusal
    const planned = plan(view)
    if (!planned.ok || planned.value === null) return planned.ok ? ok(null) : planned
    return ok({ action: planned.value.action, note: planned.value.note, skills: [planned.value] })
  }
}

/** What somebody wishes of one skill, as a change of the catalog. */
export function planWish(wish: SkillWish, expect: Expect): Plan {
  return alone(wish.skill, expect, planOf(wish))
}

function planOf(wish: SkillWish): SkillPlan {
  if (wish.kind === 'patch') return planPatch(wish.skill, wish.patch)
  if (wish.kind === 'rollback') return planRollback(wish.skill, wish.to)
  return planRetire(wish.skill)
}

/** Null: what is live under the name is what is expected. */
export function stale(view: View, skill: string, expect: Expect): Result<never> | null {
  const error = staleness(skill, entryIn(view.build, view.overlay, skill)?.digest ?? null, expect)
  return error && { ok: false, error }
}

function unknown(view: View, skill: string): Result<never> {
  if (wasPublished(view.sql, skill))
    return fail(
      'not_found',
      `No skill "${skill}" in this catalog. It is retired: rollback {"to": -1} or PATCH {"digest": …} brings it back.`,
    )
  const names = [...view.overlay.custom.keys(), ...builtIns(view.build).keys(), ...publishedNames(view.sql)]
  return fail('not_found', `No skill "${skill}" in this catalog.${didYouMean(skill, [...new Set(names)])}`)
}

/** Why a skill that has no custom version cannot be pinned, rolled back or retired. */
function notCustom(view: View, skill: string, wish: string): Result<never> {
  if (!builtIns(view.build).has(skill)) return unknown(view, skill)
  return fail(
    'invalid_request',
    `"${skill}" is built in: it can be switched on and off and shared, not ${wish}. Publish a custom skill of the same name to shadow it.`,
  )
}

function hasVersions(view: View, skill: string): boolean {
  return view.overlay.custom.has(skill) || wasPublished(view.sql, skill)
}

/** Makes a version live; the skill's switches stay, and one that comes back comes back switched on. */
function madeLive(
  view: View,
  entry: LiveCustom['entry'],
  action: Action,
  version: NewVersion | null,
): SkillChange | null {
  const live = view.overlay.custom.get(entry.name)
  const before = live?.entry.digest ?? null
  if (before === entry.digest) return null
  const custom = {
    entry,
    enabled: live?.enabled ?? true,
    shareable: live?.shareable ?? false,
    updatedAt: view.now,
  }
  return {
    skill: entry.name,
    steps: [{ kind: 'live', custom, version }],
    action,
    also: [],
    note: version?.note ?? null,
    before,
    after: entry.digest,
  }
}

export function planPublish(version: NewVersion): SkillPlan {
  return (view) => {
    const { entry, expect } = version
    if (!isSha256(entry.digest) || !isSha256(entry.body))
      return fail('invalid_request', `The entry of "${entry.name}" must name its digest and body by sha-256.`)
    const purged = refusePurged(
      view.sql,
      entry,
      'Take out what was published by mistake, then publish again.',
    )
    if (purged) return purged
    // Whoever sends it again because the answer was lost expects what was live before: it is done, nothing is written over.
    if (view.overlay.custom.get(entry.name)?.entry.digest === entry.digest) return ok(null)
    return stale(view, entry.name, expect) ?? ok(madeLive(view, entry, 'publish', version))
  }
}

function toVersion(view: View, skill: string, digest: string, action: Action): Result<SkillChange | null> {
  if (view.overlay.custom.get(skill)?.entry.digest === digest) return ok(null)
  const entry = versionEntry(view.sql, skill, digest)
  if (entry) return ok(madeLive(view, entry, action, null))
  const purged = refusePurged(view.sql, { name: skill, digest }, 'Bring back another of its versions.')
  if (purged) return purged
  return fail('not_found', `"${skill}" has no version ${digest}. Its versions are listed under /versions.`)
}

/** Pins first, then switches and shares what is live after that. */
function planPatch(skill: string, { digest, enabled, shareable }: Patch): SkillPlan {
  return (view) => {
    if (digest !== undefined && !hasVersions(view, skill)) return notCustom(view, skill, 'pinned')
    const pinned = digest === undefined ? ok(null) : toVersion(view, skill, digest, 'pin')
    if (!pinned.ok) return pinned
    const [step] = pinned.value?.steps ?? []
    const custom = step?.kind === 'live' ? step.custom : view.overlay.custom.get(skill)
    const seen = custom ?? entryIn(view.build, view.overlay, skill)
    if (!seen) return unknown(view, skill)
    const actions: Action[] = pinned.value ? ['pin'] : []
    if (enabled !== undefined && enabled !== seen.enabled) actions.push(enabled ? 'enable' : 'disable')
    if (shareable !== undefined && shareable !== seen.shareable) actions.push(shareable ? 'share' : 'unshare')
    const [action, ...also] = actions
    if (action === undefined) return ok(null)
    const before = pinned.value ? pinned.value.before : digestOf(seen)
    const flags = { enabled: enabled ?? seen.enabled, shareable: shareable ?? seen.shareable }
    const steps = custom
      ? [{ kind: 'live', custom: { ...custom, ...flags, updatedAt: view.now }, version: null } as const]
      : flagSteps(skill, actions, flags)
    return ok({ skill, steps, action, also, note: null, before, after: digestOf(seen) })
  }
}

function digestOf(seen: LiveCustom | { readonly digest: string }): string {
  return 'digest' in seen ? seen.digest : seen.entry.digest
}

/** Of a public skill: only what is set by hand is kept, so that the rest follows the build. */
export function flagSteps(
  skill: string,
  actions: readonly Action[],
  { enabled, shareable }: { readonly enabled: boolean; readonly shareable: boolean },
): readonly Step[] {
  const steps: Step[] = []
  if (actions.some((action) => action === 'enable' || action === 'disable'))
    steps.push({ kind: 'switch', skill, enabled })
  if (actions.some((action) => action === 'share' || action === 'unshare'))
    steps.push({ kind: 'share', skill, shareable })
  return steps
}

/** `to`: a digest, or how many versions of its lineage back, as a negative whole number. */
function planRollback(skill: string, to: string | number): SkillPlan {
  return (view) => {
    if (!hasVersions(view, skill)) return notCustom(view, skill, 'rolled back')
    if (typeof to === 'string') return toVersion(view, skill, to, 'rollback')
    if (!Number.isSafeInteger(to) || to >= 0)
      return fail(
        'invalid_request',
        '"to" must be a digest or a negative whole number: -1 is the one before.',
      )
    const live = view.overlay.custom.get(skill)?.entry.digest ?? null
    const earlier = lineage(view.sql, skill, live)
    const digest = earlier[-to - 1]
    if (digest !== undefined) return toVersion(view, skill, digest, 'rollback')
    return fail(
      'invalid_request',
      `"${skill}" cannot go back ${-to}: there ${earlier.length === 1 ? 'is 1 earlier version' : `are ${earlier.length} earlier versions`} to go back to. Pin any other by its digest.`,
    )
  }
}

export function planRetire(skill: string): SkillPlan {
  return (view) => {
    const live = view.overlay.custom.get(skill)
    if (!live)
      return hasVersions(view, skill) && !builtIns(view.build).has(skill)
        ? fail('not_found', `"${skill}" is retired already. Pin one of its versions to bring it back.`)
        : notCustom(view, skill, 'retired')
    const before = live.entry.digest
    const steps = [{ kind: 'retire', skill }] as const
    return ok({ skill, steps, action: 'retire', also: [], note: null, before, after: null })
  }
}
