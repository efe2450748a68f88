// Publishes one skill that was sent whole: a commit of one skill, with its own answer. Stateless.

import { ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { ChangeTerms, Expect } from '../catalog/api.ts'
import type { Acceptance } from '../check/accept.ts'
import type { FileMap } from '../package/skill-folder.ts'
import { commitDrafts } from './commit.ts'
import type { PublishedSkill } from './commit.ts'
import { draftSkill } from './draft.ts'
import type { PublishDeps } from './write.ts'

export interface PublishRequest extends ChangeTerms {
  /** As sent: at the root or in one folder. */
  readonly files: FileMap
  readonly note: string | null
  /** Errors that a person accepts. */
  readonly accept?: readonly Acceptance[]
  readonly expect?: Expect
}

/** Contract: Published. */
export interface Published extends PublishedSkill {
  readonly catalog_version: number
}

/**
 * Nothing is visible before every byte is written. After a failure the live version is unchanged. Failures:
 * `invalid_skill` (with `errors`, each `file:line`), `invalid_request`, `too_large`, `stale_version`, `gone`,
 * `overloaded`, `catalog_broken`.
 */
export async function publishFiles(request: PublishRequest, deps: PublishDeps): Promise<Result<Published>> {
  const { files: sent, note, accept = [], expect, ...terms } = request
  const drafted = await draftSkill(sent, accept, deps)
  if (!drafted.ok) return drafted
  const { files, ...draft } = drafted.value
  const writings = draft.manifest.files.map(({ path, sha256 }) => ({
    sha256,
    kind: sha256 === draft.entry.body ? ('body' as const) : ('file' as const),
    size: files.get(path)?.byteLength ?? 0,
    bytes: () => Promise.resolve(files.get(path) ?? null),
  }))
  const part = { draft, note, expect, writings }
  const done = await commitDrafts([part], { ...terms, unpublish: [], note }, deps)
  if (!done.ok) {
    // The position in a commit means nothing for a single skill.
    const { errors: _, ...error } = done.error
    return { ok: false, error }
  }
  const { catalog_version, skills } = done.value
  const [skill] = skills
  if (!skill) throw new Error('a commit of one has no skill')
  return ok({ ...skill, catalog_version })
}
