// What the Catalog object answers over RPC. Plain data only; bytes go through R2, never through here.

import type { Result } from '../../lib/result.ts'
import type { Finding, IndexEntry, LiveCatalog, ManifestFile, RankedCatalog } from '../skill.ts'

export interface Actor {
  readonly keyId: string
  readonly user: string | null
}

/** Digest that must be live under a name; `*`: any; null: nothing may be; absent: whatever is. Else `stale_version`. */
export type Expect = string | null | undefined

/** Catalog version that must be live; absent: whatever is. Else `stale_version`, unless it is all so already. */
export type Over = number | undefined

export type Action =
  | 'publish'
  | 'pin'
  | 'rollback'
  | 'enable'
  | 'disable'
  | 'share'
  | 'unshare'
  | 'retire'
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
  readonly purged: { readonly at: string; readonly author: string; readonly note: string | null } | null
}

export interface HistoryItem {
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
}

/** Findings of the version that this change brought. */
export interface SkillChange extends HistoryItem {
  readonly findings: readonly Finding[]
}

/** One catalog version, and whose skills it changed. */
export interface CatalogVersion {
  readonly version: number
  readonly build: string
  readonly at: string
  readonly author: string
  /** `commit`: several things at once. */
  readonly action: Action | 'commit'
  readonly note: string | null
  /** The first names, sorted as they were changed, and how many there are. */
  readonly changed: { readonly count: number; readonly names: readonly string[] }
}

/** A skill version whose bytes are in the stores. */
export interface NewVersion {
  readonly entry: IndexEntry
  readonly files: readonly ManifestFile[]
  readonly findings: readonly Finding[]
  readonly note: string | null
  readonly expect?: Expect
}

/** What one commit does, all or nothing. */
export interface Batch {
  readonly skills: readonly NewVersion[]
  /** Custom skills, not among those above; a bare name goes whatever is live under it. */
  readonly retire: readonly (string | Retiring)[]
  readonly note: string | null
  readonly over?: Over
}

export interface Retiring {
  readonly name: string
  readonly expect?: Expect
}

/** What the catalog, and not the version, says of a skill. */
export interface SkillState {
  /** False: the same digest was live already. */
  readonly created: boolean
  readonly enabled: boolean
  readonly shareable: boolean
  readonly shadows: boolean
  readonly updated_at: string | null
}

/** `lacking`: blobs that were swept since they were staged. Nothing was done; stage and write them again. */
export type Committed =
  | { readonly done: true; readonly version: number; readonly skills: readonly SkillState[] }
  | { readonly done: false; readonly lacking: readonly string[] }

/** What is live under some names, for a publisher that wants to compare. */
export interface Standing {
  readonly version: number
  /** RFC 3339: when this was asked. */
  readonly now: string
  /** In the order asked for; null: nothing is live under that name. */
  readonly skills: readonly (IndexEntry | null)[]
  /** Of the versions asked for: cannot be published again. */
  readonly purged: readonly PurgedVersion[]
}

/** `body`: the text of a SKILL.md; like an index it lies in KV, too. `archive`: what a shared version is served as. */
export interface StagedBlob {
  readonly sha256: string
  readonly kind: 'file' | 'body' | 'index' | 'archive'
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

/** What could be asked of one skill. */
export type SkillWish =
  | { readonly kind: 'patch'; readonly skill: string; readonly patch: Patch }
  /** `to`: a digest, or -1, -2 …: that many versions back, never to what was rolled away from. */
  | { readonly kind: 'rollback'; readonly skill: string; readonly to: string | number }
  | { readonly kind: 'retire'; readonly skill: string }

export type Wish = SkillWish | { readonly kind: 'restore'; readonly version: number; readonly over?: Over }

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

export interface Restored extends LiveCatalog {
  readonly changes: Changes
}

/** What a wish would do now. */
export interface Trial {
  /** The catalog version that is live, and stays. */
  readonly version: number
  /** The skill as it would be; null: nothing would be live under its name, or the wish was for all. */
  readonly skill: IndexEntry | null
  readonly changes: Changes
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

/** How much a skill is used: a use counts one, half after SKILL_USE_HALF_LIFE_DAYS. */
export interface SkillUse {
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
  mostUsed(): Promise<Result<readonly SkillUse[]>>
  /** `drafts`: versions that somebody is about to publish. */
  standing(build: string, names: readonly string[], drafts?: readonly VersionKey[]): Promise<Result<Standing>>
  /** Call it before the bytes are written: from now on they stay for a day, longer once a version refers to them. */
  stage(blobs: readonly StagedBlob[]): Promise<Result<null>>
  /** Of these, what versions refer to (so it was written) and what is only staged (it may not be). Stages those anew. */
  known(blobs: readonly string[]): Promise<Result<{ readonly kept: string[]; readonly staged: string[] }>>
  /**
   * One catalog version for all of it; every file must have been staged and written. A large batch comes by the
   * address of its JSON in R2. What is so already, because the answer to the same commit was lost, is no failure:
   * neither a skill that is live in that very version nor one that is out. Failures: `stale_version`, `not_found`, `invalid_request`, with `errors` by place.
   */
  commit(build: string, batch: Batch | { readonly sha256: string }, actor: Actor): Promise<Result<Committed>>
  /** Switches, shares and pins one skill in one catalog version. */
  patch(
    build: string,
    skill: string,
    patch: Patch,
    actor: Actor,
    expect?: Expect,
  ): Promise<Result<LiveCatalog>>
  /** `to`: a digest, or -1, -2 …: that many versions back, never to what was rolled away from. */
  rollback(
    build: string,
    skill: string,
    to: string | number,
    actor: Actor,
    expect?: Expect,
  ): Promise<Result<LiveCatalog>>
  /** Takes a custom skill out of the catalog; its versions and history stay. */
  retire(build: string, skill: string, actor: Actor, expect?: Expect): Promise<Result<LiveCatalog>>
  /** Custom skills, switches and shares as they were in that catalog version; public skills stay this build's. */
  restore(
    build: string,
    version: number,
    note: string | null,
    actor: Actor,
    over?: Over,
  ): Promise<Result<Restored>>
  /** What one of the four above would do, or why it would be refused. Changes nothing. */
  trial(build: string, wish: Wish, expect?: Expect): Promise<Result<Trial>>
  /**
   * Takes the bytes of a version away for good, except those that another version here shares. Its indexes stay, and
   * so do its name, digest and history. Failures: `not_found`, `version_live`, `catalog_broken`.
   */
  purge(version: VersionKey, note: string | null, actor: Actor): Promise<Result<Purge>>
  /**
   * The entry of one version as it was published, live or not, also of a retired skill. Failures: `not_found`, and `gone`
   * once it was purged.
   */
  version(skill: string, digest: string): Promise<Result<IndexEntry>>
  /** Newest first, as many as one answer carries. Failure: `not_found`. */
  versions(skill: string): Promise<Result<readonly VersionInfo[]>>
  /** Digests that were live before the one that is live now, newest first. */
  earlier(skill: string): Promise<Result<readonly string[]>>
  /** Newest first, older than row `before`, at most `limit`; `next` is where to go on, null at the end. */
  history(
    skill: string | null,
    limit: number,
    before: number | null,
  ): Promise<Result<{ readonly items: readonly SkillChange[]; readonly next: number | null }>>
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
