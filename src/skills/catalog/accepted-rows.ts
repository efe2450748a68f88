// Reads and writes accepted errors, which are stored in the findings of versions. Synchronous. check/accept.ts decides
// which errors can be accepted.

import { fail } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { SKILL_VERSIONS_LISTED_MAX } from './limits.ts'
import type { Accepted, Finding } from '../skill.ts'
import type { AcceptedFile, NewVersion, SkillChange } from './api.ts'

type Signature = Pick<SkillChange, 'at' | 'author'>
type VersionFindings = Pick<NewVersion, 'entry' | 'findings'>

/** The findings as stored JSON. Newly accepted errors get this author and time. */
export function signedFindings(findings: readonly Finding[], { at, author }: Signature): string {
  return JSON.stringify(
    findings.map((one) => (one.accepted ? { ...one, accepted: { author, at, ...one.accepted } } : one)),
  )
}

/** See `CatalogApi.accepted`. A purged version has no findings, and so no accepted errors. */
export function acceptedFiles(
  sql: SqlStorage,
  skill: string,
  files: readonly string[],
): readonly AcceptedFile[] {
  return sql
    .exec<{ rule: string; accepted: string }>(
      `SELECT DISTINCT f.value ->> 'rule' AS rule, f.value -> 'accepted' AS accepted
         FROM (SELECT findings FROM versions WHERE name = ? ORDER BY seq DESC LIMIT ?) v, json_each(v.findings) f
        WHERE f.value -> 'accepted' ->> 'sha256' IN (SELECT value FROM json_each(?))`,
      skill,
      SKILL_VERSIONS_LISTED_MAX,
      JSON.stringify(files),
    )
    .toArray()
    .map(({ rule, accepted }) => ({ rule, accepted: JSON.parse(accepted) as Accepted })) // `signedFindings` wrote it.
}

/** The error if earlier acceptances that a version relies on were purged in the meantime; null if none were. */
export function refusePurgedAcceptances(
  sql: SqlStorage,
  { entry, findings }: VersionFindings,
): Result<never> | null {
  const earlier = findings.flatMap(({ rule, accepted }) =>
    accepted?.at === undefined ? [] : [{ rule, accepted }],
  )
  if (earlier.length === 0) return null
  const key = ({ rule, accepted }: AcceptedFile): string => `${rule} ${accepted.sha256}`
  const files = earlier.map(({ accepted }) => accepted.sha256)
  const stored = new Set(acceptedFiles(sql, entry.name, files).map(key))
  if (earlier.every((acceptance) => stored.has(key(acceptance)))) return null
  const detail = `Errors accepted for an earlier version of "${entry.name}" were purged in the meantime; nothing was changed. Try again.`
  return fail('overloaded', detail, { retryAfterS: 1 })
}

/** Stores newly accepted errors of a version that was already live, even if nothing else changed. */
export function storeAccepted(
  sql: SqlStorage,
  { entry: { name, digest }, findings }: VersionFindings,
  signature: Signature,
): void {
  const key = ({ rule, file }: Finding): string => `${rule} ${file}`
  const acceptedFindings = findings.filter(({ accepted }) => accepted)
  if (acceptedFindings.length === 0) return
  const [row] = sql
    .exec<{ findings: string }>(
      'SELECT findings FROM versions WHERE name = ? AND digest = ? AND purged_at IS NULL',
      name,
      digest,
    )
    .toArray()
  if (!row) return
  const storedFindings = JSON.parse(row.findings) as Finding[] // `signedFindings` wrote it.
  const stored = new Set(storedFindings.filter(({ accepted }) => accepted).map(key))
  if (acceptedFindings.every((finding) => stored.has(key(finding)))) return
  const updatedFindings = signedFindings(findings, signature)
  sql.exec('UPDATE versions SET findings = ? WHERE name = ? AND digest = ?', updatedFindings, name, digest)
}
