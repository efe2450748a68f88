// The RPC interface of the Catalog object. Plain data only: bytes go through R2, never through this object.

import type { Result } from '../../lib/result.ts'
import type {
  Accepted,
  Finding,
  IndexEntry,
  LiveCatalog,
  ManifestFile,
  RankedCatalog,
  ToolEntry,
} from '../skill.ts'
import type { ToolChanges, ToolVersion, ToolVersionInfo, ToolOperation } from './tools-api.ts'

/** The digest that must be live under a name; `*`: any; null: none; absent: no check. Else `stale_version`. */
export type Expect = string | null | undefined

/** The catalog version that must be live; absent: no check. Else `stale_version`, unless nothing would change. */
export type Over = number | undefined

export type Action =
  | 'publish'
  /** For a tool, what publishing is for a skill. */
  | 'put'
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
  /** Null: its files are stored. */
  readonly purged: Omit<PurgedVersion, keyof VersionKey> | null
}

export interface SkillChange {
  readonly at: string
  readonly action: Action
  /** What else the same change did to this skill. */
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

interface Named {
  readonly count: number
  readonly names: readonly string[]
}

/** One catalog version, and which skills and tools it changed. */
export interface CatalogVersion {
  readonly version: number
  readonly build: string
  readonly at: string
  readonly author: string
  /** `commit`: a change of several skills. */
  readonly action: Action | 'commit'
  readonly note: string | null
  /** The first names of changed skills, sorted, and how many changed. */
  readonly changed: Named & {
    /** Absent: no tool changed. */
    readonly tools?: Named
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

/** The changes of one commit, all or none. */
export interface Batch {
  readonly skills: readonly NewVersion[]
  /** Custom skills that are not in `skills`. */
  readonly unpublish: readonly Unpublishing[]
  readonly note: string | null
}

/**
 * The state that belongs to the catalog, not to the version. `created` is false when the same digest was live already.
 */
type SkillState = Pick<IndexEntry, 'enabled' | 'shareable' | 'shadows' | 'updated_at'> & {
  readonly created: boolean
}

/** `body`: the text of a SKILL.md, also stored in KV, as an index is. `archive`: the bytes of a shared version. */
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

/** `done` is false when a store did not answer: the sweep deletes the rest later. */
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
  /** `to`: a digest, or -1, -2 …: that many versions back, without versions that were rolled back from. */
  | { readonly kind: 'rollback'; readonly to: string | number }
  | { readonly kind: 'unpublish' }
)

export type Operation =
  | SkillOperation
  | ToolOperation
  /** Every file must have been staged and written. A large batch is passed by the address of its JSON in R2. */
  | { readonly kind: 'commit'; readonly batch: Batch | { readonly sha256: string } }
  /**
   * Custom skills, switches and sharing as in that catalog version; built-in skills stay. `tools`: tools too (admins
   * only).
   */
  | {
      readonly kind: 'restore'
      readonly version: number
      readonly note: string | null
      readonly tools: boolean
    }

/** Who makes a change, and the version that it expects. */
export interface ChangeTerms {
  readonly author: string
  readonly build: string
  /** Returns what the change would do, or its error, and changes nothing. */
  readonly dryRun: boolean
  readonly over?: Over
}

export interface ChangeRequest extends ChangeTerms {
  readonly operation: Operation
}

/** The first names of each kind, sorted. `switched`: the version stays. `shared`: publicly downloadable from now on. */
export interface Changes {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly switched: readonly string[]
  readonly shared: readonly string[]
  readonly unshared: readonly string[]
}

/** The catalog that is live after a change. For a dry run: the current one. */
export interface Changed extends LiveCatalog {
  /** The skill of a change of one skill, after it; null if none is live under its name, or several were named. */
  readonly skill: IndexEntry | null
  /** The named skills that are live after the change, in order; for a commit, all of its skills. */
  readonly states: readonly SkillState[]
  readonly changes: Changes
  /** The named tools that are live after the change, in order; null if there is none under that name. */
  readonly tools: readonly (ToolEntry | null)[]
  readonly toolChanges: ToolChanges
}

/** The identity of a version: a built-in skill and a custom one may have the same name. */
export type VersionName = Pick<IndexEntry, 'category' | 'name' | 'digest'>

/** A version as /.well-known/ lists it. */
export interface SharedVersion extends VersionName {
  /** SHA-256 of the bytes that are served: SKILL.md if that is the only file, else the archive. */
  readonly sha256: string
  /** Paths, sorted as in its manifest. */
  readonly files: readonly string[]
}

/** An error that was accepted when a version of a skill was published. */
export interface AcceptedFile {
  readonly rule: string
  readonly accepted: Accepted
}

/** How much a skill is used: each use counts one, and half after SKILL_USE_HALF_LIFE_DAYS. */
export interface SkillUsage {
  readonly name: string
  /** As of today, to one decimal. */
  readonly uses: number
}

export interface CatalogApi {
  /**
   * Reads one row, kept in memory, so an unchanged version moves no data. Creates a catalog version for a new build.
   * `ranking`: id of the ranking that the caller has, or null; the ranking is returned only when it differs.
   */
  live(build: string, ranking?: string | null): Promise<Result<RankedCatalog>>
  /**
   * Records that a run used these skills, in a thread of this owner. Each counts once a day (UTC) for an owner; unknown
   * names are ignored. Do not retry: the day may have ended.
   */
  used(build: string, names: readonly string[], owner: string): Promise<Result<null>>
  /** At most SKILL_USE_SHOWN, most used first, including skills that are no longer in the catalog. */
  mostUsed(): Promise<Result<readonly SkillUsage[]>>
  /** The live entries under these names, in order; null if there is none. At most CATALOG_ENTRIES_MAX. */
  entries(build: string, names: readonly string[]): Promise<Result<readonly (IndexEntry | null)[]>>
  /**
   * Call it before the bytes are written: from then on they are kept for a day, and longer once a version refers to
   * them.
   */
  stage(blobs: readonly StagedBlob[], maxBytes: number | null): Promise<Result<null>>
  /**
   * Which of these versions refer to (so they were written), and which are only staged (they may not be). Extends the
   * staging.
   */
  known(blobs: readonly string[]): Promise<Result<{ readonly kept: string[]; readonly staged: string[] }>>
  /**
   * The only way to change what is live: one catalog version for the whole operation, or none. Repeating an operation
   * that succeeded is no failure, and newly accepted errors are stored. Failures: `stale_version`, `not_found`,
   * `invalid_request`, `gone`, for a commit with `errors` by position; `overloaded` with `retryAfterS` 0 when blobs
   * were swept since they were staged: stage and write them again.
   */
  change(request: ChangeRequest): Promise<Result<Changed>>
  /**
   * Permanently deletes the bytes of a version that no other version here shares. Its name, digest and history are
   * kept. Failures: `not_found`, `version_live`, `catalog_broken`.
   */
  purge(version: VersionKey, note: string | null, author: string): Promise<Result<Purge>>
  /**
   * The entry of a version as it was published, live or not, also for an unpublished skill. Failures: `not_found`, and
   * `gone` after a purge.
   */
  version(skill: string, digest: string): Promise<Result<IndexEntry>>
  /** Newest first, as many as fit in one answer. Failure: `not_found`. */
  versions(skill: string): Promise<Result<readonly VersionInfo[]>>
  /** Errors accepted for files with these hashes in the last SKILL_VERSIONS_LISTED versions of a skill. */
  accepted(skill: string, files: readonly string[]): Promise<Result<readonly AcceptedFile[]>>
  /** Digests that were live before the one that is live now, newest first. */
  earlier(skill: string): Promise<Result<readonly string[]>>
  /** Of a skill or a tool. Newest first, older than row `before`, at most `limit`. `next`: cursor, null at the end. */
  history(
    name: string | null,
    limit: number,
    before: number | null,
    kind?: 'skill' | 'tool',
  ): Promise<Result<{ readonly items: readonly SkillChange[]; readonly next: number | null }>>
  /** The live tools under these names, in order; null if there is none. */
  toolEntries(build: string, names: readonly string[]): Promise<Result<readonly (ToolEntry | null)[]>>
  /** A version of a tool as it was stored, live or not. Failure: `not_found`. */
  toolVersion(tool: string, digest: string): Promise<Result<ToolVersion>>
  /** Newest first, at most SKILL_VERSIONS_LISTED; empty for a tool that was never created here. */
  toolVersions(tool: string): Promise<Result<readonly ToolVersionInfo[]>>
  /** Newest first, older than version `before`. */
  catalogVersions(limit: number, before: number | null): Promise<Result<readonly CatalogVersion[]>>
  /** Which of the versions were listed since their skill was shared, in no order. */
  sharedVersions(versions: readonly VersionName[]): Promise<Result<readonly SharedVersion[]>>
  /**
   * Call it before the versions are listed, after their archives are written. Returns the stored versions: one stored
   * before is unchanged; one that is not live and shared now is skipped.
   */
  keepShared(build: string, versions: readonly SharedVersion[]): Promise<Result<readonly SharedVersion[]>>
  /** The version of this skill that was listed with these bytes; null if there is none. */
  sharedAs(skill: Omit<VersionName, 'digest'>, sha256: string): Promise<Result<SharedVersion | null>>
}
