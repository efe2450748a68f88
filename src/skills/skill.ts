// The nouns of skills: an index entry, an index, a finding. Level 1 is made from these; nothing here reads a store.

export type Category = 'public' | 'custom'

/** Why an error does not refuse a skill: somebody answers for it, as long as the file has these bytes. */
export interface Accepted {
  readonly reason: string
  /** Of the file. */
  readonly sha256: string
  /** Who, and when (RFC 3339), once a version keeps it. */
  readonly author?: string
  readonly at?: string
}

/** Contract: Finding. `line` is 1-based in `file`. */
export interface Finding {
  readonly rule: string
  readonly severity: 'error' | 'warning' | 'note'
  readonly file: string
  readonly line: number | null
  readonly message: string
  readonly fix: string
  /** It is an error of the scan by its rule, and a warning since it was accepted. */
  readonly accepted?: Accepted
}

/** What SKILL.md says of itself, after reading it leniently. Texts are cleaned for display, body is verbatim. */
export interface SkillMeta {
  readonly name: string
  readonly description: string
  readonly license: string | null
  readonly compatibility: string | null
  readonly tags: readonly string[]
  /** Null: not declared. Empty: no tools beyond the always-allowed. */
  readonly allowedTools: readonly string[] | null
  /** False: `disable-model-invocation: true`; the skill is left out of everything the model sees. */
  readonly modelInvocable: boolean
  /** False: `user-invocable: false`. */
  readonly userInvocable: boolean
  readonly version: string | null
  readonly changelog: string | null
  /** Names of skills that must be visible where this one is. */
  readonly dependencies: readonly string[]
  /** Tools that are off while the skill is active, by our names where they map. */
  readonly disallowedTools: readonly string[]
  /** What to write behind `/name`, for people. */
  readonly argumentHint: string | null
  /** Every other key, as JSON. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** One immutable skill version as the index lists it. */
export interface IndexEntry {
  readonly name: string
  readonly description: string
  readonly category: Category
  /** Of the whole skill version: names its manifest, which lists its files. */
  readonly digest: string
  /** sha-256 of SKILL.md: names its body in KV. */
  readonly body: string
  readonly license: string | null
  readonly tags: readonly string[]
  readonly allowed_tools: readonly string[] | null
  readonly disallowed_tools: readonly string[]
  readonly model_invocable: boolean
  readonly user_invocable: boolean
  /** True: `metadata.internal: true`; it is not shown outside, however it is shared. */
  readonly internal: boolean
  readonly argument_hint: string | null
  readonly dependencies: readonly string[]
  readonly version: string | null
  readonly changelog: string | null
  /** For search alone: telling words of the headings, a bar, those of the body; stemmed, separated by blanks. */
  readonly words: string
  readonly tokens: { readonly index: number; readonly body: number }
  readonly files: number
  readonly bytes: number
  readonly enabled: boolean
  readonly shareable: boolean
  /** A custom skill that hides a public one of the same name. */
  readonly shadows: boolean
  /** RFC 3339; for public skills null (a build has no clock, so that equal bytes give equal digests). */
  readonly updated_at: string | null
  readonly diagnostics: readonly Finding[]
}

/** A tool from settings as the catalog lists it. What it does is its definition's business: see src/tools/http/. */
export interface ToolEntry {
  readonly name: string
  /** Sha-256 of the definition's canonical JSON. */
  readonly digest: string
  /** JSON, checked when it was put; read by src/tools/http/definition.ts. */
  readonly definition: Readonly<Record<string, unknown>>
  readonly enabled: boolean
  readonly source: 'build' | 'workspace'
  /** RFC 3339; null for those of the build. */
  readonly updated_at: string | null
}

/** Sorted by name. Its JSON bytes (see index-json.ts) have a sha-256, by which KV and R2 keep it. */
export interface SkillIndex {
  readonly format: 1
  readonly skills: readonly IndexEntry[]
  /** Absent: there is none. */
  readonly tools?: readonly ToolEntry[]
}

/** The catalog that is live now: a run is pinned to it. */
export interface LiveCatalog {
  readonly version: number
  /** sha-256 of the merged index: its address in KV and R2. */
  readonly index: string
}

/** Which skills a workspace uses. */
export interface UseRanking {
  /** The same for the same names in the same order, in every workspace. */
  readonly id: string
  /** Most used first, at most SKILL_USE_RANKED; names that are out of the catalog may be among them. */
  readonly names: readonly string[]
}

/** What a new thread begins with. */
export interface RankedCatalog extends LiveCatalog {
  /** Null: no use was counted yet. Absent: the one that the asker named is still right, or it did not ask. */
  readonly used?: UseRanking | null
}

/** One file of a skill version, as its manifest lists it. `sha256` names its bytes in R2. */
export interface ManifestFile {
  readonly path: string
  readonly sha256: string
}

/** Where a skill's SKILL.md lies in the tree that the model sees. */
export function locationOf(entry: { readonly category: Category; readonly name: string }): string {
  return `/mnt/skills/${entry.category}/${entry.name}/SKILL.md`
}

export function rootOf(entry: { readonly category: Category; readonly name: string }): string {
  return `/mnt/skills/${entry.category}/${entry.name}`
}
