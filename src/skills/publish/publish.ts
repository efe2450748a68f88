// Publishing one skill: check, write its bytes, then ask the catalog to flip. Runs in the Worker, holds no state.

import { utf8 } from '../../lib/bytes.ts'
import { ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import type { FileDiff } from '../package/file-diff.ts'
import type { FileMap } from '../package/skill-folder.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { Finding } from '../skill.ts'
import type { Actor, CatalogApi, Expect } from '../catalog/api.ts'
import { differences, findingsOf, infoOf, infoOnTrial, lookAround, staleOnTrial } from './compare.ts'
import { draftSkill } from './draft.ts'
import type { SkillInfo } from '../view/skill-info.ts'
import { commitBatch } from './write.ts'
import type { WriteDeps } from './write.ts'

export interface PublishRequest {
  /** As sent: at the root or under one folder. */
  readonly files: FileMap
  readonly note: string | null
  readonly actor: Actor
  /** The build compiled into this Worker. */
  readonly build: string
  readonly expect?: Expect
  /** Validate and diff only. */
  readonly dryRun?: boolean
}

export interface PublishDeps extends WriteDeps {
  readonly content: ContentReader
  /** Checking rests by it. */
  readonly pace: Pace
  readonly catalog: Pick<CatalogApi, 'standing' | 'stage' | 'commit'>
}

/** Contract: Published. */
export interface Published {
  readonly skill: SkillInfo
  readonly created: boolean
  readonly catalog_version: number
  readonly findings: readonly Finding[]
  readonly diff: readonly FileDiff[]
}

/**
 * Nothing is visible before every byte is written; a failure at any point leaves what was live.
 * Failures: `invalid_skill` (with `errors`, each `file:line`), `too_large`, `stale_version`, `overloaded`,
 * `catalog_broken`.
 */
export async function publishFiles(request: PublishRequest, deps: PublishDeps): Promise<Result<Published>> {
  const drafted = await draftSkill(request.files, deps.pace)
  if (!drafted.ok) return drafted
  const draft = drafted.value
  const { entry, manifest, files } = draft
  const { build, actor, note, expect } = request
  const around = await lookAround([draft], build, deps.catalog)
  if (!around.ok) return around
  const diff = await differences(draft, around.value, deps.content)
  const findings = findingsOf(draft, around.value, new Set([entry.name]))
  if (request.dryRun === true) {
    const stale = staleOnTrial(draft, around.value, expect)
    if (stale) return { ok: false, error: stale }
    const skill = infoOnTrial(draft, around.value)
    return ok({ skill, created: false, catalog_version: around.value.version, findings, diff })
  }
  const contents = new Map([[manifest.digest, utf8(manifest.text)]])
  for (const { path, sha256 } of manifest.files) contents.set(sha256, files.get(path) ?? new Uint8Array())
  const writings = Array.from(contents, ([sha256, bytes]) => ({
    sha256,
    kind: sha256 === entry.body ? ('body' as const) : ('file' as const),
    bytes: () => Promise.resolve(bytes),
  }))
  const version = { entry, files: manifest.files, findings, note, expect }
  const committed = await commitBatch({ skills: [version], retire: [], note }, writings, build, actor, deps)
  if (!committed.ok) return alone(committed)
  const [state] = committed.value.skills
  if (!state) throw new Error('the catalog forgot a skill of its answer')
  const { created } = state
  return ok({
    skill: infoOf(draft, state),
    created,
    catalog_version: committed.value.version,
    findings,
    diff,
  })
}

/** A refusal that names its place in a commit, for a request that has one skill only. */
function alone({ error }: Extract<Result<never>, { readonly ok: false }>): Result<never> {
  const { errors: _, ...rest } = error
  return { ok: false, error: rest }
}
