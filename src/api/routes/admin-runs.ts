// The routes for what happened in a workspace: runs that have ended, totals of what they used, and metrics.

import { PAGE_QUERY } from '../route/query.ts'
import { route, type KeyedRoute } from '../route/route.ts'

export const RUN_TEXT_FILTERS = ['thread', 'key', 'user', 'hook', 'model', 'skill'] as const
export const RUN_CHOICES = {
  status: ['completed', 'failed', 'cancelled'],
  rating: ['up', 'down'],
} as const

const RUN_QUERY = [...PAGE_QUERY, 'from', 'to', ...RUN_TEXT_FILTERS, ...Object.keys(RUN_CHOICES)]

const list: KeyedRoute['handle'] = async (...request) =>
  (await import('./run-handlers.ts')).replyWithRuns(...request)
const usage: KeyedRoute['handle'] = async (...request) =>
  (await import('./run-handlers.ts')).replyWithUsage(...request)

const metrics: KeyedRoute['handle'] = async (...request) =>
  (await import('./run-handlers.ts')).replyWithMetrics(...request)

export const adminRunRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/runs', list, RUN_QUERY),
  route('admin', 'GET', '/admin/usage', usage, ['from', 'to', 'by']),
  route('metrics', 'GET', '/admin/metrics', metrics),
]
