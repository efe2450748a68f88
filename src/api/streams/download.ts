// Sends bytes from others: cache validators, and headers that keep a browser from rendering them as a page.

import { fromUtf8 } from '../../lib/bytes.ts'
import type { Opened } from '../../skills/store/store.ts'
import type { HttpContext } from '../route/route.ts'

/** Headers for bytes with this tag; `cache` is their Cache-Control. */
export function validators(tag: string, cache: string): Record<string, string> {
  return { ETag: `"${tag}"`, 'Cache-Control': cache }
}

/** True if the client has the version of this tag. */
export function isKnown(c: HttpContext, tag: string): boolean {
  const known = (c.req.header('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(`"${tag}"`) || known.includes('*')
}

export function notModified(tag: string, cache: string): Response {
  return new Response(null, { status: 304, headers: validators(tag, cache) })
}

/** The media type of a skill's file: never one that a browser runs. The end of a stream is unknown. */
export function openedType(bytes: Opened): string {
  return bytes instanceof Uint8Array && !bytes.includes(0) && fromUtf8(bytes) !== null
    ? 'text/plain; charset=utf-8'
    : 'application/octet-stream'
}

/** Keeps a browser from sniffing or rendering the bytes. */
const HARMLESS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}

/** `name`: the file name for the browser. Unusual characters are removed. */
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

/** Bitmap images cannot run anything. Everything else is saved, not shown. */
const SHOWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Headers for a thread's file with its own name and media type: never run, never cached publicly. */
export function fileHeaders(name: string, type: string, sha256: string): Record<string, string> {
  // RFC 8187 allows fewer characters than encodeURIComponent.
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
