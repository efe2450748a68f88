// A skill as clients see it: the contract's SkillInfo. Adds nothing that is not in the index.

import { rfc3339 } from '../../lib/clock.ts'
import { locationOf } from '../skill.ts'
import type { Category, Finding, IndexEntry } from '../skill.ts'

/** Contract: SkillInfo. */
export interface SkillInfo {
  readonly name: string
  readonly description: string
  readonly category: Category
  readonly enabled: boolean
  readonly editable: boolean
  readonly digest: string
  readonly location: string
  readonly license: string | null
  readonly tags: readonly string[]
  readonly tokens: { readonly index: number; readonly body: number }
  readonly files: number
  readonly bytes: number
  readonly shadows: boolean
  readonly shareable: boolean
  /** False: only the agent may call it. */
  readonly user_invocable: boolean
  /** What to write behind `/name`. */
  readonly argument_hint: string | null
  /** The author's own; the digest is what tells versions apart. */
  readonly version: string | null
  readonly changelog: string | null
  /** Skills that must be there where this one is. */
  readonly dependencies: readonly string[]
  readonly updated_at: string
  readonly diagnostics: readonly Finding[]
}

// The contract wants a time, and a build has none: one that no catalog has met yet.
const BUILD_TIME = rfc3339(0)

export function skillInfo(entry: IndexEntry): SkillInfo {
  return {
    name: entry.name,
    description: entry.description,
    category: entry.category,
    enabled: entry.enabled,
    editable: entry.category === 'custom',
    digest: entry.digest,
    location: locationOf(entry),
    license: entry.license,
    tags: entry.tags,
    tokens: entry.tokens,
    files: entry.files,
    bytes: entry.bytes,
    shadows: entry.shadows,
    shareable: entry.shareable,
    user_invocable: entry.user_invocable,
    argument_hint: entry.argument_hint,
    version: entry.version,
    changelog: entry.changelog,
    dependencies: entry.dependencies,
    updated_at: entry.updated_at ?? BUILD_TIME,
    diagnostics: entry.diagnostics,
  }
}
