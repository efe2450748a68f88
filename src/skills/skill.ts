// The types of the skill domain: findings, metadata, index entries, indexes and catalogs.

export type Category = 'public' | 'custom'

/** A person's decision that a scan error in a file with this hash does not block the skill. */
export interface Accepted {
  readonly reason: string
  /** SHA-256 of the file's bytes. */
  readonly sha256: string
  /** Who accepted it and when (RFC 3339). Both are set once it is stored with a version. */
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
  /** Set if the rule is an error but a person accepted it; the severity is then `warning`. */
  readonly accepted?: Accepted
}

/** How the page suggests a skill: a title and a summary for people, an icon and messages to start with. From `metadata`. */
export interface SuggestionCard {
  readonly title: string | null
  /** What the skill does, in one line for people. The description says when the model should use it. */
  readonly summary: string | null
  /** The name of an icon of the page. Unknown names show the usual icon. */
  readonly icon: string | null
  readonly examples: readonly string[]
}

/** The metadata of SKILL.md, parsed leniently. Texts are cleaned for display, the body is verbatim. */
export interface SkillMeta {
  readonly name: string
  readonly description: string
  readonly license: string | null
  readonly compatibility: string | null
  readonly tags: readonly string[]
  /** Null if not declared. If empty, only the tools that are always allowed may be called. */
  readonly allowedTools: readonly string[] | null
  /** False if the skill declares `disable-model-invocation: true`, which hides it from the model. */
  readonly modelInvocable: boolean
  /** False if the skill declares `user-invocable: false`. */
  readonly userInvocable: boolean
  readonly version: string | null
  readonly changelog: string | null
  /** Names of skills that must be visible wherever this one is. */
  readonly dependencies: readonly string[]
  /** Names of tools that are off while the skill is active, as the author wrote them. */
  readonly disallowedTools: readonly string[]
  /** Tells people what to write after `/name`. */
  readonly argumentHint: string | null
  /** Null if the skill declares none of its fields. */
  readonly card: SuggestionCard | null
  /** Every other frontmatter field, as JSON. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** One immutable skill version as the index lists it. */
export interface IndexEntry {
  readonly name: string
  readonly description: string
  readonly category: Category
  /** The version's digest, which is also the address of its manifest. */
  readonly digest: string
  /** SHA-256 of SKILL.md: the address of its text in KV. */
  readonly body: string
  readonly license: string | null
  readonly tags: readonly string[]
  readonly allowed_tools: readonly string[] | null
  readonly disallowed_tools: readonly string[]
  readonly model_invocable: boolean
  readonly user_invocable: boolean
  /** True if the skill declares `metadata.internal: true`. Such a skill is never listed publicly. */
  readonly internal: boolean
  readonly argument_hint: string | null
  readonly card: SuggestionCard | null
  readonly dependencies: readonly string[]
  readonly version: string | null
  readonly changelog: string | null
  /** Stems for search, separated by spaces: those of the headings, a vertical bar, those of the body. */
  readonly search_terms: string
  readonly tokens: { readonly index: number; readonly body: number }
  readonly files: number
  readonly bytes: number
  readonly enabled: boolean
  readonly shareable: boolean
  /** True for a custom skill that hides a built-in skill of the same name. */
  readonly shadows: boolean
  /** RFC 3339; null for public skills, because builds contain no times: equal bytes must give equal digests. */
  readonly updated_at: string | null
  readonly diagnostics: readonly Finding[]
}

/** How the names of entries for MCP servers begin. No HTTP tool has such a name. */
export const MCP_ENTRY_PREFIX = 'mcp:'

/** The MCP server that an entry of this name defines; null if it is an HTTP tool. */
export function mcpServerOf(entryName: string): string | null {
  return entryName.startsWith(MCP_ENTRY_PREFIX) ? entryName.slice(MCP_ENTRY_PREFIX.length) : null
}

/** An HTTP tool or an MCP server in the catalog. src/tools/http/ and src/tools/mcp/ interpret its definition. */
export interface ToolEntry {
  readonly name: string
  /** SHA-256 of the definition's canonical JSON. */
  readonly digest: string
  /** JSON that was validated when it was stored. Without its long parts if `details` is set. */
  readonly definition: Readonly<Record<string, unknown>>
  readonly enabled: boolean
  readonly source: 'build' | 'workspace'
  /** RFC 3339; null for tools of the build. */
  readonly updated_at: string | null
  /**
   * What an admin approved of an MCP server (src/tools/mcp/pins.ts). It belongs to no version, so that no rollback and no
   * restore approves anything. Absent if nothing was approved.
   */
  readonly approved?: Readonly<Record<string, unknown>>
  /**
   * The object next to the index that contains the long parts (store/tool-details.ts), and their size. Absent if the
   * entry is complete.
   */
  readonly details?: { readonly sha256: string; readonly bytes: number }
}

/** A tool or a server with everything that is stored about it. */
export interface WholeTool extends ToolEntry {
  readonly details?: never
}

/** A catalog's skills and tools, sorted by name. KV and R2 store it under the SHA-256 of its JSON (index-json.ts). */
export interface SkillIndex {
  readonly format: 1
  readonly skills: readonly IndexEntry[]
  /** Absent if the catalog has no tools. */
  readonly tools?: readonly ToolEntry[]
}

/** The live catalog. A run keeps using the one that was live when it started. */
export interface LiveCatalog {
  readonly version: number
  /** SHA-256 of the merged index: its address in KV and R2. */
  readonly index: string
}

/** The skills that a workspace uses, ranked. */
export interface UseRanking {
  /** Changes whenever the names or their order change. */
  readonly id: string
  /** Most used first, at most SKILL_USE_RANKED_MAX. May include skills that are no longer in the catalog. */
  readonly names: readonly string[]
}

/** The catalog for a new thread. */
export interface RankedCatalog extends LiveCatalog {
  /** Null if no use was counted yet; absent if the caller's ranking is current or it requested none. */
  readonly used?: UseRanking | null
}

/** One file of a skill version, as its manifest lists it. `sha256` is the address of its bytes in R2. */
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
