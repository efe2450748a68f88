// Writes a planned change to the tables: versions, live versions, switches and history. Call it only inside the
// catalog's transaction.

import type { NewVersion } from './api.ts'
import { referToBlobs } from './blob-rows.ts'
import type { CatalogChange, SkillEdit, ToolEdit } from './plan.ts'
import * as rows from './rows.ts'
import { deleteShared } from './shared-rows.ts'
import {
  insertToolVersion,
  removeLiveTool,
  setApproval,
  setBuildToolSwitch,
  setLiveTool,
} from './tool-rows.ts'
import { insertHistory, insertVersion } from './version-rows.ts'

interface ChangeRecord {
  /** RFC 3339. */
  readonly at: string
  readonly author: string
  /** The catalog version that this change creates. */
  readonly catalog_version: number
}

export function writeChange(sql: SqlStorage, change: CatalogChange, record: ChangeRecord): void {
  for (const edit of change.edits) {
    const { skill, custom, version, flags, action, also, note, before, after } = edit
    if (isUnshared(edit)) deleteShared(sql, skill, Date.parse(record.at))
    if (version && insertVersion(sql, { ...version, note }, record)) referToBlobs(sql, blobsOf(version))
    if (custom) rows.setLive(sql, custom)
    else if (custom === null) rows.removeLive(sql, skill)
    if (flags) rows.setFlags(sql, skill, flags)
    insertHistory(sql, 'skill', { ...record, action, also, name: skill, note, before, after })
  }
  for (const edit of change.tools) writeToolEdit(sql, edit, record)
}

function writeToolEdit(sql: SqlStorage, edit: ToolEdit, record: ChangeRecord): void {
  const { tool, custom, version, ofBuild, action, also, note, before, after } = edit
  if (version && custom) {
    const { name, digest } = custom
    insertToolVersion(sql, name, {
      digest,
      definition: version.definition,
      author: record.author,
      note,
      created_at: record.at,
    })
  }
  if (custom) setLiveTool(sql, custom)
  else if (custom === null) removeLiveTool(sql, tool)
  if (custom?.approved && action === 'approve') setApproval(sql, 'workspace', tool, custom.approved)
  if (ofBuild?.enabled !== undefined) setBuildToolSwitch(sql, tool, ofBuild.enabled)
  if (ofBuild?.approved) setApproval(sql, 'build', tool, ofBuild.approved)
  insertHistory(sql, 'tool', { ...record, action, also, name: tool, note, before, after })
}

/** The addresses of a version's blobs: its manifest and its files. */
export function blobsOf({ entry, files }: NewVersion): readonly string[] {
  return [entry.digest, ...files.map((file) => file.sha256)]
}

/**
 * Whether the edit unshares or unpublishes the skill. Its earlier versions can then no longer be downloaded, even if
 * the skill is shared again.
 */
function isUnshared({ custom, flags }: SkillEdit): boolean {
  if (custom !== undefined) return !custom?.shareable
  return flags?.shareable === false
}
