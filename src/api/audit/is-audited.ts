// Decides which requests the audit records. Derived from the table of routes, so that a new route cannot be forgotten.

import type { ApiRoute } from '../route/route.ts'

/**
 * What these store, nobody can see or use before a request that is recorded; one only resumes a local server's runs. The beginning
 * and the end of a restore are recorded.
 */
const UNRECORDED: ReadonlySet<string> = new Set([
  'POST /admin/catalog/plan',
  'PUT /admin/blobs/:sha256',
  'POST /admin/runs/wake',
  'PUT /admin/restore/rows',
  'PUT /admin/restore/bytes/:name{.+}',
])

/** Everything but reading with a route for admins or publishers, exports, and deletions of threads. */
export function isAudited({ method, path, role }: ApiRoute): boolean {
  const name = `${method} ${path}`
  if (role === null || UNRECORDED.has(name)) return false
  if (method === 'GET') return /\/(?:export|backup)$/.test(path)
  return role !== 'chat' || name === 'DELETE /v1/threads/:t'
}
