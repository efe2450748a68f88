// The only way to send requests that models and settings choose. Checks each hop, follows redirects itself,
// and limits time and bytes. Adds only `User-Agent`, stores no cookies, and never throws.

import { err, ok, type Result } from '../lib/result.ts'
import { URL_QUOTE_MAX_CHARS } from '../limits/net.ts'
import type {
  ArrivingResponse,
  FetchFailure,
  FetchTerms,
  GuardedFetch,
  GuardedStream,
  Outgoing,
} from './fetch.ts'
import { judgeUrl, type GuardPolicy, type NetworkZone } from './guard.ts'
import { whyNotSendable, nextHop } from './hop.ts'
import { bodyReader, readBody } from './read-body.ts'

export interface FetchPorts {
  /** Called for each request, because the lists may change. The failure is a message for the model. */
  policy(): Promise<Result<GuardPolicy, string>>
  /**
   * `private` can reach hosts that the operator listed; `public` reaches only public addresses, where that
   * can be checked.
   */
  readonly fetch: Readonly<Record<NetworkZone, typeof globalThis.fetch>>
  readonly userAgent: string
}

/** Thrown if a wait ends because of the timeout or because the call was stopped. */
class WaitEnded extends Error {}

export function guardedFetch(ports: FetchPorts): GuardedFetch {
  const stream = guardedStream(ports)
  return async (request, terms) =>
    stream(request, terms, async ({ status, url, headers, ...body }) => {
      const { bytes, cut } = await readBody(body, terms.maxBytes)
      return { status, url, headers, body: bytes, cut }
    })
}

export function guardedStream(ports: FetchPorts): GuardedStream {
  return async (request, terms, use) => {
    const progress = { sent: false, url: request.url }
    const failure: ToFailure = (code, why) =>
      err({ code, detail: `${quoted(progress.url, terms.mask)} ${why}.`, sent: progress.sent })
    if (terms.signal.aborted) return failure('stopped', 'was not fetched: the call was stopped')
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), terms.timeoutMs)
    const signal = AbortSignal.any([terms.signal, timeout.signal])
    const ended = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new WaitEnded()), { once: true }),
    )
    ended.catch(() => undefined) // Only the waiting code handles the rejection.
    const wait = <T>(work: Promise<T>): Promise<T> => Promise.race([work, ended])
    try {
      const arrived = await followHops(ports, request, { ...terms, signal }, wait, progress, failure)
      if (!arrived.ok) return arrived
      const { response, url } = arrived.value
      const body = bodyReader(response.body, terms.maxBytes, wait)
      try {
        return ok(await wait(use({ ...headOf(response, url), read: body.read, isCut: body.isCut })))
      } finally {
        body.close()
      }
    } catch {
      if (terms.signal.aborted) return failure('stopped', 'was not fetched completely: the call was stopped')
      if (timeout.signal.aborted)
        return failure('timeout', `did not respond completely within ${terms.timeoutMs / 1000} s`)
      return failure(
        'unreachable',
        'cannot be reached, or the connection was interrupted: the host does not exist, has no public address, refuses connections, or has a TLS certificate that is not trusted',
      )
    } finally {
      clearTimeout(timer)
    }
  }
}

interface Progress {
  sent: boolean
  /** The address of the current hop, which an error message names. */
  url: string
}

type ToFailure = (code: FetchFailure['code'], why: string) => Result<never, FetchFailure>

async function followHops(
  ports: FetchPorts,
  originalRequest: Outgoing,
  terms: FetchTerms,
  wait: <T>(work: Promise<T>) => Promise<T>,
  progress: Progress,
  failure: ToFailure,
): Promise<Result<{ readonly response: Response; readonly url: URL }, FetchFailure>> {
  const policy = await wait(ports.policy())
  if (!policy.ok) return failure('unreachable', `was not fetched: ${policy.error}`)
  let request = originalRequest
  let previousZone: NetworkZone = 'private'
  for (let redirectCount = 0; ; redirectCount += 1) {
    progress.url = request.url
    if (!URL.canParse(request.url)) return failure('bad_url', 'is not an absolute web address')
    const url = new URL(request.url)
    const zone = judgeUrl(url, policy.value)
    if (!zone.ok) return failure('not_allowed', zone.error)
    if (redirectCount > 0 && terms.mayRedirect && !terms.mayRedirect(url))
      return failure(
        'not_allowed',
        'is the target of a redirect that this call may not follow: request the address directly',
      )
    if (redirectCount > 0 && zone.value === 'private' && previousZone === 'public')
      return failure(
        'not_allowed',
        'is not public, but a public host redirects to it: request the address directly',
      )
    if (zone.value === 'private' && url.origin !== (terms.privateOrigin ?? url.origin))
      return failure('not_allowed', 'is a private host, named by a server on another origin')
    previousZone = zone.value
    const sendProblem = whyNotSendable(request)
    if (sendProblem !== null) return failure('not_allowed', sendProblem)
    const response = await wait(send(ports, zone.value, url, request, terms.signal, progress))
    const next = nextHop(request, url, response)
    if (next.kind === 'answer') return ok({ response, url })
    response.body?.cancel().catch(() => undefined)
    if (next.kind === 'refused') return failure('redirects', next.why)
    if (redirectCount >= terms.maxRedirects)
      return failure(
        'redirects',
        redirectCount === 0
          ? `redirects to ${quoted(next.request.url, terms.mask)}, but this call does not follow redirects`
          : `redirects again, but at most ${terms.maxRedirects} redirects are followed`,
      )
    request = next.request
  }
}

function send(
  ports: FetchPorts,
  zone: NetworkZone,
  url: URL,
  request: Outgoing,
  signal: AbortSignal,
  progress: Progress,
): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('User-Agent', ports.userAgent)
  const { method, body } = request
  const init: RequestInit = { method, headers, body, redirect: 'manual', signal }
  url.hash = ''
  progress.sent = true
  const response = ports.fetch[zone](url.href, init)
  // A response that arrives late may no longer have a reader, so it is cancelled.
  response
    .then(async (lateResponse) => (signal.aborted ? lateResponse.body?.cancel() : undefined))
    .catch(() => undefined)
  return response
}

/** Headers that describe the transferred bytes and not the decoded body, and cookies. */
const TRANSFER_HEADERS = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'set-cookie',
])

/** Encodings that the runtime has already decoded. */
const DECODED_ENCODING = /^\s*(?:x-)?(?:gzip|br)\s*$/i

function headOf(response: Response, url: URL): Pick<ArrivingResponse, 'status' | 'url' | 'headers'> {
  const headers = [...response.headers].filter(
    ([name, value]) =>
      !TRANSFER_HEADERS.has(name) && !(name === 'content-encoding' && DECODED_ENCODING.test(value)),
  )
  return { status: response.status, url: url.href, headers: Object.fromEntries(headers) }
}

function quoted(address: string, mask: FetchTerms['mask']): string {
  const url = mask ? mask(address) : address
  const shortUrl = url.length > URL_QUOTE_MAX_CHARS ? `${url.slice(0, URL_QUOTE_MAX_CHARS)} …` : url
  // An address is never quoted with its user name or password.
  return shortUrl.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/?#]*@/i, '$1')
}
