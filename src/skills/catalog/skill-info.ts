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
  readonly updated_at: string
  readonly diagnostics: readonly Finding[]
}

// A build has no clock, so that equal bytes give equal digests; the contract wants a time.
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
    updated_at: entry.updated_at ?? BUILD_TIME,
    diagnostics: entry.diagnostics,
  }
}
