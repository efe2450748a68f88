// What each change of a catalog would do, decided from its rows alone. Writes nothing; catalog-core.ts does.

import { isSha256 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { HistoryItem } from './api.ts'
import { earlierDigests, publishedNames, versionEntry } from './rows.ts'
import type { LiveCustom, Overlay } from './merge.ts'
import type { Finding, IndexEntry, SkillIndex } from '../skill.ts'
import { didYouMean } from '../../lib/suggest.ts'

export type Step =
  | { readonly kind: 'live'; readonly custom: LiveCustom; readonly findings: readonly Finding[] | null }
  | { readonly kind: 'retire'; readonly skill: string }
  | { readonly kind: 'switch'; readonly skill: string; readonly enabled: boolean }

export interface Change {
  readonly step: Step
  readonly action: HistoryItem['action']
  readonly skill: string
  readonly note: string | null
  /** Digest that was live under this name before, and after; null: none. */
  readonly before: string | null
  readonly after: string | null
}

/** The catalog as it stands while a change is planned. */
interface View {
  readonly sql: SqlStorage
  readonly overlay: Overlay
  readonly build: SkillIndex
  /** RFC 3339. */
  readonly now: string
}

/** Null: it is so already. */
export type Plan = (view: View) => Result<Change | null>

function builtIn(view: View, skill: string): IndexEntry | undefined {
  return view.build.skills.find((entry) => entry.name === skill)
}

function unknown(view: View, skill: string): Result<never> {
  const names = [
    ...view.overlay.custom.keys(),
    ...view.build.skills.map((entry) => entry.name),
    ...publishedNames(view.sql),
  ]
  return fail('not_found', `No skill "${skill}" in this catalog.${didYouMean(skill, [...new Set(names)])}`)
}

/** Why a skill that has no custom version cannot be pinned, rolled back or retired. */
function notCustom(view: View, skill: string, wish: string): Result<never> {
  if (!builtIn(view, skill)) return unknown(view, skill)
  return fail(
    'invalid_request',
    `"${skill}" is built in: it can be switched on and off, not ${wish}. Publish a custom skill of the same name to shadow it.`,
  )
}

function hasVersions(view: View, skill: string): boolean {
  return view.overlay.custom.has(skill) || publishedNames(view.sql).includes(skill)
}

export function planPublish(
  entry: IndexEntry,
  findings: readonly Finding[],
  note: string | null,
  expect: string | undefined,
): Plan {
  return (view) => {
    if (!isSha256(entry.digest) || !isSha256(entry.body))
      return fail('invalid_request', `The entry of "${entry.name}" must name its digest and body by sha-256.`)
    const live = view.overlay.custom.get(entry.name)
    const before = live?.entry.digest ?? null
    const seen = before ?? builtIn(view, entry.name)?.digest ?? null
    if (expect !== undefined && expect !== seen)
      return fail(
        'stale_version',
        `"${entry.name}" is at ${seen ?? 'no version'}, not at ${expect}. Read it again, then publish over what is live.`,
      )
    if (before === entry.digest) return ok(null)
    const custom = {
      entry,
      enabled: live?.enabled ?? true,
      shareable: live?.shareable ?? false,
      updatedAt: view.now,
    }
    return ok({
      step: { kind: 'live', custom, findings },
      action: 'publish',
      skill: entry.name,
      note,
      before,
      after: entry.digest,
    })
  }
}

export function planSwitch(skill: string, enabled: boolean): Plan {
  return (view) => {
    const action = enabled ? 'enable' : 'disable'
    const custom = view.overlay.custom.get(skill)
    if (custom) {
      if (custom.enabled === enabled) return ok(null)
      const digest = custom.entry.digest
      const step = {
        kind: 'live',
        custom: { ...custom, enabled, updatedAt: view.now },
        findings: null,
      } as const
      return ok({ step, action, skill, note: null, before: digest, after: digest })
    }
    const entry = builtIn(view, skill)
    if (!entry) return unknown(view, skill)
    if ((view.overlay.switches.get(skill) ?? entry.enabled) === enabled) return ok(null)
    const step = { kind: 'switch', skill, enabled } as const
    return ok({ step, action, skill, note: null, before: entry.digest, after: entry.digest })
  }
}

function toVersion(
  view: View,
  skill: string,
  digest: string,
  action: 'pin' | 'rollback',
): Result<Change | null> {
  const live = view.overlay.custom.get(skill)
  const before = live?.entry.digest ?? null
  if (before === digest) return ok(null)
  const entry = versionEntry(view.sql, skill, digest)
  if (!entry)
    return fail('not_found', `"${skill}" has no version ${digest}. Its versions are listed under /versions.`)
  // Bringing back a retired skill brings it back switched on: that is what was asked for.
  const custom = {
    entry,
    enabled: live?.enabled ?? true,
    shareable: live?.shareable ?? false,
    updatedAt: view.now,
  }
  const step = { kind: 'live', custom, findings: null } as const
  return ok({ step, action, skill, note: null, before, after: digest })
}

export function planPin(skill: string, digest: string): Plan {
  return (view) =>
    hasVersions(view, skill) ? toVersion(view, skill, digest, 'pin') : notCustom(view, skill, 'pinned')
}

/** `to`: a digest, or how many live versions back as a negative whole number. */
export function planRollback(skill: string, to: string | number): Plan {
  return (view) => {
    if (!hasVersions(view, skill)) return notCustom(view, skill, 'rolled back')
    if (typeof to === 'string') return toVersion(view, skill, to, 'rollback')
    if (!Number.isSafeInteger(to) || to >= 0)
      return fail(
        'invalid_request',
        '"to" must be a digest or a negative whole number: -1 is the one before.',
      )
    const live = view.overlay.custom.get(skill)?.entry.digest ?? null
    const earlier = earlierDigests(view.sql, skill, live)
    const digest = earlier[-to - 1]
    if (digest === undefined)
      return fail(
        'invalid_request',
        `"${skill}" cannot go back ${-to}: ${earlier.length} earlier version${earlier.length === 1 ? ' was' : 's were'} live.`,
      )
    return toVersion(view, skill, digest, 'rollback')
  }
}

export function planRetire(skill: string): Plan {
  return (view) => {
    const live = view.overlay.custom.get(skill)
    if (!live)
      return hasVersions(view, skill) && !builtIn(view, skill)
        ? fail('not_found', `"${skill}" is retired already. Pin one of its versions to bring it back.`)
        : notCustom(view, skill, 'retired')
    const before = live.entry.digest
    return ok({ step: { kind: 'retire', skill }, action: 'retire', skill, note: null, before, after: null })
  }
}

/** The overlay with one step taken. */
export function taken(overlay: Overlay, step: Step): Overlay {
  const custom = new Map(overlay.custom)
  const switches = new Map(overlay.switches)
  if (step.kind === 'live') custom.set(step.custom.entry.name, step.custom)
  else if (step.kind === 'retire') custom.delete(step.skill)
  else switches.set(step.skill, step.enabled)
  return { custom, switches }
}
