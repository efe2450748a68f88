// Decides which requests the audit records. Derived from the table of routes, so that a new route cannot be forgotten.

import type { KeyRole } from '../../lib/caller.ts'
import type { ApiRoute } from '../route/route.ts'

/**
 * Not recorded: what these routes store has no effect before another request, which is recorded; one of them only
 * resumes runs of a local server. The beginning and the end of a restore are recorded.
 */
const UNRECORDED: ReadonlySet<string> = new Set([
  'POST /admin/catalog/plan',
  'PUT /admin/blobs/:sha256',
  'POST /admin/runs/wake',
  'PUT /admin/restore/rows',
  'PUT /admin/restore/bytes/:name{.+}',
])

/**
 * Whether the audit records a request: everything except reads, on routes for admins or publishers; also exports and
 * backups, and deletions of threads.
 */
export function isAudited({ method, path, role }: ApiRoute): boolean {
  const name = `${method} ${path}`
  if (role === null || UNRECORDED.has(name)) return false
  if (method === 'GET') return /\/(?:export|backup)$/.test(path)
  return role !== 'chat' || name === 'DELETE /v1/threads/:t'
}

/** The same for a request of a caller with this role: admins can change the threads of others. */
export function isAuditedFor(caller: KeyRole, route: ApiRoute): boolean {
  if (isAudited(route)) return true
  return caller === 'admin' && route.method !== 'GET' && route.path.startsWith('/v1/threads/:t')
}
