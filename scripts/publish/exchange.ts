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
import { SEND_CONCURRENCY } from './limits.ts'
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
  onSent: (done: number, all: number) => void,
): Promise<Result<null, ClientFailure>> {
  const held = new Map(
    skills.flatMap(({ files }) => files.map(({ sha256, blob }) => [sha256, blob] as const)),
  )
  const plan = await planSkills(client, skills.map(addressesOf))
  if (!plan.ok) return plan
  const missing = plan.value.body.missing.flatMap((address) => {
    const blob = held.get(address)
    return blob ? [{ address, blob }] : []
  })
  let sent = 0
  let failure: ClientFailure | null = null
  await mapBounded(missing, SEND_CONCURRENCY, async ({ address, blob }) => {
    if (failure !== null) return
    const put = await putBlob(client, address, await blob.read())
    if (put.ok) onSent(++sent, missing.length)
    else failure ??= put.error
  })
  return failure === null ? ok(null) : err(failure)
}

/** One skill compared with the live one of its name. */
export interface ComparedSkill {
  readonly skill: Sendable
  readonly state: 'new' | 'changed' | 'same'
  /** Digest of the live skill; null if there is none. */
  readonly live: string | null
  readonly digest: string
  readonly findings: CommitResult['skills'][number]['findings']
  readonly diff: readonly FileDiff[]
}

export interface Trial {
  readonly catalogVersion: number
  readonly skills: readonly ComparedSkill[]
  readonly unpublished: readonly UnpublishRequest[]
}

/**
 * The live versions under the names to unpublish: these are unpublished, or nothing is. A damaged one is
 * identified by its name.
 */
export async function expectLive(
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
export async function tryOut(
  client: Client,
  skills: readonly Sendable[],
  unpublish: readonly UnpublishRequest[],
): Promise<Result<Trial, ClientFailure>> {
  const answer = await commitSkills(client, { skills: skills.map(wishOf), unpublish }, true)
  if (!answer.ok) return answer
  const { body } = answer.value
  const compared: ComparedSkill[] = []
  for (const [at, skill] of skills.entries()) {
    const tried = body.skills[at]
    if (!tried)
      return err({
        kind: 'broken',
        detail: `the trial of ${skills.length} skills answers ${body.skills.length}`,
      })
    const before = tried.diff.flatMap(({ path, before: address }) =>
      address === null ? [] : [{ path, sha256: address }],
    )
    // A new acceptance must be stored, even if no byte differs.
    const isNew = tried.findings.some(({ accepted }) => accepted && accepted.at === undefined)
    const isSame = !isNew && tried.diff.every(({ change }) => change === 'same')
    compared.push({
      skill,
      state: before.length === 0 ? 'new' : isSame ? 'same' : 'changed',
      live: before.length === 0 ? null : (await manifestOf(before)).digest,
      digest: tried.skill.digest,
      findings: tried.findings,
      diff: tried.diff.filter(({ change }) => change !== 'same'),
    })
  }
  return ok({ catalogVersion: body.catalog_version, skills: compared, unpublished: unpublish })
}

/** Commits everything in one catalog version, if the live skills are still those of the dry run. */
export async function commit(
  client: Client,
  compared: readonly ComparedSkill[],
  unpublish: readonly UnpublishRequest[],
  note: string | null,
): Promise<Result<CommitResult, ClientFailure>> {
  const skills = compared.map(({ skill, live }) => ({ ...wishOf(skill), expect: live }))
  const request = { skills, unpublish, ...(note === null ? {} : { note }) }
  const answer = await commitSkills(client, request)
  return answer.ok ? ok(answer.value.body) : answer
}

function wishOf(skill: Sendable): { readonly files: FileDigests; readonly accept: Sendable['accept'] } {
  return { ...addressesOf(skill), accept: skill.accept }
}

function addressesOf({ files }: Sendable): { readonly files: FileDigests } {
  // Not by assignment: a file may be called __proto__.
  return { files: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])) }
}
