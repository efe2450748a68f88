// What the Catalog object answers over RPC. Plain data only; bytes go through R2, never through here.

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
import type { ToolChanges, ToolVersion, ToolVersionInfo, ToolWish } from './tools-api.ts'

/** Digest that must be live under a name; `*`: any; null: nothing may be; absent: whatever is. Else `stale_version`. */
export type Expect = string | null | undefined

/** Catalog version that must be live; absent: whatever is. Else `stale_version`, unless it is all so already. */
export type Over = number | undefined

export type Action =
  | 'publish'
  /** Of a tool, what publishing is of a skill. */
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
  /** Null: its files are here. */
  readonly purged: Omit<PurgedVersion, keyof VersionKey> | null
}

export interface SkillChange {
  readonly at: string
  readonly action: Action
  /** What the same change did to this skill besides. */
  readonly also: readonly Action[]
  readonly name: string | null
  readonly author: string
  readonly note: string | null
  readonly before: string | null
  readonly after: string | null
  readonly catalog_version: number
  /** Of the version that this change brought. */
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
  /** `commit`: several things at once. */
  readonly action: Action | 'commit'
  readonly note: string | null
  /** The first names of skills, sorted as they were changed, and how many there are. */
  readonly changed: Named & {
    /** Absent: it changed none. */
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

/** What one commit does, all or nothing. */
export interface Batch {
  readonly skills: readonly NewVersion[]
  /** Custom skills, not among those above. */
  readonly unpublish: readonly Unpublishing[]
  readonly note: string | null
}

/** What the catalog, and not the version, says of a skill. `created` false: the same digest was live already. */
type SkillState = Pick<IndexEntry, 'enabled' | 'shareable' | 'shadows' | 'updated_at'> & {
  readonly created: boolean
}

/** `body`: the text of a SKILL.md; like an index it lies in KV, too. `archive`: what a shared version is served as. */
export interface StagedBlob {
  readonly sha256: string
  readonly kind: 'file' | 'body' | 'index' | 'archive'
  readonly bytes: number
}

/** A version published here. */
export type VersionKey = Pick<IndexEntry, 'name' | 'digest'>

/** A version whose bytes were taken away for good. */
export interface PurgedVersion extends VersionKey {
  readonly at: string
  readonly author: string
  readonly note: string | null
}

/** `done` false: a store did not answer, and the rest goes by itself later. */
export interface Purge extends PurgedVersion {
  readonly done: boolean
}

export interface Patch {
  readonly enabled?: boolean | undefined
  readonly shareable?: boolean | undefined
  /** A version of this skill, to be made live. */
  readonly digest?: string | undefined
}

/** What could be asked of one skill. Unpublishing takes it out of the catalog; its versions and history stay. */
export type SkillWish = { readonly skill: string; readonly expect?: Expect } & (
  | { readonly kind: 'patch'; readonly patch: Patch }
  /** `to`: a digest, or -1, -2 …: that many versions back, never to what was rolled away from. */
  | { readonly kind: 'rollback'; readonly to: string | number }
  | { readonly kind: 'unpublish' }
)

export type Wish =
  | SkillWish
  | ToolWish
  /** Every file must have been staged and written. A large batch comes by the address of its JSON in R2. */
  | { readonly kind: 'commit'; readonly batch: Batch | { readonly sha256: string } }
  /**
   * Custom skills, switches and shares as they were in that catalog version; public skills stay this build's. Tools only
   * where `tools` is true: they are for admins.
   */
  | {
      readonly kind: 'restore'
      readonly version: number
      readonly note: string | null
      readonly tools: boolean
    }

/** Who changes something, and over what. */
export interface ChangeTerms {
  readonly author: string
  readonly build: string
  /** Answers what would be, or why it would be refused, and changes nothing. */
  readonly dryRun: boolean
  readonly over?: Over
}

export interface ChangeRequest extends ChangeTerms {
  readonly wish: Wish
}

/**
 * Names of skills, the first of each kind, sorted: `switched` are those whose version stays. Besides, `shared` are those
 * that strangers may fetch from then on and could not before; `unshared` the other way round.
 */
export interface Changes {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly switched: readonly string[]
  readonly shared: readonly string[]
  readonly unshared: readonly string[]
}

/** The catalog as it is live after a change; of a dry run the one that is live, and stays. */
export interface Changed extends LiveCatalog {
  /** The skill of a wish for one, as it is then; null: nothing is live under its name, or more were named. */
  readonly skill: IndexEntry | null
  /** Of the named skills that are live then, in their order: of a commit all. */
  readonly states: readonly SkillState[]
  readonly changes: Changes
  /** The tools that a wish named, as they are live then, in their order; null: nothing is under that name. */
  readonly tools: readonly (ToolEntry | null)[]
  readonly toolChanges: ToolChanges
}

/** What names a version: two skills of one name may be there, a built-in one and ours. */
export type VersionName = Pick<IndexEntry, 'category' | 'name' | 'digest'>

/** A version as /.well-known/ lists it. */
export interface SharedVersion extends VersionName {
  /** Of the bytes that it is served as: SKILL.md where that is all, else the archive. */
  readonly sha256: string
  /** Paths, sorted as in its manifest. */
  readonly files: readonly string[]
}

/** An error that a version of a skill was published with. */
export interface AcceptedFile {
  readonly rule: string
  readonly accepted: Accepted
}

/** How much a skill is used: a use counts one, half after SKILL_USE_HALF_LIFE_DAYS. */
export interface SkillUsage {
  readonly name: string
  /** As of today, to one decimal. */
  readonly uses: number
}

export interface CatalogApi {
  /**
   * One row, kept in memory: "same version" moves no data. Mints a version for a build it has not met. `ranking`: id of
   * the ranking that the asker has, null for none; only another one is sent.
   */
  live(build: string, ranking?: string | null): Promise<Result<RankedCatalog>>
  /**
   * A run used these skills, in a thread of this owner: each counts once a day (UTC) for him. Names that are and were in
   * no catalog here count nothing. Whoever does not know whether it was heard leaves it at that: a day may have ended.
   */
  used(build: string, names: readonly string[], owner: string): Promise<Result<null>>
  /** At most SKILL_USE_SHOWN, most used first; those that are out of the catalog, too. */
  mostUsed(): Promise<Result<readonly SkillUsage[]>>
  /** What is live under these names, in their order; null: nothing is. At most CATALOG_ENTRIES_MAX. */
  entries(build: string, names: readonly string[]): Promise<Result<readonly (IndexEntry | null)[]>>
  /** Call it before the bytes are written: from now on they stay for a day, longer once a version refers to them. */
  stage(blobs: readonly StagedBlob[], maxBytes: number | null): Promise<Result<null>>
  /** Of these, what versions refer to (so it was written) and what is only staged (it may not be). Stages those anew. */
  known(blobs: readonly string[]): Promise<Result<{ readonly kept: string[]; readonly staged: string[] }>>
  /**
   * The one way to change what is live: one catalog version for all of a wish, or none. What is so already, because the
   * answer to the same wish was lost, is no failure; what is accepted with it is kept. Failures: `stale_version`, `not_found`, `invalid_request`, `gone`,
   * of a commit with `errors` by place; `overloaded` with `retryAfterS` 0 when blobs were swept since they were staged:
   * stage and write them again.
   */
  change(request: ChangeRequest): Promise<Result<Changed>>
  /**
   * Takes the bytes of a version away for good, except those that another version here shares. Its indexes stay, and
   * so do its name, digest and history. Failures: `not_found`, `version_live`, `catalog_broken`.
   */
  purge(version: VersionKey, note: string | null, author: string): Promise<Result<Purge>>
  /**
   * The entry of one version as it was published, live or not, also of an unpublished skill. Failures: `not_found`, and `gone`
   * once it was purged.
   */
  version(skill: string, digest: string): Promise<Result<IndexEntry>>
  /** Newest first, as many as one answer carries. Failure: `not_found`. */
  versions(skill: string): Promise<Result<readonly VersionInfo[]>>
  /** What was accepted for files of these bytes with the last SKILL_VERSIONS_LISTED versions of a skill. */
  accepted(skill: string, files: readonly string[]): Promise<Result<readonly AcceptedFile[]>>
  /** Digests that were live before the one that is live now, newest first. */
  earlier(skill: string): Promise<Result<readonly string[]>>
  /** Of a skill, or a tool. Newest first, older than row `before`, at most `limit`; `next` is where to go on, null at the end. */
  history(
    name: string | null,
    limit: number,
    before: number | null,
    kind?: 'skill' | 'tool',
  ): Promise<Result<{ readonly items: readonly SkillChange[]; readonly next: number | null }>>
  /** What is live under these names as of tools, in their order; null: nothing is. */
  toolEntries(build: string, names: readonly string[]): Promise<Result<readonly (ToolEntry | null)[]>>
  /** A version of a tool as it was put, live or not. Failure: `not_found`. */
  toolVersion(tool: string, digest: string): Promise<Result<ToolVersion>>
  /** Newest first, at most SKILL_VERSIONS_LISTED; none for a tool that was never put here. */
  toolVersions(tool: string): Promise<Result<readonly ToolVersionInfo[]>>
  /** Newest first, older than version `before`. */
  catalogVersions(limit: number, before: number | null): Promise<Result<readonly CatalogVersion[]>>
  /** Those of the versions that were listed since their skill was shared; in no order. */
  sharedVersions(versions: readonly VersionName[]): Promise<Result<readonly SharedVersion[]>>
  /**
   * Before they are listed, and after their archives are written. Answers what is kept of them: a version that was
   * kept before stays as it was; one that is not live and shared now is passed over, as it may have been taken back.
   */
  keepShared(build: string, versions: readonly SharedVersion[]): Promise<Result<readonly SharedVersion[]>>
  /** The version of this skill that is, or was, listed with these bytes; null: none. */
  sharedAs(skill: Omit<VersionName, 'digest'>, sha256: string): Promise<Result<SharedVersion | null>>
}
