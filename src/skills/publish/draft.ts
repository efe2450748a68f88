// What somebody sent, checked as a skill that could go live: the same for one upload and for each of a commit.
// Reads no store and writes nothing.

import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { inSteps } from '../../lib/steps.ts'
import type { Pace } from '../../lib/steps.ts'
import { FIELD_ERRORS_MAX } from '../../limits.ts'
import { judgeSteps } from '../check/judge.ts'
import { manifestOfFiles } from '../package/digest.ts'
import type { Manifest } from '../package/digest.ts'
import { indexEntry } from '../package/entry.ts'
import { skillFolder } from '../package/skill-folder.ts'
import type { FileMap } from '../package/skill-folder.ts'
import type { Finding, IndexEntry } from '../skill.ts'

export interface Draft {
  readonly entry: IndexEntry
  readonly manifest: Manifest
  readonly files: FileMap
  /** None refuses it. Those of reading SKILL.md stand in the entry, too, and so in the index. */
  readonly findings: readonly Finding[]
}

/** `sent`: at the root or under one folder. Failures: `too_large`, `invalid_skill` with `errors`, each `file:line`. */
export async function draftSkill(sent: FileMap, pace: Pace): Promise<Result<Draft>> {
  const folder = skillFolder(sent)
  if (!folder.ok) return folder
  const { files, bytes } = folder.value
  const judging = judgeSteps(files, folder.value.folder, 'strict')
  const { skill, findings, refusing, reading } = await inSteps(judging, pace)
  if (!skill || refusing.length > 0)
    return fail('invalid_skill', 'The skill cannot be published as it is.', { errors: errorsOf(refusing) })
  const manifest = await manifestOfFiles(files)
  const entry = indexEntry({ skill, category: 'custom', manifest, bytes, findings: reading })
  return ok({ entry, manifest, files, findings })
}

function errorsOf(refusing: readonly Finding[]): NonNullable<Failure['errors']> {
  return refusing.slice(0, FIELD_ERRORS_MAX).map(({ file, line, message, mend }) => ({
    path: line === null ? file : `${file}:${line}`,
    message: `${message} ${mend}`,
  }))
}
