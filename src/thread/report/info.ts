// What a thread says of itself.

import { rfc3339 } from '../../lib/clock.ts'
import type { ThreadInfo } from '../api.ts'
import { chargedInAll } from '../drive/charge.ts'
import type { Core } from '../core.ts'

export function threadInfo(core: Core): ThreadInfo {
  const thread = core.row.data
  return {
    id: thread.id,
    title: thread.title,
    user: thread.user,
    status: core.runs.running() || core.runs.queued() > 0 ? 'busy' : 'idle',
    created_at: rfc3339(thread.createdAt),
    updated_at: rfc3339(thread.updatedAt),
    model: thread.model,
    catalog_version: thread.catalogVersion,
    usage: thread.usage,
    charged: chargedInAll(core.ctx.storage.sql),
    metadata: thread.metadata,
  }
}
