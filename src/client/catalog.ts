// Publishes many skills in one catalog version: which files are missing, uploads, the commit. Holds no skill's files.

import { ok, type Result } from '../lib/result.ts'
import type { Acceptance } from '../skills/check/accept.ts'
import type { SkillInfo } from '../skills/view/skill-info.ts'
import type { FileDiff } from '../skills/package/file-diff.ts'
import type { Finding } from '../skills/skill.ts'
import type { Client } from './client.ts'
import { withRetries } from './retries.ts'
import type { Answer, ClientFailure } from './types.ts'

/** Path in the skill → sha-256 of its bytes. */
export type Addresses = Readonly<Record<string, string>>

interface CommitRequest {
  readonly skills: readonly {
    readonly files: Addresses
    readonly note?: string
    readonly accept?: readonly Acceptance[]
    /** The digest that must be live under this name, null for none; absent: any. */
    readonly expect?: string | null
  }[]
  /** `expect` as above. A bare name unpublishes any live version. */
  readonly unpublish?: readonly (string | Unpublishing)[]
  readonly note?: string
}

/** A skill to unpublish, with the digest that must be live; null: none is, so it is already unpublished; absent: any. */
export interface Unpublishing {
  readonly name: string
  readonly expect?: string | null | undefined
}

interface CommittedSkill {
  readonly skill: SkillInfo
  readonly created: boolean
  readonly findings: readonly Finding[]
  readonly diff: readonly FileDiff[]
}

export interface Committed {
  readonly catalog_version: number
  /** In the order of the request. */
  readonly skills: readonly CommittedSkill[]
  readonly unpublished: readonly string[]
}

type Answered<T> = Promise<Result<Answer<T>, ClientFailure>>

/** The sha-256 of every file that this workspace has not stored. */
export async function planSkills(
  client: Client,
  skills: readonly { readonly files: Addresses }[],
): Answered<{ readonly missing: readonly string[] }> {
  return withRetries(async () => client.json('POST', '/admin/catalog/plan', { skills }), client.wait)
}

export async function putBlob(
  client: Client,
  sha256: string,
  bytes: Uint8Array<ArrayBuffer>,
): Answered<unknown> {
  return withRetries(async () => client.json('PUT', `/admin/blobs/${sha256}`, bytes), client.wait)
}

/** All skills in one catalog version, or none. `dryRun`: checks and compares only. Identical bytes change nothing. */
export async function commitSkills(
  client: Client,
  request: CommitRequest,
  dryRun = false,
): Answered<Committed> {
  const path = `/admin/catalog/commit${dryRun ? '?dry_run=1' : ''}`
  return withRetries(async () => client.json('POST', path, request), client.wait)
}

/** The digest that is live under a name; null: none; undefined: its bytes are lost, so it cannot be shown. */
export async function liveDigest(
  client: Client,
  skill: string,
): Promise<Result<string | null | undefined, ClientFailure>> {
  const path = `/admin/skills/${encodeURIComponent(skill)}`
  const ask = async (): Answered<Pick<SkillInfo, 'digest'>> => client.json('GET', path)
  const answer = await withRetries(ask, client.wait)
  if (answer.ok) return ok(answer.value.body.digest)
  const { error } = answer
  const code = error.kind === 'problem' ? error.problem.code : null
  if (code === 'not_found') return ok(null)
  return code === 'catalog_broken' ? ok(undefined) : answer
}

/** A file of the live version of a name. */
export async function liveFile(
  client: Client,
  skill: string,
  path: string,
): Promise<Result<Uint8Array<ArrayBuffer>, ClientFailure>> {
  const encoded = [skill, 'files', ...path.split('/')].map(encodeURIComponent).join('/')
  return withRetries(async () => client.bytes(`/admin/skills/${encoded}`), client.wait)
}
