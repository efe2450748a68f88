// One GET over Node's own HTTP client. The built-in fetch is not used here: it dies outside of any catch when a server
// closes while its reader is behind. Follows no redirect, bounds nothing: web.ts does.

import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** What the host's name is taken to mean; null: what the resolver says. */
  readonly addresses: readonly string[] | null
}

/** What is needed of an answer; a `Response` is one, too. */
export interface ResponseLike {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Rejects when the connection breaks before the length that was said. */
  readonly body: AsyncIterable<Uint8Array> | null
}

/** Rejects when there is no answer. The signal ends the connection, also while the body is read. */
export async function httpGet(
  url: string,
  { headers, signal, addresses }: HttpRequest,
): Promise<ResponseLike> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    // Archives are packed already, and digests are those of the bytes as they lie there.
    const asked = request(url, {
      signal,
      headers: { 'Accept-Encoding': 'identity', ...headers },
      ...(addresses ? { lookup: fixedTo(addresses) } : {}),
    })
    asked.on('response', resolve)
    asked.on('error', reject)
    asked.end()
  })
  // A body that nobody reads is cut off in the end; that is no error of anybody.
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

/** A resolver that knows nothing else. */
function fixedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (host, options, done) => {
    const [first] = all
    if (!first) done(new Error(`nobody knows an address of ${host}`), '', 0)
    else if (options.all) done(null, all)
    else done(null, first.address, first.family)
  }
}
