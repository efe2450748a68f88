// The requests of publishing, in order: missing bytes, a dry run, the commit. Shows nothing.

import {
  commitSkills,
  readLiveDigest,
  planSkills,
  putBlob,
  type FileDigests,
  type CommitResult,
  type UnpublishRequest,
} from '../../src/client/catalog.ts'
import type { Client } from '../../src/client/client.ts'
import type { ClientFailure } from '../../src/client/types.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { SEND_CONCURRENT_UPLOADS_MAX } from './limits.ts'
import { manifestOf } from '../../src/skills/package/digest.ts'
import type { FileDiff } from '../../src/skills/package/file-diff.ts'
import { mapBounded } from '../lib/pool.ts'
import type { Sendable } from './gather.ts'

/**
 * Sends files that the workspace lacks; this alone changes nothing. `onSent` receives how many have arrived,
 * of how many.
 */
export async function sendMissing(
  client: Client,
  skills: readonly Sendable[],
  onSent: (sentCount: number, total: number) => void,
): Promise<Result<null, ClientFailure>> {
  const blobsByDigest = new Map(
    skills.flatMap(({ files }) => files.map(({ sha256, blob }) => [sha256, blob] as const)),
  )
  const plan = await planSkills(client, skills.map(digestsOf))
  if (!plan.ok) return plan
  const missing = plan.value.body.missing.flatMap((address) => {
    const blob = blobsByDigest.get(address)
    return blob ? [{ address, blob }] : []
  })
  let sentCount = 0
  let failure: ClientFailure | null = null
  await mapBounded(missing, SEND_CONCURRENT_UPLOADS_MAX, async ({ address, blob }) => {
    if (failure !== null) return
    const upload = await putBlob(client, address, await blob.read())
    if (upload.ok) onSent(++sentCount, missing.length)
    else failure ??= upload.error
  })
  return failure === null ? ok(null) : err(failure)
}

/** One skill compared with the live one of its name. */
export interface ComparedSkill {
  readonly skill: Sendable
  readonly state: 'new' | 'changed' | 'same'
  /** Digest of the live skill; null if there is none. */
  readonly liveDigest: string | null
  readonly digest: string
  readonly findings: CommitResult['skills'][number]['findings']
  readonly diff: readonly FileDiff[]
}

export interface DryRun {
  readonly catalogVersion: number
  readonly skills: readonly ComparedSkill[]
  readonly unpublished: readonly UnpublishRequest[]
}

/**
 * The live versions under the names to unpublish: these are unpublished, or nothing is. A damaged one is
 * identified by its name.
 */
export async function readLiveVersions(
  client: Client,
  names: readonly string[],
): Promise<Result<readonly UnpublishRequest[], ClientFailure>> {
  const unpublish: UnpublishRequest[] = []
  for (const name of names) {
    const live = await readLiveDigest(client, name)
    if (!live.ok) return live
    unpublish.push({ name, expect: live.value })
  }
  return ok(unpublish)
}

/** A dry run. Changes nothing; the files must have been sent. */
export async function dryRunCommit(
  client: Client,
  skills: readonly Sendable[],
  unpublish: readonly UnpublishRequest[],
): Promise<Result<DryRun, ClientFailure>> {
  const answer = await commitSkills(client, { skills: skills.map(toCommitSkill), unpublish }, true)
  if (!answer.ok) return answer
  const { body } = answer.value
  const compared: ComparedSkill[] = []
  for (const [index, skill] of skills.entries()) {
    const result = body.skills[index]
    if (!result)
      return err({
        kind: 'broken',
        detail: `the trial of ${skills.length} skills answers ${body.skills.length}`,
      })
    const liveFiles = result.diff.flatMap(({ path, before: address }) =>
      address === null ? [] : [{ path, sha256: address }],
    )
    // A new acceptance must be stored even if all bytes are the same.
    const isNew = result.findings.some(({ accepted }) => accepted && accepted.at === undefined)
    const isSame = !isNew && result.diff.every(({ change }) => change === 'same')
    compared.push({
      skill,
      state: liveFiles.length === 0 ? 'new' : isSame ? 'same' : 'changed',
      liveDigest: liveFiles.length === 0 ? null : (await manifestOf(liveFiles)).digest,
      digest: result.skill.digest,
      findings: result.findings,
      diff: result.diff.filter(({ change }) => change !== 'same'),
    })
  }
  return ok({ catalogVersion: body.catalog_version, skills: compared, unpublished: unpublish })
}

/** Commits everything in one catalog version, if the live skills are still those of the dry run. */
export async function commitCompared(
  client: Client,
  compared: readonly ComparedSkill[],
  unpublish: readonly UnpublishRequest[],
  note: string | null,
): Promise<Result<CommitResult, ClientFailure>> {
  const skills = compared.map(({ skill, liveDigest: live }) => ({ ...toCommitSkill(skill), expect: live }))
  const request = { skills, unpublish, ...(note === null ? {} : { note }) }
  const answer = await commitSkills(client, request)
  return answer.ok ? ok(answer.value.body) : answer
}

function toCommitSkill(skill: Sendable): {
  readonly files: FileDigests
  readonly accept: Sendable['accept']
} {
  return { ...digestsOf(skill), accept: skill.accept }
}

function digestsOf({ files }: Sendable): { readonly files: FileDigests } {
  // Do not use an assignment, because a file may be called __proto__.
  return { files: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])) }
}
