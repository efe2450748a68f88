// Writes a planned change into the rows: pointers, switches, versions, history. Inside the catalog's transaction only.

import type { NewVersion } from './api.ts'
import { referToBlobs } from './blob-rows.ts'
import type { Change, SkillEdit } from './plan.ts'
import * as rows from './rows.ts'
import { forgetShared } from './shared-rows.ts'
import { insertHistory, insertVersion } from './version-rows.ts'

interface Made {
  /** RFC 3339. */
  readonly at: string
  readonly author: string
  /** The catalog version that this change makes. */
  readonly catalog_version: number
}

export function takeChange(sql: SqlStorage, change: Change, made: Made): void {
  for (const edit of change.edits) {
    const { skill, custom, version, flags, action, also, note, before, after } = edit
    if (isWithdrawn(edit)) forgetShared(sql, skill, Date.parse(made.at))
    if (version && insertVersion(sql, { ...version, note }, made)) referToBlobs(sql, blobsOf(version))
    if (custom) rows.setLive(sql, custom)
    else if (custom === null) rows.removeLive(sql, skill)
    if (flags) rows.setFlags(sql, skill, flags)
    insertHistory(sql, { ...made, action, also, name: skill, note, before, after })
  }
}

/** What a version refers to: its list of files, and these. */
export function blobsOf({ entry, files }: NewVersion): readonly string[] {
  return [entry.digest, ...files.map((file) => file.sha256)]
}

/** After unsharing or retiring, versions that were listed before are nobody's to fetch, also when it is shared again. */
function isWithdrawn({ custom, flags }: SkillEdit): boolean {
  if (custom !== undefined) return !custom?.shareable
  return flags?.shareable === false
}
