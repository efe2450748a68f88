// The admin routes of MCP servers. Their handlers are loaded with the first request, because most deployments use
// none.

import { limitCatalogRead } from '../admission/queues.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { route, type KeyedRoute } from '../route/route.ts'
import { toolDiff } from '../tools/diff.ts'
import type * as handlers from './mcp-handlers.ts'
import {
  entryHistory,
  entryVersion,
  entryVersions,
  patchEntry,
  removeEntry,
  rollbackEntry,
} from '../tools/entry-changes.ts'

type Handle = KeyedRoute['handle']
type Handlers = typeof handlers

function late(choose: (handlers: Handlers) => Handle): Handle {
  return async (c, caller) => choose(await import('./mcp-handlers.ts'))(c, caller)
}

const list = late(({ listServers }) => listServers)
const show = late(({ showServer }) => showServer)
const put = late(({ putServer }) => putServer)
const refresh = late(({ refreshServer }) => refreshServer)
const approve = late(({ approveServer }) => approveServer)
const test = late(({ testServer }) => testServer)

export const adminMcpRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/mcp', limitCatalogRead(list), PAGE_QUERY),
  route('admin', 'GET', '/admin/mcp/:server', limitCatalogRead(show)),
  route('admin', 'PUT', '/admin/mcp/:server', put, ['dry_run', 'note']),
  route('admin', 'PATCH', '/admin/mcp/:server', patchEntry, ['dry_run']),
  route('admin', 'DELETE', '/admin/mcp/:server', removeEntry, ['dry_run']),
  route('admin', 'POST', '/admin/mcp/:server/refresh', refresh),
  route('admin', 'POST', '/admin/mcp/:server/approve', approve, ['dry_run']),
  route('admin', 'POST', '/admin/mcp/:server/test', test),
  route('admin', 'POST', '/admin/mcp/:server/rollback', rollbackEntry, ['dry_run']),
  route('admin', 'GET', '/admin/mcp/:server/versions', limitCatalogRead(entryVersions), PAGE_QUERY),
  route('admin', 'GET', '/admin/mcp/:server/versions/:digest', limitCatalogRead(entryVersion)),
  route('admin', 'GET', '/admin/mcp/:server/history', limitCatalogRead(entryHistory), PAGE_QUERY),
  route('admin', 'GET', '/admin/mcp/:server/diff', limitCatalogRead(toolDiff), ['from', 'to']),
]
