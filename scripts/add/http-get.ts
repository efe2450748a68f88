// Sends one GET request with Node's own HTTP client, because the built-in fetch throws an uncatchable error
// when a server closes the connection before all data is read. web.ts follows redirects and applies limits.

import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** The addresses that the host name resolves to; null to ask the resolver. */
  readonly addresses: readonly string[] | null
}

/** The parts of a response that are used here, so that a `Response` can be passed as well. */
export interface ResponseLike {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Rejects when the connection closes before the announced length. */
  readonly body: AsyncIterable<Uint8Array> | null
}

/** Rejects if there is no response. The signal closes the connection, even while the body is being read. */
export async function httpGet(
  url: string,
  { headers, signal, addresses }: HttpRequest,
): Promise<ResponseLike> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    // Archives are already compressed, and digests are those of the bytes as stored.
    const clientRequest = request(url, {
      signal,
      headers: { 'Accept-Encoding': 'identity', ...headers },
      ...(addresses ? { lookup: fixedLookup(addresses) } : {}),
    })
    clientRequest.on('response', resolve)
    clientRequest.on('error', reject)
    clientRequest.end()
  })
  // An unread body is cut off at the end, which is not an error.
  message.on('error', () => {})
  return {
    status: message.statusCode ?? 0,
    headers: {
      get(name) {
        const value = message.headers[name.toLowerCase()]
        return value === undefined ? null : String(value)
      },
    },
    body: message,
  }
}

/** A lookup function that always returns `addresses`. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (host, options, done) => {
    const [first] = all
    if (!first) done(new Error(`no address is known for ${host}`), '', 0)
    else if (options.all) done(null, all)
    else done(null, first.address, first.family)
  }
}
