// Checks uploaded files as a skill that could be published, for single uploads and for each skill of a commit. Asks the
// catalog for errors that were accepted before; otherwise reads no store, and writes nothing.

import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { runStepsPaced } from '../../lib/steps.ts'
import { REFUSAL_FINDINGS_MAX } from '../../limits/requests.ts'
import type { CatalogApi } from '../catalog/api.ts'
import { applyAcceptances, isAcceptable, withoutRepeats, acceptProblems } from '../check/accept.ts'
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
  /** Only warnings and notes. Those about SKILL.md itself are also in the entry, and so in the index. */
  readonly findings: readonly Finding[]
}

interface DraftDeps extends Pick<PublishDeps, 'pace' | 'tools' | 'installed' | 'loadGrammars'> {
  readonly catalog: Pick<CatalogApi, 'accepted'>
}

/**
 * Checks files, which are at the root or in a single folder. Failures: `too_large`; `invalid_skill`, with `errors` by
 * `file:line`; `invalid_request` if `accept` does not match the errors of the skill; those of `loadGrammars`.
 */
export async function draftSkill(
  sent: FileMap,
  accept: readonly Acceptance[],
  { pace, catalog, tools, installed, loadGrammars }: DraftDeps,
): Promise<Result<SkillDraft>> {
  const folder = skillFolder(sent)
  if (!folder.ok) return folder
  const { files, bytes } = folder.value
  const grammars = await loadGrammars()
  if (!grammars.ok) return grammars
  // Imported here because few isolates publish, and the scan's rules and parsers are a fifth of the start-up code.
  const { judgeSteps } = await import('../check/judge.ts')
  const judging = judgeSteps(files, folder.value.folder, 'strict', tools, (await installed?.()) ?? null)
  const judged = await runStepsPaced(judging, pace)
  const [firstProblem, ...others] = acceptProblems(accept, judged.refusing)
  if (firstProblem)
    return fail(
      'invalid_request',
      `The field accept does not match the errors of the skill. ${firstProblem.message}`,
      {
        errors: [firstProblem, ...others],
      },
    )
  const manifest = await manifestOfFiles(files)
  const judgedWithAccepted = await applyAccepted(judged, manifest, accept, catalog)
  if (!judgedWithAccepted.ok) return judgedWithAccepted
  const { skill, findings, refusing, skillMdFindings } = judgedWithAccepted.value
  if (!skill || refusing.length > 0)
    return fail('invalid_skill', 'The skill cannot be published. Fix its errors, then send it again.', {
      errors: errorsOf(refusing),
    })
  const entry = indexEntry({ skill, category: 'custom', manifest, bytes, findings: skillMdFindings })
  return ok({ entry, manifest, files, findings: withoutRepeats(findings) })
}

/**
 * Applies acceptances to the errors of a skill. Errors accepted earlier for the same bytes keep their reason and
 * author; the catalog is asked for them only if there are errors that can be accepted.
 */
async function applyAccepted(
  judged: Judged,
  manifest: Manifest,
  accept: readonly Acceptance[],
  catalog: DraftDeps['catalog'],
): Promise<Result<Judged>> {
  const acceptable = judged.refusing.filter(isAcceptable)
  if (!judged.skill || acceptable.length === 0) return ok(judged)
  const digests = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]))
  const hashes = new Set(acceptable.flatMap(({ file }) => digests.get(file) ?? []))
  const earlierAcceptances = await catalog.accepted(judged.skill.meta.name, [...hashes])
  if (!earlierAcceptances.ok) return earlierAcceptances
  return ok(
    applyAcceptances(judged, ({ rule, file }) => {
      const sha256 = digests.get(file)
      const earlierAcceptance = earlierAcceptances.value.find(
        (acceptance) => acceptance.rule === rule && acceptance.accepted.sha256 === sha256,
      )
      const reason = accept.find((acceptance) => acceptance.rule === rule)?.reason
      return (
        earlierAcceptance?.accepted ??
        (sha256 === undefined || reason === undefined ? undefined : { reason, sha256 })
      )
    }),
  )
}

/** Lists the first error of each rule before all repeats, because the list is cut and every rule should be in it. */
function errorsOf(refusing: readonly Finding[]): NonNullable<Failure['errors']> {
  const unacceptable = refusing.filter((finding) => !isAcceptable(finding))
  const ordered = [...unacceptable, ...refusing.filter(isAcceptable)]
  const firstByRule = new Map(ordered.toReversed().map((finding) => [finding.rule, finding]))
  const isFirst = (finding: Finding): boolean => firstByRule.get(finding.rule) === finding
  const listed = [...ordered.filter(isFirst), ...ordered.filter((finding) => !isFirst(finding))]
  return listed.slice(0, REFUSAL_FINDINGS_MAX).map(({ rule, file, line, message, fix }) => {
    const accept = JSON.stringify([{ rule, reason: '…' }])
    const acceptHint = unacceptable.length === 0 ? ` Or accept it by publishing with accept: ${accept}.` : ''
    return { path: line === null ? file : `${file}:${line}`, message: `${message} ${fix}${acceptHint}` }
  })
}
