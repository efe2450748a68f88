// Checks uploaded files as a skill that could go live: the same for one upload and for each skill of a commit. Reads no
// store and writes nothing. Previously accepted findings are stored in the catalog.

import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { inSteps } from '../../lib/steps.ts'
import { REFUSAL_FINDINGS_MAX } from '../../limits/requests.ts'
import type { CatalogApi } from '../catalog/api.ts'
import { accepting, isAcceptable, withoutRepeats, unfit } from '../check/accept.ts'
import type { Acceptance } from '../check/accept.ts'
import type { Judged } from '../check/judge.ts'
import { manifestOfFiles } from '../package/digest.ts'
import type { Manifest } from '../package/digest.ts'
import { indexEntry } from '../package/entry.ts'
import { skillFolder } from '../package/skill-folder.ts'
import type { FileMap } from '../package/skill-folder.ts'
import type { Finding, IndexEntry } from '../skill.ts'
import type { PublishDeps } from './write.ts'

export interface SkillDraft {
  readonly entry: IndexEntry
  readonly manifest: Manifest
  readonly files: FileMap
  /** None of them refuses the skill. Findings of parsing SKILL.md are also in the entry, and so in the index. */
  readonly findings: readonly Finding[]
}

interface DraftDeps extends Pick<PublishDeps, 'pace' | 'tools'> {
  readonly catalog: Pick<CatalogApi, 'accepted'>
}

/**
 * `sent`: files at the root or in one folder. Failures: `too_large`, `invalid_skill` with `errors`, each `file:line`;
 * `invalid_request` when `accept` does not match the errors of the skill.
 */
export async function draftSkill(
  sent: FileMap,
  accept: readonly Acceptance[],
  { pace, catalog, tools }: DraftDeps,
): Promise<Result<SkillDraft>> {
  const folder = skillFolder(sent)
  if (!folder.ok) return folder
  const { files, bytes } = folder.value
  // Imported here, because the scan's rules and parsers are a fifth of the start-up code, and few isolates publish.
  const { judgeSteps } = await import('../check/judge.ts')
  const judging = judgeSteps(files, folder.value.folder, 'strict', tools)
  const judged = await inSteps(judging, pace)
  const [wrong, ...others] = unfit(accept, judged.refusing)
  if (wrong)
    return fail('invalid_request', `accept does not match. ${wrong.message}`, { errors: [wrong, ...others] })
  const manifest = await manifestOfFiles(files)
  const settled = await settle(judged, manifest, accept, catalog)
  if (!settled.ok) return settled
  const { skill, findings, refusing, reading } = settled.value
  if (!skill || refusing.length > 0)
    return fail('invalid_skill', 'The skill cannot be published as it is.', { errors: errorsOf(refusing) })
  const entry = indexEntry({ skill, category: 'custom', manifest, bytes, findings: reading })
  return ok({ entry, manifest, files, findings: withoutRepeats(findings) })
}

/**
 * Errors accepted before for these bytes keep their reason and author. Asks the catalog only when there are errors that
 * can be accepted.
 */
async function settle(
  judged: Judged,
  manifest: Manifest,
  accept: readonly Acceptance[],
  catalog: DraftDeps['catalog'],
): Promise<Result<Judged>> {
  const acceptable = judged.refusing.filter(isAcceptable)
  if (!judged.skill || acceptable.length === 0) return ok(judged)
  const digests = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]))
  const hashes = new Set(acceptable.flatMap(({ file }) => digests.get(file) ?? []))
  const before = await catalog.accepted(judged.skill.meta.name, [...hashes])
  if (!before.ok) return before
  return ok(
    accepting(judged, ({ rule, file }) => {
      const sha256 = digests.get(file)
      const kept = before.value.find((one) => one.rule === rule && one.accepted.sha256 === sha256)
      const reason = accept.find((one) => one.rule === rule)?.reason
      return kept?.accepted ?? (sha256 === undefined || reason === undefined ? undefined : { reason, sha256 })
    }),
  )
}

/** The first of each rule comes before repeats: an author cannot fix or accept a rule that is cut off. */
function errorsOf(refusing: readonly Finding[]): NonNullable<Failure['errors']> {
  const never = refusing.filter((finding) => !isAcceptable(finding))
  const ordered = [...never, ...refusing.filter(isAcceptable)]
  const firsts = new Map(ordered.toReversed().map((finding) => [finding.rule, finding]))
  const isFirst = (finding: Finding): boolean => firsts.get(finding.rule) === finding
  const listed = [...ordered.filter(isFirst), ...ordered.filter((finding) => !isFirst(finding))]
  return listed.slice(0, REFUSAL_FINDINGS_MAX).map(({ rule, file, line, message, fix }) => {
    const accept = JSON.stringify([{ rule, reason: '…' }])
    const way = never.length === 0 ? ` Or publish it with accept: ${accept}.` : ''
    return { path: line === null ? file : `${file}:${line}`, message: `${message} ${fix}${way}` }
  })
}
