// Names actions by their routes. Pure.

import type { ApiRoute } from '../route/route.ts'

const VERBS = { GET: 'read', POST: 'create', PUT: 'put', PATCH: 'change', DELETE: 'delete' } as const

/**
 * The fixed segments of the path, followed by what the method does, unless a POST or GET ends with a verb:
 * `POST /admin/keys/:key/rotate` is `keys.rotate`, and `DELETE /admin/keys/:key` is `keys.delete`.
 */
export function actionOf({ method, path }: Pick<ApiRoute, 'method' | 'path'>): string {
  const [, , ...segments] = path.split('/')
  const fixed = segments.filter((segment) => !segment.startsWith(':'))
  const isVerb = (method === 'POST' || method === 'GET') && (fixed.length > 1 || fixed[0] === 'export')
  return [...fixed, ...(isVerb ? [] : [VERBS[method]])].join('.')
}

/** What the action changes: the first segment after /admin or /v1. */
export function resourceOf({ path }: Pick<ApiRoute, 'path'>): string {
  return path.split('/')[2] ?? ''
}
