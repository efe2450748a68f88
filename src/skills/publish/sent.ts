// Commits skills whose files were sent before, as blobs. Reads and checks one skill at a time.

import { sha256Hex } from '../../lib/bytes.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { FIELD_ERRORS_MAX, REFUSAL_FINDINGS_MAX } from '../../limits/requests.ts'
import { SKILL_MAX_BYTES, STORE_CONCURRENCY } from '../../limits/skills.ts'
import { COMMIT_BYTES_MAX, COMMIT_WORK_MAX } from './limits.ts'
import type { Expect } from '../catalog/api.ts'
import type { Acceptance } from '../check/accept.ts'
import type { FileMap } from '../package/skill-folder.ts'
import { blobKey } from '../store/keys.ts'
import { missingBlobs } from './blobs.ts'
import { commitDrafts } from './commit.ts'
import type { Commit, CommitTerms, CommitPart } from './commit.ts'
import { draftSkill } from './draft.ts'
import type { PublishDeps } from './write.ts'

/** A skill in a commit. `files` maps each path, at the root or in a single folder, to the SHA-256 of its bytes. */
interface SentSkill {
  readonly files: Readonly<Record<string, string>>
  readonly note?: string | undefined
  readonly accept?: readonly Acceptance[] | undefined
  readonly expect?: Expect
}

export interface CommitRequest extends CommitTerms {
  readonly skills: readonly SentSkill[]
}

type Problem = NonNullable<Failure['errors']>[number]

/**
 * Checks and commits skills. Failures: those of publishing a skill, with the skill's position in `errors`
 * (`skills[3].SKILL.md:2`), and `invalid_request` for missing blobs, which are named.
 */
export async function commitSkills(
  { skills, ...terms }: CommitRequest,
  deps: PublishDeps,
): Promise<Result<Commit>> {
  const present = await checkKnownBlobs(skills, deps)
  if (!present.ok) return present
  const parts = await draftAll(skills, deps)
  if (!parts.ok) return parts
  const done = await commitDrafts(parts.value, terms, deps)
  if (done.ok || done.error.code !== 'overloaded') return done
  // If a purge, or a sweep during a long check, deleted some of the blobs, a retry would not help.
  const missingNow = await missingBlobs(addressesOf(skills), deps)
  const stillPresent = missingNow.ok
    ? checkBlobs(skills, (sha256) => !missingNow.value.includes(sha256))
    : done
  return stillPresent.ok ? done : stillPresent
}

/** Checks the skills one at a time, so that memory holds the bytes of only one. Reports all invalid skills. */
async function draftAll(
  skills: readonly SentSkill[],
  deps: PublishDeps,
): Promise<Result<readonly CommitPart[]>> {
  const parts: CommitPart[] = []
  const errors: Problem[] = []
  let bytes = 0
  for (const [index, { files, note = null, accept = [], expect }] of skills.entries()) {
    const read = await filesOf(files, index, deps)
    if (!read.ok) return read
    const drafted = await draftSkill(read.value, accept, deps)
    if (drafted.ok) {
      const { files: _, ...draft } = drafted.value
      const { body } = draft.entry
      const size = read.value.get('SKILL.md')?.byteLength ?? 0
      const writings = [{ sha256: body, kind: 'body' as const, size, bytes: () => readBlob(body, deps) }]
      parts.push({ draft, note, expect, writings })
      bytes += draft.entry.bytes
    } else if (drafted.error.code !== 'invalid_skill') return failAt(index, drafted.error)
    else errors.push(...errorsAt(index, drafted.error))
    if (deps.pace.totalUnits() > COMMIT_WORK_MAX)
      return fail(
        'too_large',
        'Checking these skills takes too long for one commit. Split it into several commits.',
      )
    if (bytes > COMMIT_BYTES_MAX)
      return fail(
        'too_large',
        `The files of a commit may total at most ${COMMIT_BYTES_MAX} bytes. Split it into several commits.`,
      )
  }
  if (errors.length === 0) return ok(parts)
  const errorCount = errors.length.toLocaleString('en-US')
  const more =
    errors.length > REFUSAL_FINDINGS_MAX
      ? ` There are ${errorCount} errors; the first ${REFUSAL_FINDINGS_MAX} are listed.`
      : ''
  const detail = `Some of the skills cannot be published; nothing was changed. Fix their errors, then commit again.${more}`
  return fail('invalid_skill', detail, { errors: errors.slice(0, REFUSAL_FINDINGS_MAX) })
}

/** Checks that the catalog knows every blob. It then keeps them while this request runs. */
async function checkKnownBlobs(
  skills: readonly SentSkill[],
  { catalog }: PublishDeps,
): Promise<Result<null>> {
  const known = await catalog.known(addressesOf(skills))
  if (!known.ok) return known
  const present = new Set([...known.value.kept, ...known.value.staged])
  return checkBlobs(skills, (sha256) => present.has(sha256))
}

function addressesOf(skills: readonly SentSkill[]): readonly string[] {
  return [...new Set(skills.flatMap(({ files }) => Object.values(files)))]
}

function checkBlobs(skills: readonly SentSkill[], isPresent: (sha256: string) => boolean): Result<null> {
  const errors = skills.flatMap(({ files }, index) =>
    Object.entries(files).flatMap(([path, sha256]) =>
      isPresent(sha256) ? [] : missingBlob(index, path, sha256),
    ),
  )
  return errors.length === 0 ? ok(null) : missingBlobsError(errors)
}

function missingBlob(index: number, path: string, sha256: string): Problem {
  return {
    path: `skills[${index}].files.${path}`,
    message: `The blob ${sha256} is missing. Send its bytes with PUT /admin/blobs/${sha256}, then commit again.`,
  }
}

function missingBlobsError(errors: readonly Problem[]): Result<never> {
  const detail = `${errors.length} of the blobs ${errors.length === 1 ? 'is' : 'are'} missing: ${errors[0]?.message}`
  return fail('invalid_request', detail, { errors: errors.slice(0, FIELD_ERRORS_MAX) })
}

async function filesOf(
  files: SentSkill['files'],
  index: number,
  deps: PublishDeps,
): Promise<Result<FileMap>> {
  const read = new Map<string, Uint8Array<ArrayBuffer>>()
  const errors: Problem[] = []
  let bytes = 0
  try {
    await inParallel(Object.entries(files), STORE_CONCURRENCY, async ([path, sha256]) => {
      if (bytes > SKILL_MAX_BYTES) return
      const content = await readBlob(sha256, deps)
      if (!content) return void errors.push(missingBlob(index, path, sha256))
      bytes += content.byteLength
      read.set(path, content)
    })
  } catch {
    return fail('overloaded', 'The stores did not respond; nothing was changed. Try again.', {
      retryAfterS: 2,
    })
  }
  if (bytes > SKILL_MAX_BYTES) {
    const detail = `The files of the skill together have more than ${SKILL_MAX_BYTES} bytes, which is the limit for one skill. Remove some.`
    return failAt(index, { code: 'too_large', detail })
  }
  return errors.length === 0 ? ok(read) : missingBlobsError(errors)
}

/** The bytes of a blob, or null if they are missing or damaged. Throws if the store does not respond. */
async function readBlob(
  sha256: string,
  { stores, workspace }: PublishDeps,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = await stores.blobs.get(blobKey({ workspace }, sha256))
  return bytes && (await sha256Hex(bytes)) === sha256 ? bytes : null
}

function failAt(index: number, error: Failure): Result<never> {
  return { ok: false, error: { ...error, errors: errorsAt(index, error) } }
}

function errorsAt(index: number, { errors, detail }: Failure): readonly Problem[] {
  const nestedErrors = errors?.map(({ path, message }) => ({ path: `skills[${index}].${path}`, message }))
  return nestedErrors ?? [{ path: `skills[${index}]`, message: detail }]
}
