// Writes a planned change into the rows: pointers, switches, versions, history. Inside the catalog's transaction only.

import { referToBlobs } from './blob-rows.ts'
import type { Change, Step } from './plans.ts'
import * as rows from './rows.ts'
import { forgetShared } from './shared-rows.ts'
import { insertHistory, insertVersion } from './version-rows.ts'

interface Made {
  /** RFC 3339. */
  readonly at: string
  readonly author: string
  /** The catalog version that this change makes. */
  readonly version: number
}

export function takeChange(sql: SqlStorage, change: Change, made: Made): void {
  for (const { skill, steps, action, also, note, before, after } of change.skills) {
    for (const step of steps) take(sql, step, made)
    const { at, author, version: catalog_version } = made
    insertHistory(sql, { at, action, also, name: skill, author, note, before, after, catalog_version })
  }
}

/** After unsharing or retiring, versions that were listed before are nobody's to fetch, also when it is shared again. */
function withdrawn(step: Step): string | null {
  if (step.kind === 'retire') return step.skill
  if (step.kind === 'share') return step.shareable ? null : step.skill
  if (step.kind === 'live') return step.custom.shareable ? null : step.custom.entry.name
  return null
}

function take(sql: SqlStorage, step: Step, { at, author }: Made): void {
  const gone = withdrawn(step)
  if (gone !== null) forgetShared(sql, gone, Date.parse(at))
  if (step.kind === 'retire') rows.removeLive(sql, step.skill)
  else if (step.kind === 'switch') rows.setSwitch(sql, step.skill, step.enabled, at)
  else if (step.kind === 'share') rows.setShare(sql, step.skill, step.shareable, at)
  else {
    if (step.version) {
      const { entry, files, findings, note } = step.version
      if (insertVersion(sql, entry, { author, note, at, findings }))
        referToBlobs(sql, [entry.digest, ...files.map((file) => file.sha256)])
    }
    rows.setLive(sql, step.custom)
  }
}
