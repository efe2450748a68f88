// Writes a planned change into the rows: live versions, switches, versions, history. Only inside the catalog's
// transaction.

import type { NewVersion } from './api.ts'
import { referToBlobs } from './blob-rows.ts'
import type { CatalogChange, SkillEdit, ToolEdit } from './plan.ts'
import * as rows from './rows.ts'
import { forgetShared } from './shared-rows.ts'
import { insertToolVersion, removeLiveTool, setLiveTool, setToolSwitch } from './tool-rows.ts'
import { insertHistory, insertVersion } from './version-rows.ts'

interface Made {
  /** RFC 3339. */
  readonly at: string
  readonly author: string
  /** The catalog version that this change makes. */
  readonly catalog_version: number
}

export function takeChange(sql: SqlStorage, change: CatalogChange, made: Made): void {
  for (const edit of change.edits) {
    const { skill, custom, version, flags, action, also, note, before, after } = edit
    if (isWithdrawn(edit)) forgetShared(sql, skill, Date.parse(made.at))
    if (version && insertVersion(sql, { ...version, note }, made)) referToBlobs(sql, blobsOf(version))
    if (custom) rows.setLive(sql, custom)
    else if (custom === null) rows.removeLive(sql, skill)
    if (flags) rows.setFlags(sql, skill, flags)
    insertHistory(sql, 'skill', { ...made, action, also, name: skill, note, before, after })
  }
  for (const edit of change.tools) takeTool(sql, edit, made)
}

function takeTool(sql: SqlStorage, edit: ToolEdit, made: Made): void {
  const { tool, custom, version, enabled, action, also, note, before, after } = edit
  if (version && custom) {
    const { name, digest } = custom
    insertToolVersion(sql, name, {
      digest,
      definition: version.definition,
      author: made.author,
      note,
      created_at: made.at,
    })
  }
  if (custom) setLiveTool(sql, custom)
  else if (custom === null) removeLiveTool(sql, tool)
  if (enabled !== undefined) setToolSwitch(sql, tool, enabled)
  insertHistory(sql, 'tool', { ...made, action, also, name: tool, note, before, after })
}

/** The blobs of a version: its manifest, and these. */
export function blobsOf({ entry, files }: NewVersion): readonly string[] {
  return [entry.digest, ...files.map((file) => file.sha256)]
}

/** After unsharing or unpublishing, earlier versions can no longer be downloaded, even if the skill is shared again. */
function isWithdrawn({ custom, flags }: SkillEdit): boolean {
  if (custom !== undefined) return !custom?.shareable
  return flags?.shareable === false
}
