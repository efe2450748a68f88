// The routes for the actions of admins and publishers, and for failed sign-ins.

import { PAGE_QUERY } from '../route/query.ts'
import { route, type KeyedRoute } from '../route/route.ts'

export const AUDIT_TEXT_FILTERS = ['actor', 'action', 'target'] as const

const list: KeyedRoute['handle'] = async (...request) =>
  (await import('./audit-handlers.ts')).replyWithAudit(...request)
const failedSignIns: KeyedRoute['handle'] = async (...request) =>
  (await import('./audit-handlers.ts')).replyWithFailedSignIns(...request)

export const adminAuditRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/audit', list, [...PAGE_QUERY, 'from', 'to', ...AUDIT_TEXT_FILTERS]),
  route('admin', 'GET', '/admin/audit/sign-ins', failedSignIns, PAGE_QUERY),
]
