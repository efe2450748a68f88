// What a thread says of itself.

import { rfc3339 } from '../../lib/clock.ts'
import type { ThreadInfo } from '../api.ts'
import type { Parts } from '../parts.ts'

export function threadInfo({ row, runs }: Parts<'row' | 'runs'>): ThreadInfo {
  const { data } = row
  return {
    id: data.id,
    title: data.title,
    user: data.user,
    status: runs.busy ? 'busy' : 'idle',
    created_at: rfc3339(data.createdAt),
    updated_at: rfc3339(data.updatedAt),
    model: data.model,
    catalog_version: data.catalogVersion,
    usage: data.usage,
    charged: runs.charged(),
    metadata: data.metadata,
  }
}
