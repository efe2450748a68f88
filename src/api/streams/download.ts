// Bytes that others wrote, on their way out: validators, and what keeps a browser from showing them as a page.

import { fromUtf8 } from '../../lib/bytes.ts'
import type { Opened } from '../../skills/store/store.ts'
import type { HttpContext } from '../route/route.ts'

/** Headers for bytes under a tag; `cache` is their Cache-Control. */
export function validators(tag: string, cache: string): Record<string, string> {
  return { ETag: `"${tag}"`, 'Cache-Control': cache }
}

/** True when the client has what this tag names. */
export function isKnown(c: HttpContext, tag: string): boolean {
  const known = (c.req.header('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(`"${tag}"`) || known.includes('*')
}

export function notModified(tag: string, cache: string): Response {
  return new Response(null, { status: 304, headers: validators(tag, cache) })
}

/** What a file of a skill is sent as: never a type that a browser runs. Of a stream nobody has seen the end. */
export function openedType(bytes: Opened): string {
  return bytes instanceof Uint8Array && !bytes.includes(0) && fromUtf8(bytes) !== null
    ? 'text/plain; charset=utf-8'
    : 'application/octet-stream'
}

/** What keeps a browser from taking bytes for a page, or for anything else than their type says. */
const HARMLESS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}

/** `name`: what a browser may call the file; anything unusual in it is taken out. */
export function download(
  bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  type: string,
  name: string,
  headers: Record<string, string>,
): Response {
  return new Response(bytes, {
    headers: {
      ...headers,
      ...HARMLESS,
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${plainName(name)}"`,
    },
  })
}

function plainName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '')
  return safe === '' ? 'file' : safe
}

/** Pictures of points, which nothing in them makes run. All else is saved, not shown. */
const SHOWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Headers for a file of a thread under its own name and media type: never run, and never told to others. */
export function fileHeaders(name: string, type: string, sha256: string): Record<string, string> {
  // RFC 8187: what a URI leaves as it is, but for these.
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return {
    ...validators(sha256, 'private, no-cache'),
    ...HARMLESS,
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'Content-Disposition': `${SHOWN.has(type) ? 'inline' : 'attachment'}; filename="${plainName(name)}"; filename*=UTF-8''${encoded}`,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Accept-Ranges': 'bytes',
  }
}
