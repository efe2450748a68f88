// What the Catalog object answers over RPC. Plain data only; bytes go through R2, never through here.

import type { Result } from '../../lib/result.ts'
import type { Finding, IndexEntry, LiveCatalog } from '../skill.ts'

export interface Actor {
  readonly keyId: string
  readonly user: string | null
}

export interface VersionInfo {
  readonly digest: string
  readonly created_at: string
  readonly author: string
  readonly note: string | null
  readonly live: boolean
  readonly findings: readonly Finding[]
}

export interface HistoryItem {
  readonly at: string
  readonly action: 'publish' | 'pin' | 'rollback' | 'enable' | 'disable' | 'retire' | 'build'
  readonly name: string | null
  readonly author: string
  readonly note: string | null
  readonly before: string | null
  readonly after: string | null
  readonly catalog_version: number
}

export interface CatalogApi {
  /** One row, kept in memory: "same version" moves no data. Mints a version for a build it has not met. */
  live(build: string): Promise<Result<LiveCatalog>>
  /** The files must be in R2 and KV already. Same digest as live: `created: false`. `expect`: the live digest or null. */
  publish(
    build: string,
    entry: IndexEntry,
    findings: readonly Finding[],
    note: string | null,
    actor: Actor,
    expect?: string,
  ): Promise<
    Result<{ readonly entry: IndexEntry; readonly created: boolean; readonly catalog_version: number }>
  >
  setEnabled(build: string, skill: string, enabled: boolean, actor: Actor): Promise<Result<LiveCatalog>>
  /** Makes `digest` (a version of this skill) live. */
  pin(build: string, skill: string, digest: string, actor: Actor): Promise<Result<LiveCatalog>>
  /** `to`: a digest, or -1, -2 …: that many live versions back. */
  rollback(build: string, skill: string, to: string | number, actor: Actor): Promise<Result<LiveCatalog>>
  /** Takes a custom skill out of the catalog; its versions and history stay. */
  retire(build: string, skill: string, actor: Actor): Promise<Result<LiveCatalog>>
  versions(skill: string): Promise<Result<readonly VersionInfo[]>>
  history(
    skill: string | null,
    limit: number,
    before: number | null,
  ): Promise<Result<{ readonly items: readonly HistoryItem[]; readonly next: number | null }>>
}
