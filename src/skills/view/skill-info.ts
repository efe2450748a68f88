// Converts an index entry to the contract's SkillInfo, which API clients receive.

import { locationOf, type Category, type Finding, type IndexEntry, type SuggestionCard } from '../skill.ts'

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
  /** False if only the agent may call it. */
  readonly user_invocable: boolean
  /** Tells people what to write after `/name`. */
  readonly argument_hint: string | null
  /** How the page suggests the skill; null if the author does not say. */
  readonly card: SuggestionCard | null
  /** The version as its author wrote it. The digest is what identifies a version. */
  readonly version: string | null
  readonly changelog: string | null
  /** Names of skills that this one needs. */
  readonly dependencies: readonly string[]
  /** Null for a built-in skill, which changes only with a deploy. */
  readonly updated_at: string | null
  readonly diagnostics: readonly Finding[]
}

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
    card: entry.card,
    version: entry.version,
    changelog: entry.changelog,
    dependencies: entry.dependencies,
    updated_at: entry.updated_at,
    diagnostics: entry.diagnostics,
  }
}
