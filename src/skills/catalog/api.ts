// The RPC interface of the Catalog object. It carries plain data only; the bytes of files go through R2.

import type { Result } from '../../lib/result.ts'
import type {
  Accepted,
  Finding,
  IndexEntry,
  LiveCatalog,
  ManifestFile,
  RankedCatalog,
  WholeTool,
} from '../skill.ts'
import type { CatalogRestoreApi } from './restore-api.ts'
import type { ToolChanges, ToolVersion, ToolVersionInfo, ToolOperation } from './tools-api.ts'

/** The digest that must be live, `*` for any, null for none, undefined for no check. Otherwise: `stale_version`. */
export type Expect = string | null | undefined

/** The catalog version that must be live, or undefined. Otherwise: `stale_version`, unless nothing would change. */
export type ExpectedVersion = number | undefined

export type Action =
  | 'publish'
  /** `put` makes a new version of a tool live; `approve` approves the tools of an MCP server. */
  | 'put'
  | 'approve'
  | 'pin'
  | 'rollback'
  | 'enable'
  | 'disable'
  | 'share'
  | 'unshare'
  | 'unpublish'
  | 'restore'
  | 'purge'
  | 'build'

export interface VersionInfo {
  readonly digest: string
  readonly created_at: string
  readonly author: string
  readonly note: string | null
  readonly live: boolean
  readonly findings: readonly Finding[]
  /** Null if it was not purged. */
  readonly purged: Omit<PurgedVersion, keyof VersionKey> | null
}

export interface SkillChange {
  readonly at: string
  readonly action: Action
  /** Additional actions that the same change took on this skill. */
  readonly also: readonly Action[]
  readonly name: string | null
  readonly author: string
  readonly note: string | null
  readonly before: string | null
  readonly after: string | null
  readonly catalog_version: number
  /** Findings of the version that this change published. */
  readonly findings: readonly Finding[]
}

interface NameSummary {
  readonly count: number
  readonly names: readonly string[]
}

/** One catalog version, and which skills and tools it changed. */
export interface CatalogVersion {
  readonly version: number
  readonly build: string
  readonly at: string
  readonly author: string
  /** `commit` for a change with several different actions. */
  readonly action: Action | 'commit'
  readonly note: string | null
  /** How many skills changed, and the names of the first ones, sorted. */
  readonly changed: NameSummary & {
    /** Absent if no tool changed. */
    readonly tools?: NameSummary
  }
}

/** A skill version whose bytes are in the stores. */
export interface NewVersion {
  readonly entry: IndexEntry
  readonly files: readonly ManifestFile[]
  readonly findings: readonly Finding[]
  readonly note: string | null
  readonly expect?: Expect
}

export interface Unpublishing {
  readonly name: string
  readonly expect?: Expect
}

/** The changes of one commit: all of them are made, or none. */
export interface Batch {
  readonly skills: readonly NewVersion[]
  /** Custom skills that are not in `skills`. */
  readonly unpublish: readonly Unpublishing[]
  readonly note: string | null
}

/** The state of a skill that belongs to the catalog, not to a version. `created` is false if the change did nothing. */
type SkillState = Pick<IndexEntry, 'enabled' | 'shareable' | 'shadows' | 'updated_at'> & {
  readonly created: boolean
}

/** Bytes about to be stored. A `body` is the text of a SKILL.md. Bodies and indexes are also stored in KV. */
export interface StagedBlob {
  readonly sha256: string
  readonly kind: 'file' | 'body' | 'index' | 'archive'
  readonly bytes: number
}

/** A version published here. */
export type VersionKey = Pick<IndexEntry, 'name' | 'digest'>

/** A version whose bytes were permanently deleted. */
export interface PurgedVersion extends VersionKey {
  readonly at: string
  readonly author: string
  readonly note: string | null
}

/** `done` is false if a store did not respond; the sweep then deletes the remaining bytes later. */
export interface Purge extends PurgedVersion {
  readonly done: boolean
}

export interface Patch {
  readonly enabled?: boolean | undefined
  readonly shareable?: boolean | undefined
  /** The version of this skill to make live. */
  readonly digest?: string | undefined
}

/** A change of one skill. Unpublishing removes it from the catalog and keeps its versions and history. */
export type SkillOperation = { readonly skill: string; readonly expect?: Expect } & (
  | { readonly kind: 'patch'; readonly patch: Patch }
  /** `to` is a digest, or -1, -2 …: how many versions to go back, skipping those that were rolled back from. */
  | { readonly kind: 'rollback'; readonly to: string | number }
  | { readonly kind: 'unpublish' }
)

export type Operation =
  | SkillOperation
  | ToolOperation
  /** Every file must have been staged and written. For a large batch, pass the address of its JSON in R2. */
  | { readonly kind: 'commit'; readonly batch: Batch | { readonly sha256: string } }
  /**
   * Restores custom skills, switches and sharing as they were in that catalog version, and with `tools` also the tools
   * (admins only). The versions of built-in skills do not change.
   */
  | {
      readonly kind: 'restore'
      readonly version: number
      readonly note: string | null
      readonly tools: boolean
    }

/** Who makes a change, for which build, and which catalog version must be live. */
export interface ChangeTerms {
  readonly author: string
  readonly build: string
  /** If true, the call returns what the change would do, or its error, and changes nothing. */
  readonly dryRun: boolean
  readonly over?: ExpectedVersion
}

export interface ChangeRequest extends ChangeTerms {
  readonly operation: Operation
}

/**
 * The names of changed skills by kind of change, sorted, up to CHANGED_NAMES_LISTED_MAX of each. `switched` skills were
 * switched or shared without a new version; `shared` skills became publicly downloadable.
 */
export interface Changes {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly switched: readonly string[]
  readonly shared: readonly string[]
  readonly unshared: readonly string[]
}

/** The catalog that is live after a change; for a dry run, the current one. */
export interface Changed extends LiveCatalog {
  /** The skill after the change, if the request named exactly one and it is still live; otherwise null. */
  readonly skill: IndexEntry | null
  /** The state of each named skill that is live after the change, in order. For a commit, all its skills are. */
  readonly states: readonly SkillState[]
  readonly changes: Changes
  /** The named tools after the change, in order, each null if no tool of that name is live. */
  readonly tools: readonly (WholeTool | null)[]
  readonly toolChanges: ToolChanges
}

/** The identity of a version. It includes the category, because a built-in and a custom skill may share a name. */
export type VersionName = Pick<IndexEntry, 'category' | 'name' | 'digest'>

/** A version as /.well-known/ lists it. */
export interface SharedVersion extends VersionName {
  /** SHA-256 of the bytes that are served: SKILL.md if it is the only file, otherwise the archive. */
  readonly sha256: string
  /** Paths, sorted as in its manifest. */
  readonly files: readonly string[]
}

/** An error that was accepted when a version of a skill was published. */
export interface AcceptedFile {
  readonly rule: string
  readonly accepted: Accepted
}

/** How much a skill is used. Each use counts as one, and as half after SKILL_USE_HALF_LIFE_DAYS. */
export interface SkillUsage {
  readonly name: string
  /** As of today, to one decimal. */
  readonly uses: number
}

export interface CatalogApi extends CatalogRestoreApi {
  /**
   * The live catalog of a build. Cheap, because it is cached in memory. Creates a catalog version for a new build.
   * `ranking` is the ID of the ranking that the caller has, or null; the ranking is returned only if it differs.
   */
  live(build: string, ranking?: string | null): Promise<Result<RankedCatalog>>
  /**
   * Records that a run in a thread of this owner used these skills. Each skill is counted once a day (UTC) for an
   * owner; unknown names are ignored. Do not retry, because a new day may have begun.
   */
  used(build: string, names: readonly string[], owner: string): Promise<Result<null>>
  /** At most SKILL_USE_LISTED_MAX, most used first, including skills that are no longer in the catalog. */
  mostUsed(): Promise<Result<readonly SkillUsage[]>>
  /** The live entries of these names, in order, each null if there is none. At most CATALOG_ENTRIES_MAX names. */
  entries(build: string, names: readonly string[]): Promise<Result<readonly (IndexEntry | null)[]>>
  /**
   * Protects bytes from the sweep for a day, and for longer once a version refers to them. Call it before writing the
   * bytes. With `maxBytes`, fails with `storage_full` if the workspace would exceed that many bytes.
   */
  stage(blobs: readonly StagedBlob[], maxBytes: number | null): Promise<Result<null>>
  /**
   * Tells which of these blobs a version refers to (these have been written), and which are only staged
   * (these may not have been written). Extends the staging of the latter.
   */
  known(blobs: readonly string[]): Promise<Result<{ readonly kept: string[]; readonly staged: string[] }>>
  /**
   * The only way to change what is live. Creates one catalog version for the whole operation, or none. Repeating an
   * operation that succeeded is not a failure; newly accepted errors are then still stored. Failures: `stale_version`,
   * `not_found`, `invalid_request` and `gone`, which for a commit have `errors` by position; and `overloaded` with
   * `retryAfterS` 0 if blobs were swept after they were staged: stage and write them again.
   */
  change(request: ChangeRequest): Promise<Result<Changed>>
  /**
   * Permanently deletes the bytes of a version, except those that another version in this workspace shares. The
   * version's name, digest and history are kept. Failures: `not_found`, `version_live`, `catalog_broken`.
   */
  purge(version: VersionKey, note: string | null, author: string): Promise<Result<Purge>>
  /**
   * The entry of a version as it was published, whether or not it is live. Failures: `not_found`, and `gone` after a
   * purge.
   */
  version(skill: string, digest: string): Promise<Result<IndexEntry>>
  /** The versions of a skill, newest first, as many as fit in one response. Failure: `not_found`. */
  versions(skill: string): Promise<Result<readonly VersionInfo[]>>
  /** Errors accepted for files with these hashes in the last SKILL_VERSIONS_LISTED_MAX versions of a skill. */
  accepted(skill: string, files: readonly string[]): Promise<Result<readonly AcceptedFile[]>>
  /** Digests that were live before the one that is live now, newest first. */
  earlier(skill: string): Promise<Result<readonly string[]>>
  /** The newest `limit` rows before row `before` of one history, or of all. `next` is null on the last page. */
  history(
    name: string | null,
    limit: number,
    before: number | null,
    kind?: 'skill' | 'tool',
  ): Promise<Result<{ readonly items: readonly SkillChange[]; readonly next: number | null }>>
  /** The live tools of these names, in order, each null if there is none. */
  toolEntries(build: string, names: readonly string[]): Promise<Result<readonly (WholeTool | null)[]>>
  /** A version of a tool as it was stored, whether or not it is live. Failure: `not_found`. */
  toolVersion(tool: string, digest: string): Promise<Result<ToolVersion>>
  /** The versions of a tool, newest first, at most SKILL_VERSIONS_LISTED_MAX. Empty if it was never created here. */
  toolVersions(tool: string): Promise<Result<readonly ToolVersionInfo[]>>
  /** The catalog's versions, newest first, at most `limit`, older than version `before`. */
  catalogVersions(limit: number, before: number | null): Promise<Result<readonly CatalogVersion[]>>
  /** The versions among these that have been listed since their skill was shared, in no particular order. */
  sharedVersions(versions: readonly VersionName[]): Promise<Result<readonly SharedVersion[]>>
  /**
   * Records versions that are about to be listed. Call it after writing their archives. Returns the recorded versions.
   * A version that was recorded before is unchanged; one that is no longer live and shared is skipped.
   */
  keepShared(build: string, versions: readonly SharedVersion[]): Promise<Result<readonly SharedVersion[]>>
  /** The version of this skill that was listed with these bytes; null if there is none. */
  sharedAs(skill: Omit<VersionName, 'digest'>, sha256: string): Promise<Result<SharedVersion | null>>
}
