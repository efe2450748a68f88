// Publishes many skills in one catalog version: asks which files are missing, uploads them, and commits.

import { ok, type Result } from '../lib/result.ts'
import type { Acceptance } from '../skills/check/accept.ts'
import type { SkillInfo } from '../skills/view/skill-info.ts'
import type { FileDiff } from '../skills/package/file-diff.ts'
import type { Finding } from '../skills/skill.ts'
import type { Client } from './client.ts'
import { withRetries } from './retries.ts'
import type { JsonResponse, ClientFailure } from './types.ts'

/** Maps a path in the skill to the SHA-256 of the file's bytes. */
export type FileDigests = Readonly<Record<string, string>>

interface CommitRequest {
  readonly skills: readonly {
    readonly files: FileDigests
    readonly note?: string
    readonly accept?: readonly Acceptance[]
    /** The digest that must be live under this name, or null if none may be live. If absent, nothing is checked. */
    readonly expect?: string | null
  }[]
  /** A bare name unpublishes whichever version is live. */
  readonly unpublish?: readonly (string | UnpublishRequest)[]
  readonly note?: string
}

/**
 * A skill to unpublish. `expect`: the digest that must be live, or null if the skill must already be unpublished. If absent, any
 * live version is unpublished.
 */
export interface UnpublishRequest {
  readonly name: string
  readonly expect?: string | null | undefined
}

interface CommittedSkill {
  readonly skill: SkillInfo
  readonly created: boolean
  readonly findings: readonly Finding[]
  readonly diff: readonly FileDiff[]
}

export interface CommitResult {
  readonly catalog_version: number
  /** In the order of the request. */
  readonly skills: readonly CommittedSkill[]
  readonly unpublished: readonly string[]
}

type ResponsePromise<T> = Promise<Result<JsonResponse<T>, ClientFailure>>

/** Returns the SHA-256 of every file that this workspace has not stored yet. */
export async function planSkills(
  client: Client,
  skills: readonly { readonly files: FileDigests }[],
): ResponsePromise<{ readonly missing: readonly string[] }> {
  return withRetries(async () => client.json('POST', '/admin/catalog/plan', { skills }), client.wait)
}

export async function putBlob(
  client: Client,
  sha256: string,
  bytes: Uint8Array<ArrayBuffer>,
): ResponsePromise<unknown> {
  return withRetries(async () => client.json('PUT', `/admin/blobs/${sha256}`, bytes), client.wait)
}

/**
 * Publishes all skills in one catalog version, or none of them. `dryRun`: only checks and compares. A skill with identical bytes
 * does not change.
 */
export async function commitSkills(
  client: Client,
  request: CommitRequest,
  dryRun = false,
): ResponsePromise<CommitResult> {
  const path = `/admin/catalog/commit${dryRun ? '?dry_run=1' : ''}`
  return withRetries(async () => client.json('POST', path, request), client.wait)
}

/** Reads a skill's live digest. The value is null if no version is live, and undefined if the live version's bytes are lost. */
export async function readLiveDigest(
  client: Client,
  skill: string,
): Promise<Result<string | null | undefined, ClientFailure>> {
  const path = `/admin/skills/${encodeURIComponent(skill)}`
  const readSkillInfo = async (): ResponsePromise<Pick<SkillInfo, 'digest'>> => client.json('GET', path)
  const answer = await withRetries(readSkillInfo, client.wait)
  if (answer.ok) return ok(answer.value.body.digest)
  const { error } = answer
  const code = error.kind === 'problem' ? error.problem.code : null
  if (code === 'not_found') return ok(null)
  return code === 'catalog_broken' ? ok(undefined) : answer
}

/** Reads a file of a skill's live version. */
export async function readLiveFile(
  client: Client,
  skill: string,
  path: string,
): Promise<Result<Uint8Array<ArrayBuffer>, ClientFailure>> {
  const encoded = [skill, 'files', ...path.split('/')].map(encodeURIComponent).join('/')
  return withRetries(async () => client.bytes(`/admin/skills/${encoded}`), client.wait)
}
