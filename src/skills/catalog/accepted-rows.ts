// Accepted errors, stored in the findings of versions. Synchronous. The check decides which errors can be accepted.

import { fail } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { SKILL_VERSIONS_LISTED } from './limits.ts'
import type { Accepted, Finding } from '../skill.ts'
import type { AcceptedFile, NewVersion, SkillChange } from './api.ts'

type By = Pick<SkillChange, 'at' | 'author'>
type Brought = Pick<NewVersion, 'entry' | 'findings'>

/** Findings in their stored form. Newly accepted errors get this author and time. */
export function signedFindings(findings: readonly Finding[], { at, author }: By): string {
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
      SKILL_VERSIONS_LISTED,
      JSON.stringify(files),
    )
    .toArray()
    .map(({ rule, accepted }) => ({ rule, accepted: JSON.parse(accepted) as Accepted })) // `signedFindings` wrote it
}

/** Refuses a version whose accepted errors were purged after they were read. Null if nothing was purged. */
export function refuseForgotten(sql: SqlStorage, { entry, findings }: Brought): Result<never> | null {
  const carried = findings.flatMap(({ rule, accepted }) =>
    accepted?.at === undefined ? [] : [{ rule, accepted }],
  )
  if (carried.length === 0) return null
  const key = ({ rule, accepted }: AcceptedFile): string => `${rule} ${accepted.sha256}`
  const files = carried.map(({ accepted }) => accepted.sha256)
  const kept = new Set(acceptedFiles(sql, entry.name, files).map(key))
  if (carried.every((one) => kept.has(key(one)))) return null
  const detail = `What was accepted for "${entry.name}" was purged meanwhile; nothing has changed. Try again.`
  return fail('overloaded', detail, { retryAfterS: 1 })
}

/** For a version that was live already: stores its newly accepted errors, even if nothing else changed. */
export function keepAccepted(sql: SqlStorage, { entry: { name, digest }, findings }: Brought, by: By): void {
  const key = ({ rule, file }: Finding): string => `${rule} ${file}`
  const brought = findings.filter(({ accepted }) => accepted)
  if (brought.length === 0) return
  const [row] = sql
    .exec<{ findings: string }>(
      'SELECT findings FROM versions WHERE name = ? AND digest = ? AND purged_at IS NULL',
      name,
      digest,
    )
    .toArray()
  if (!row) return
  const before = JSON.parse(row.findings) as Finding[] // `signedFindings` wrote it
  const kept = new Set(before.filter(({ accepted }) => accepted).map(key))
  if (brought.every((one) => kept.has(key(one)))) return
  const now = signedFindings(findings, by)
  sql.exec('UPDATE versions SET findings = ? WHERE name = ? AND digest = ?', now, name, digest)
}
