// Pages of anybody may read what is for everybody: the headers under /.well-known/, on every answer there, also on failures.

import { PREFLIGHT_S } from '../limits.ts'

/** Sets them where the path is for everybody; answers there depend on no cookie and no key. */
export function openToPages(headers: Headers, method: string, path: string): void {
  if (!path.startsWith('/.well-known/')) return
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id')
  if (method !== 'OPTIONS') return
  headers.set('Access-Control-Allow-Methods', 'GET, HEAD')
  headers.set('Access-Control-Allow-Headers', 'If-None-Match')
  headers.set('Access-Control-Max-Age', String(PREFLIGHT_S))
}
