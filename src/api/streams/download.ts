// Sends files from third parties, with cache validators and with headers that keep browsers from running them.

import { fromUtf8 } from '../../lib/bytes.ts'
import type { Opened } from '../../skills/store/store.ts'
import type { HttpContext } from '../route/route.ts'

/** The ETag and Cache-Control headers. */
export function validators(tag: string, cache: string): Record<string, string> {
  return { ETag: `"${tag}"`, 'Cache-Control': cache }
}

/** Whether the client already has the version with this tag. */
export function isKnown(c: HttpContext, tag: string): boolean {
  const knownTags = (c.req.header('If-None-Match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  return knownTags.includes(`"${tag}"`) || knownTags.includes('*')
}

export function notModified(tag: string, cache: string): Response {
  return new Response(null, { status: 304, headers: validators(tag, cache) })
}

/** The media type of a skill's file, which is never one that browsers run. Streams are not inspected and count as bytes. */
export function skillFileType(bytes: Opened): string {
  return bytes instanceof Uint8Array && !bytes.includes(0) && fromUtf8(bytes) !== null
    ? 'text/plain; charset=utf-8'
    : 'application/octet-stream'
}

/** Headers that keep browsers from guessing another media type and from running scripts. */
const NO_EXECUTION_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}

/** A response that browsers save as a file. Unusual characters are replaced in `name`. */
export function download(
  bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  type: string,
  name: string,
  headers: Record<string, string>,
): Response {
  return new Response(bytes, {
    headers: {
      ...headers,
      ...NO_EXECUTION_HEADERS,
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${asciiName(name)}"`,
    },
  })
}

function asciiName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '')
  return safe === '' ? 'file' : safe
}

/** The types that browsers may display. Bitmap images cannot contain scripts; all other files are only saved. */
const INLINE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Headers for a thread's file with its original name and media type. It is never run by browsers or cached publicly. */
export function fileHeaders(name: string, type: string, sha256: string): Record<string, string> {
  // RFC 8187 allows fewer characters than encodeURIComponent leaves unescaped.
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return {
    ...validators(sha256, 'private, no-cache'),
    ...NO_EXECUTION_HEADERS,
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'Content-Disposition': `${INLINE_TYPES.has(type) ? 'inline' : 'attachment'}; filename="${asciiName(name)}"; filename*=UTF-8''${encoded}`,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Accept-Ranges': 'bytes',
  }
}
