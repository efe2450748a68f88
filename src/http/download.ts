// Bytes that others wrote, on their way out: validators, and what keeps a browser from showing them as a page.

import { fromUtf8 } from '../lib/bytes.ts'
import type { HttpContext } from './route.ts'

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

/** What a file of a skill is sent as: never a type that a browser runs. */
export function plainType(bytes: Uint8Array): string {
  return !bytes.includes(0) && fromUtf8(bytes) !== null
    ? 'text/plain; charset=utf-8'
    : 'application/octet-stream'
}

/** `name`: what a browser may call the file; anything unusual in it is taken out. */
export function download(
  bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  type: string,
  name: string,
  headers: Record<string, string>,
): Response {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '')
  return new Response(bytes, {
    headers: {
      ...headers,
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${safe === '' ? 'file' : safe}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
