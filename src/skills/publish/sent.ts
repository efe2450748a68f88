// Commits skills whose files were sent before, as blobs. Reads and checks one skill after the other.

import { sha256Hex } from '../../lib/bytes.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { FIELD_ERRORS_MAX, REFUSAL_FINDINGS_MAX } from '../../limits/requests.ts'
import { SKILL_BYTES_MAX, STORE_CONCURRENCY } from '../../limits/skills.ts'
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

/** Path → SHA-256 of its bytes, at the root or in one folder. */
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
 * Failures: those of a publish. `errors` name their skill (`skills[3].SKILL.md:2`). A missing blob is `invalid_request`
 * and named.
 */
export async function commitSkills(
  { skills, ...terms }: CommitRequest,
  deps: PublishDeps,
): Promise<Result<Commit>> {
  const present = await promised(skills, deps)
  if (!present.ok) return present
  const parts = await draftAll(skills, deps)
  if (!parts.ok) return parts
  const done = await commitDrafts(parts.value, terms, deps)
  if (done.ok || done.error.code !== 'overloaded') return done
  // A purge, or a sweep after a long check, may have deleted some of them. Then a retry would not help.
  const gone = await missingBlobs(addressesOf(skills), deps)
  const still = gone.ok ? allHere(skills, (sha256) => !gone.value.includes(sha256)) : done
  return still.ok ? done : still
}

/** One after the other, so that memory holds the bytes of at most one skill. Reports all invalid skills. */
async function draftAll(
  skills: readonly SentSkill[],
  deps: PublishDeps,
): Promise<Result<readonly CommitPart[]>> {
  const parts: CommitPart[] = []
  const errors: Problem[] = []
  let bytes = 0
  for (const [at, { files, note = null, accept = [], expect }] of skills.entries()) {
    const read = await filesOf(files, at, deps)
    if (!read.ok) return read
    const drafted = await draftSkill(read.value, accept, deps)
    if (drafted.ok) {
      const { files: _, ...draft } = drafted.value
      const { body } = draft.entry
      const size = read.value.get('SKILL.md')?.byteLength ?? 0
      const writings = [{ sha256: body, kind: 'body' as const, size, bytes: () => blob(body, deps) }]
      parts.push({ draft, note, expect, writings })
      bytes += draft.entry.bytes
    } else if (drafted.error.code !== 'invalid_skill') return placed(at, drafted.error)
    else errors.push(...errorsAt(at, drafted.error))
    if (deps.pace.total() > COMMIT_WORK_MAX)
      return fail('too_large', 'Checking these skills takes too long for one commit. Send them in parts.')
    if (bytes > COMMIT_BYTES_MAX)
      return fail('too_large', `One commit has at most ${COMMIT_BYTES_MAX} bytes of files. Send it in parts.`)
  }
  if (errors.length === 0) return ok(parts)
  const all = errors.length.toLocaleString('en-US')
  const more =
    errors.length > REFUSAL_FINDINGS_MAX
      ? ` There are ${all} errors; the first ${REFUSAL_FINDINGS_MAX} are listed.`
      : ''
  const detail = `Some of the skills cannot be published as they are; nothing has changed.${more}`
  return fail('invalid_skill', detail, { errors: errors.slice(0, REFUSAL_FINDINGS_MAX) })
}

/** Every blob is known to the catalog, and kept while this request runs. */
async function promised(skills: readonly SentSkill[], { catalog }: PublishDeps): Promise<Result<null>> {
  const known = await catalog.known(addressesOf(skills))
  if (!known.ok) return known
  const there = new Set([...known.value.kept, ...known.value.staged])
  return allHere(skills, (sha256) => there.has(sha256))
}

function addressesOf(skills: readonly SentSkill[]): readonly string[] {
  return [...new Set(skills.flatMap(({ files }) => Object.values(files)))]
}

function allHere(skills: readonly SentSkill[], isHere: (sha256: string) => boolean): Result<null> {
  const errors = skills.flatMap(({ files }, at) =>
    Object.entries(files).flatMap(([path, sha256]) => (isHere(sha256) ? [] : missing(at, path, sha256))),
  )
  return errors.length === 0 ? ok(null) : lacking(errors)
}

function missing(at: number, path: string, sha256: string): Problem {
  return {
    path: `skills[${at}].files.${path}`,
    message: `${sha256} is missing. Send its bytes with PUT /admin/blobs/${sha256}, then commit again.`,
  }
}

function lacking(errors: readonly Problem[]): Result<never> {
  const detail = `${errors.length} of the blobs ${errors.length === 1 ? 'is' : 'are'} missing: ${errors[0]?.message}`
  return fail('invalid_request', detail, { errors: errors.slice(0, FIELD_ERRORS_MAX) })
}

async function filesOf(files: SentSkill['files'], at: number, deps: PublishDeps): Promise<Result<FileMap>> {
  const read = new Map<string, Uint8Array<ArrayBuffer>>()
  const errors: Problem[] = []
  let bytes = 0
  try {
    await inParallel(Object.entries(files), STORE_CONCURRENCY, async ([path, sha256]) => {
      if (bytes > SKILL_BYTES_MAX) return
      const content = await blob(sha256, deps)
      if (!content) return void errors.push(missing(at, path, sha256))
      bytes += content.byteLength
      read.set(path, content)
    })
  } catch {
    return fail('overloaded', 'The stores did not answer; nothing has changed. Try again.', {
      retryAfterS: 2,
    })
  }
  if (bytes > SKILL_BYTES_MAX) {
    const detail = `The files have more than ${SKILL_BYTES_MAX} bytes together, the limit of one skill.`
    return placed(at, { code: 'too_large', detail })
  }
  return errors.length === 0 ? ok(read) : lacking(errors)
}

/** Null: missing, or damaged. Throws when the store does not answer. */
async function blob(
  sha256: string,
  { stores, workspace }: PublishDeps,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = await stores.blobs.get(blobKey({ workspace }, sha256))
  return bytes && (await sha256Hex(bytes)) === sha256 ? bytes : null
}

function placed(at: number, error: Failure): Result<never> {
  return { ok: false, error: { ...error, errors: errorsAt(at, error) } }
}

function errorsAt(at: number, { errors, detail }: Failure): readonly Problem[] {
  const inside = errors?.map(({ path, message }) => ({ path: `skills[${at}].${path}`, message }))
  return inside ?? [{ path: `skills[${at}]`, message: detail }]
}
