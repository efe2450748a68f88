// Publishes a single skill whose files are all in the request, as a commit of one skill. Stateless.

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
  /** The files as sent, at the root or in a single folder. */
  readonly files: FileMap
  readonly note: string | null
  /** The errors that the person who publishes accepts. */
  readonly accept?: readonly Acceptance[]
  readonly expect?: Expect
}

/** Contract: Published. */
export interface Published extends PublishedSkill {
  readonly catalog_version: number
}

/**
 * Publishes a skill. It becomes visible only after every byte is written; after a failure the live version is
 * unchanged. Failures: `invalid_skill` (with `errors` by `file:line`), `invalid_request`, `too_large`, `stale_version`,
 * `gone`, `overloaded`, `catalog_broken`.
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
    // `errors` contains the skill's position in the commit, which means nothing for a single skill.
    const { errors: _, ...error } = done.error
    return { ok: false, error }
  }
  const { catalog_version, skills } = done.value
  const [skill] = skills
  if (!skill) throw new Error('a commit of one has no skill')
  return ok({ ...skill, catalog_version })
}
