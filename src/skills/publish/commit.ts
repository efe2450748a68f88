// Many skills in one catalog version, their files sent before as blobs. Every check of a publish, all or nothing.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import {
  COMMIT_BYTES_MAX,
  COMMIT_WORK_MAX,
  FIELD_ERRORS_MAX,
  SKILL_BYTES_MAX,
  STORE_CONCURRENCY,
} from '../../limits.ts'
import { blobKey } from '../store/keys.ts'
import type { Actor, CatalogApi, Expect, NewVersion, Over, Retiring } from '../catalog/api.ts'
import { differences, findingsOf, infoOf, infoOnTrial, lookAround, staleOnTrial } from './compare.ts'
import type { Around } from './compare.ts'
import { draftSkill } from './draft.ts'
import type { Draft } from './draft.ts'
import { catalogStaleness, retiring, staleness } from '../catalog/refusals.ts'
import type { Published, PublishDeps } from './publish.ts'
import { commitBatch } from './write.ts'

/** Files by path: the sha-256 of their bytes, at the root or under one folder. */
interface CommitSkill {
  readonly files: Readonly<Record<string, string>>
  readonly note?: string | undefined
  readonly expect?: Expect
}

export interface CommitRequest {
  readonly skills: readonly CommitSkill[]
  readonly retire: readonly (string | Retiring)[]
  readonly note: string | null
  readonly over?: Over
  readonly actor: Actor
  readonly build: string
  readonly dryRun: boolean
}

export interface CommitDeps extends PublishDeps {
  readonly catalog: Pick<CatalogApi, 'standing' | 'stage' | 'commit' | 'known' | 'earlier'>
}

export interface Commit {
  readonly catalog_version: number
  readonly skills: readonly Omit<Published, 'catalog_version'>[]
  readonly retired: readonly string[]
}

type Light = Omit<Draft, 'files'>
type Problems = NonNullable<Failure['errors']>[number]

/**
 * Failures: those of a publish; `errors` name the skill they belong to (`skills[3].SKILL.md:2`). A blob that was not
 * sent is `invalid_request` and says which.
 */
export async function commitSkills(request: CommitRequest, deps: CommitDeps): Promise<Result<Commit>> {
  const present = await promised(request.skills, deps)
  if (!present.ok) return present
  const drafted = await draftAll(request.skills, deps)
  if (!drafted.ok) return drafted
  const drafts = drafted.value
  const away = request.retire.map(retiring)
  const retired = away.map(({ name }) => name)
  const twice = repeated(drafts, retired)
  if (twice) return twice
  const around = await lookAround(drafts, request.build, deps.catalog, retired)
  if (!around.ok) return around
  const together = new Set(drafts.map(({ entry }) => entry.name))
  const shown: Pick<Published, 'findings' | 'diff'>[] = []
  for (const draft of drafts) {
    const findings = findingsOf(draft, around.value, together)
    shown.push({ findings, diff: await differences(draft, around.value, deps.content) })
  }
  const skills = drafts.map(({ entry, manifest }, at) => ({
    entry,
    files: manifest.files,
    findings: shown[at]?.findings ?? [],
    note: request.skills[at]?.note ?? null,
    expect: request.skills[at]?.expect,
  }))
  if (request.dryRun) {
    const refused = staleDraft(skills, around.value) ?? (await notRetirable(away, around.value, deps))
    // In the order of a commit: what changes nothing is over no version, whatever else is over one version first.
    const moved =
      refused === null && changesNothing(drafts, retired, around.value)
        ? null
        : catalogStaleness(around.value.version, request.over)
    if (moved) return { ok: false, error: moved }
    if (refused) return refused
    const trial = drafts.map((draft, at) => ({
      skill: infoOnTrial(draft, around.value),
      created: false,
      findings: shown[at]?.findings ?? [],
      diff: shown[at]?.diff ?? [],
    }))
    return ok({ catalog_version: around.value.version, skills: trial, retired })
  }
  const batch = { skills, retire: request.retire, note: request.note, over: request.over }
  const writings = drafts.flatMap(({ entry, manifest }) => [
    { sha256: entry.body, kind: 'body' as const, bytes: () => blob(entry.body, deps) },
    { sha256: manifest.digest, kind: 'file' as const, bytes: async () => utf8(manifest.text) },
  ])
  const committed = await commitBatch(batch, writings, request.build, request.actor, deps)
  if (!committed.ok) return committed
  const done = drafts.map((draft, at) => {
    const state = committed.value.skills[at]
    if (!state) throw new Error('the catalog forgot a skill of its answer')
    return { skill: infoOf(draft, state), created: state.created, findings: [], diff: [], ...shown[at] }
  })
  return ok({ catalog_version: committed.value.version, skills: done, retired })
}

/** Every blob is known to the catalog, and stays while this request goes on. */
async function promised(skills: readonly CommitSkill[], deps: CommitDeps): Promise<Result<null>> {
  const addresses = [...new Set(skills.flatMap(({ files }) => Object.values(files)))]
  const known = await deps.catalog.known(addresses)
  if (!known.ok) return known
  const there = new Set([...known.value.kept, ...known.value.staged])
  const errors: Problems[] = []
  for (const [at, { files }] of skills.entries())
    for (const [path, sha256] of Object.entries(files))
      if (!there.has(sha256)) errors.push(missing(at, path, sha256))
  return errors.length === 0 ? ok(null) : refusedFor(errors)
}

function missing(at: number, path: string, sha256: string): Problems {
  return {
    path: `skills[${at}].files.${path}`,
    message: `${sha256} is not here. Send its bytes with PUT /admin/blobs/${sha256}, then commit again.`,
  }
}

function refusedFor(errors: readonly Problems[]): Result<never> {
  const detail = `${errors.length} of the blobs ${errors.length === 1 ? 'is' : 'are'} not here: ${errors[0]?.message}`
  return fail('invalid_request', detail, { errors: errors.slice(0, FIELD_ERRORS_MAX) })
}

/** One after the other, so that the bytes of one skill at most are in memory. All that are invalid are told of. */
async function draftAll(skills: readonly CommitSkill[], deps: CommitDeps): Promise<Result<readonly Light[]>> {
  const drafts: Light[] = []
  const errors: Problems[] = []
  let bytes = 0
  for (const [at, { files }] of skills.entries()) {
    const read = await filesOf(files, at, deps)
    if (!read.ok) return read
    const drafted = await draftSkill(read.value, deps.pace)
    if (drafted.ok) {
      const { entry, manifest, findings } = drafted.value
      drafts.push({ entry, manifest, findings })
      bytes += entry.bytes
    } else if (drafted.error.code !== 'invalid_skill') return placed(`skills[${at}]`, drafted.error)
    else errors.push(...errorsAt(`skills[${at}]`, drafted.error))
    if (deps.pace.total() > COMMIT_WORK_MAX)
      return fail(
        'too_large',
        'To check all of these skills takes too long for one commit. Send it in parts.',
      )
    if (bytes > COMMIT_BYTES_MAX)
      return fail('too_large', `One commit has at most ${COMMIT_BYTES_MAX} bytes of files. Send it in parts.`)
  }
  if (errors.length === 0) return ok(drafts)
  return fail('invalid_skill', 'Some of the skills cannot be published as they are; nothing has changed.', {
    errors: errors.slice(0, FIELD_ERRORS_MAX),
  })
}

async function filesOf(
  files: CommitSkill['files'],
  at: number,
  deps: CommitDeps,
): Promise<Result<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>> {
  const read = new Map<string, Uint8Array<ArrayBuffer>>()
  const errors: Problems[] = []
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
    const detail = `The files have more than ${SKILL_BYTES_MAX} bytes together, the most one skill has.`
    return placed(`skills[${at}]`, { code: 'too_large', detail })
  }
  return errors.length === 0 ? ok(read) : refusedFor(errors)
}

/** Null: not there, or not what its address says. Throws when the store does not answer. */
async function blob(
  sha256: string,
  { stores, workspace }: CommitDeps,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = await stores.blobs.get(blobKey({ workspace }, sha256))
  return bytes && (await sha256Hex(bytes)) === sha256 ? bytes : null
}

/** Nothing may be asked for twice in one commit: which of the two would win? */
function repeated(drafts: readonly Light[], retire: readonly string[]): Result<never> | null {
  const places = new Map<string, string>()
  const named: readonly (readonly [place: string, name: string])[] = [
    ...drafts.map(({ entry }, at) => [`skills[${at}]`, entry.name] as const),
    ...retire.map((name, at) => [`retire[${at}]`, name] as const),
  ]
  for (const [place, name] of named) {
    const other = places.get(name)
    if (other !== undefined) {
      const detail = `${place} is the skill "${name}", as ${other} is. Name each skill once.`
      return placed(place, { code: 'invalid_request', detail })
    }
    places.set(name, place)
  }
  return null
}

/** All of it is so already, as after a commit whose answer was lost. */
function changesNothing(drafts: readonly Light[], retired: readonly string[], { skills }: Around): boolean {
  const custom = (name: string): string | null => {
    const live = skills.get(name)
    return live?.category === 'custom' ? live.digest : null
  }
  return (
    drafts.every(({ entry }) => custom(entry.name) === entry.digest) &&
    retired.every((name) => custom(name) === null)
  )
}

/** The first skill that a commit would not write over what is live, for a trial. */
function staleDraft(skills: readonly NewVersion[], around: Around): Result<never> | null {
  for (const [at, skill] of skills.entries()) {
    const stale = staleOnTrial(skill, around, skill.expect)
    if (stale) return placed(`skills[${at}]`, stale)
  }
  return null
}

/** The first name that a commit would not take out, for a trial: nothing, another version or a built-in skill is live. */
async function notRetirable(
  retire: readonly Retiring[],
  around: Around,
  { catalog }: CommitDeps,
): Promise<Result<never> | null> {
  for (const [at, { name, expect }] of retire.entries()) {
    const live = around.skills.get(name)
    if (live?.category === 'custom') {
      const stale = staleness(name, live.digest, expect)
      if (stale) return placed(`retire[${at}]`, stale)
      continue
    }
    // One that was live and is out already stays out.
    const earlier = await catalog.earlier(name)
    if (!earlier.ok) return earlier
    if (earlier.value.length > 0) continue
    const stale = staleness(name, live?.digest ?? null, expect)
    if (stale) return placed(`retire[${at}]`, stale)
    const error: Failure = live
      ? { code: 'invalid_request', detail: `"${name}" is built in: it can be switched off, not retired.` }
      : { code: 'not_found', detail: `No skill "${name}" is in this catalog, so it cannot be retired.` }
    return placed(`retire[${at}]`, error)
  }
  return null
}

function placed(place: string, error: Failure): Result<never> {
  return { ok: false, error: { ...error, errors: errorsAt(place, error) } }
}

function errorsAt(place: string, { errors, detail }: Failure): readonly Problems[] {
  const inside = errors?.map(({ path, message }) => ({ path: `${place}.${path}`, message }))
  return inside ?? [{ path: place, message: detail }]
}
