// Tells the workspace of a thread's newest state and of what its runs used, again until it was heard; and the catalog,
// once, which skills those were.

import { redact } from '../../lib/redact.ts'
import type { Core } from '../core.ts'
import { threadInfo } from './info.ts'
import { recordOf, type Run } from '../rows/run.ts'
import { markTold, untold } from './untold.ts'

/** True when nothing is left to tell. Never throws: the alarm tries again. */
export async function tellWorkspace(core: Core): Promise<boolean> {
  try {
    const { workspace, owner } = core.row.data
    const { changes } = core.row
    const { sql } = core.ctx.storage
    const record = { owner, info: threadInfo(core) }
    const api = core.out.workspace(workspace)
    for (const run of untold(sql)) {
      const heard = await api.record(record, recordOf(run))
      if (!heard.ok) return false
      if (markTold(sql, run.id)) core.ctx.waitUntil(countUses(core, run))
      // A run may have begun meanwhile: only what was told is marked as told.
      if (core.row.changes === changes) core.row.markListed()
    }
    if (untold(sql).length > 0) return false
    if (core.row.listed) return true
    const heard = await api.record(record, null)
    if (heard.ok && core.row.changes === changes) core.row.markListed()
    return heard.ok
  } catch {
    return false
  }
}

/**
 * A run that ended before the model was asked used nothing: else whoever may chat could count for free. Behind the mark
 * that the run was told of, which is on disk before this call leaves: a crash in between, or a catalog that is away,
 * loses one count, and none is made twice. Never throws.
 */
async function countUses(core: Core, run: Run): Promise<void> {
  if (run.modelCalls === 0) return
  try {
    const names = new Set(core.loads.of(run.id).map(({ name }) => name))
    const { workspace, owner } = core.row.data
    if (names.size > 0) await core.out.countUses(workspace, run.build, [...names], owner)
  } catch (error) {
    console.warn(JSON.stringify({ at: 'thread.uses', error: redact(String(error)) }))
  }
}
