// How a redirect changes a request (RFC 9110, 15.4, as in the Fetch standard), and which headers no request may have.
// Sends nothing.

import type { Outgoing } from './fetch.ts'

type NextHop =
  | { readonly kind: 'answer' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'hop'; readonly request: Outgoing }

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])
/**
 * Headers that determine the target or the length, or that turn the request into another protocol or request.
 */
const FORBIDDEN_HEADERS = new Set(
  (
    'host connection keep-alive content-length transfer-encoding te trailer upgrade expect via forwarded ' +
    'x-http-method x-http-method-override x-method-override x-original-url x-rewrite-url'
  ).split(' '),
)
/**
 * Headers that proxies and Cloudflare add to a request. Tokens of Cloudflare Access are ordinary credentials,
 * so they are allowed.
 */
const PROXY_HEADERS = /^(?:proxy-|x-forwarded-|x-real-ip$|cf-(?!access-client-)|sec-)/
const BODY_HEADERS = /^content-/i

/** Why this request cannot be sent, or null if it can. */
export function whyNotSendable({ headers, method, body }: Outgoing): string | null {
  for (const [name, value] of Object.entries(headers)) {
    const lowerName = name.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lowerName))
      return `was not fetched: "${name}" is not a valid header name`
    if (FORBIDDEN_HEADERS.has(lowerName) || PROXY_HEADERS.test(lowerName))
      return `was not fetched: the header ${lowerName} cannot be set`
    // Node accepts more characters than workerd; only those that both accept are sent.
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      return `was not fetched: the value of the header ${lowerName} has characters that are not allowed in headers`
  }
  return body !== null && (method === 'GET' || method === 'HEAD')
    ? `was not fetched: a ${method} request has no body`
    : null
}

/** Whether the response ends the request, redirects it to another hop, or has a redirect that is refused. */
export function nextHop(request: Outgoing, from: URL, response: Response): NextHop {
  const location = utf8(response.headers.get('location'))
  if (!REDIRECT_STATUSES.has(response.status) || location === null) return { kind: 'answer' }
  if (!URL.canParse(location, from.href))
    return { kind: 'refused', why: 'redirects to something that is not a valid address' }
  const target = new URL(location, from.href)
  const isReadMethod = request.method === 'GET' || request.method === 'HEAD'
  const becomesGet =
    (response.status === 303 && !isReadMethod) || (response.status < 303 && request.method === 'POST')
  const method = becomesGet ? 'GET' : request.method
  const isCrossOrigin = target.origin !== from.origin
  if (isCrossOrigin && method !== 'GET' && method !== 'HEAD')
    return {
      kind: 'refused',
      why: `redirects a ${method} request to ${target.host}, but its content may only be sent to the original host`,
    }
  const headers = Object.entries(request.headers).filter(([name]) =>
    isCrossOrigin ? name.toLowerCase() === 'accept' : !(becomesGet && BODY_HEADERS.test(name)),
  )
  return {
    kind: 'hop',
    request: {
      method,
      url: target.href,
      headers: Object.fromEntries(headers),
      body: becomesGet ? null : request.body,
    },
  }
}

/**
 * Decodes a header as UTF-8 if possible: many servers send UTF-8 without encoding it, which a runtime may
 * read as Latin-1.
 */
function utf8(header: string | null): string | null {
  const codes = Array.from(header ?? '', (character) => character.codePointAt(0) ?? 0)
  if (codes.every((code) => code < 0x80) || codes.some((code) => code > 0xff)) return header
  try {
    const bytes = Uint8Array.from(codes)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return header
  }
}
