// Tells the workspace of a thread's newest state and of what its runs used. Told again until it was heard.

import type { Core } from './core.ts'
import { threadInfo } from './info.ts'

/** True when nothing is left to tell. Never throws: the alarm tries again. */
export async function tellWorkspace(core: Core): Promise<boolean> {
  try {
    const { workspace, owner, updatedAt } = core.row.data
    const record = { owner, info: threadInfo(core) }
    const api = core.out.workspace(workspace)
    for (const run of core.runs.unrecorded()) {
      const heard = await api.record(record, { id: run.id, usage: run.usage })
      if (!heard.ok) return false
      core.runs.recorded(run.id)
      // A run may have begun meanwhile: only what was told is marked as told.
      if (core.row.data.updatedAt === updatedAt) core.row.markListed()
    }
    if (core.runs.unrecorded().length > 0) return false
    if (core.row.listed) return true
    const heard = await api.record(record, null)
    if (heard.ok && core.row.data.updatedAt === updatedAt) core.row.markListed()
    return heard.ok
  } catch {
    return false
  }
}
