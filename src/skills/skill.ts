// The types of skills: an index entry, an index, a finding. Reads no store.

export type Category = 'public' | 'custom'

/** Why an error does not refuse a skill: a person accepted it for a file with these bytes. */
export interface Accepted {
  readonly reason: string
  /** Of the file. */
  readonly sha256: string
  /** Who and when (RFC 3339), once it is stored with a version. */
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
  /** An error of the scan by its rule, and a warning since it was accepted. */
  readonly accepted?: Accepted
}

/** The metadata of SKILL.md, parsed leniently. Texts are cleaned for display, the body is verbatim. */
export interface SkillMeta {
  readonly name: string
  readonly description: string
  readonly license: string | null
  readonly compatibility: string | null
  readonly tags: readonly string[]
  /** Null: not declared. Empty: no tools beyond the always-allowed. */
  readonly allowedTools: readonly string[] | null
  /** False: `disable-model-invocation: true`; the skill is hidden from the model. */
  readonly modelInvocable: boolean
  /** False: `user-invocable: false`. */
  readonly userInvocable: boolean
  readonly version: string | null
  readonly changelog: string | null
  /** Names of skills that must be visible where this one is. */
  readonly dependencies: readonly string[]
  /** Tools that are off while the skill is active, by our names where known. */
  readonly disallowedTools: readonly string[]
  /** What to write after `/name`, for people. */
  readonly argumentHint: string | null
  /** Every other key, as JSON. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** One immutable skill version as the index lists it. */
export interface IndexEntry {
  readonly name: string
  readonly description: string
  readonly category: Category
  /** The digest of the version, which names its manifest. */
  readonly digest: string
  /** sha-256 of SKILL.md: names its body in KV. */
  readonly body: string
  readonly license: string | null
  readonly tags: readonly string[]
  readonly allowed_tools: readonly string[] | null
  readonly disallowed_tools: readonly string[]
  readonly model_invocable: boolean
  readonly user_invocable: boolean
  /** True: `metadata.internal: true`; it is never listed publicly. */
  readonly internal: boolean
  readonly argument_hint: string | null
  readonly dependencies: readonly string[]
  readonly version: string | null
  readonly changelog: string | null
  /** Terms for search: of the headings, a bar, of the body; stems separated by spaces. */
  readonly words: string
  readonly tokens: { readonly index: number; readonly body: number }
  readonly files: number
  readonly bytes: number
  readonly enabled: boolean
  readonly shareable: boolean
  /** A custom skill that hides a built-in one of the same name. */
  readonly shadows: boolean
  /** RFC 3339; for public skills null (a build has no clock, so that equal bytes give equal digests). */
  readonly updated_at: string | null
  readonly diagnostics: readonly Finding[]
}

/** An HTTP tool in the catalog. src/tools/http/ interprets its definition. */
export interface ToolEntry {
  readonly name: string
  /** Sha-256 of the definition's canonical JSON. */
  readonly digest: string
  /** JSON, checked when it was stored; read by src/tools/http/definition.ts. */
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

/** The live catalog. A run is pinned to it. */
export interface LiveCatalog {
  readonly version: number
  /** sha-256 of the merged index: its address in KV and R2. */
  readonly index: string
}

/** Which skills a workspace uses. */
export interface UseRanking {
  /** Equal for the same names in the same order, in every workspace. */
  readonly id: string
  /** Most used first, at most SKILL_USE_RANKED; may include names that left the catalog. */
  readonly names: readonly string[]
}

/** The catalog for a new thread. */
export interface RankedCatalog extends LiveCatalog {
  /** Null: no use was counted yet. Absent: the caller's ranking is current, or it did not ask. */
  readonly used?: UseRanking | null
}

/** One file of a skill version, as its manifest lists it. `sha256` names its bytes in R2. */
export interface ManifestFile {
  readonly path: string
  readonly sha256: string
}

/** The path of a skill's SKILL.md in the tree that the model sees. */
export function locationOf(entry: { readonly category: Category; readonly name: string }): string {
  return `/mnt/skills/${entry.category}/${entry.name}/SKILL.md`
}

export function rootOf(entry: { readonly category: Category; readonly name: string }): string {
  return `/mnt/skills/${entry.category}/${entry.name}`
}
