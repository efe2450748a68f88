// Downloads for skills:add with limits on bytes, time and redirects. Sends credentials only to their own host, and
// follows no redirect into a private network.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { ADD_REDIRECTS_MAX, ADD_SILENCE_MS, ADD_TOTAL_MS } from './limits.ts'
import type { ResponseLike, HttpRequest } from './http-get.ts'
import { publicAddresses, type Lookup } from './public-addresses.ts'
import { withoutSecrets } from './source.ts'

export interface WebDeps {
  /** Follows no redirect. */
  fetch(url: string, question: HttpRequest): Promise<ResponseLike>
  readonly lookup: Lookup
  /** The address that the user named: only this one may be in a private network. */
  readonly named: string
  /** Sent only to the origin of `named`. */
  readonly token?: string | undefined
}

export interface WebFailure {
  /** Null: no usable response. */
  readonly status: number | null
  readonly detail: string
  /** The connection broke; a retry may succeed. */
  readonly broken?: boolean
}

export interface WebDownload {
  /** The final address after redirects. */
  readonly url: string
  /** The response's media type, lower case, without parameters; '' if missing. */
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Receives a body piece by piece. */
type Sink = (chunk: Uint8Array) => Promise<void>
/** Opens an empty target for a body: a retry after a broken connection opens another. */
type OpenSink = () => Promise<Sink>

export class Web {
  readonly #deps: WebDeps
  readonly #named: URL

  constructor(deps: WebDeps) {
    this.#deps = deps
    this.#named = new URL(deps.named)
  }

  /** The whole body in memory. */
  async bytes(url: string, maxBytes: number): Promise<Result<WebDownload, WebFailure>> {
    let chunks: Uint8Array[] = []
    const done = await this.stream(url, maxBytes, async () => {
      chunks = []
      return async (chunk) => void chunks.push(chunk)
    })
    return done.ok ? ok({ ...done.value, bytes: new Uint8Array(Buffer.concat(chunks)) }) : done
  }

  /**
   * Passes the body on as it arrives. Retries once if the connection breaks. Data passed on before a failure is
   * void.
   */
  async stream(
    url: string,
    maxBytes: number,
    open: OpenSink,
  ): Promise<Result<Omit<WebDownload, 'bytes'>, WebFailure>> {
    const first = await this.#once(url, maxBytes, await open())
    if (first.ok || first.error.broken !== true) return first
    const second = await this.#once(url, maxBytes, await open())
    if (second.ok || second.error.broken !== true) return second
    return err({ ...second.error, detail: `${second.error.detail} It was tried twice.` })
  }

  async #once(
    url: string,
    maxBytes: number,
    sink: Sink,
  ): Promise<Result<Omit<WebDownload, 'bytes'>, WebFailure>> {
    const stop = new AbortController()
    const total = setTimeout(() => stop.abort(new Error('it takes too long')), ADD_TOTAL_MS)
    let silence: NodeJS.Timeout | undefined
    const heard = (): void => {
      clearTimeout(silence)
      silence = setTimeout(() => stop.abort(new Error('it fell silent')), ADD_SILENCE_MS)
    }
    heard()
    try {
      const opened = await this.#open(url, stop.signal)
      if (!opened.ok) return opened
      const { response, at } = opened.value
      let bytes = 0
      for await (const chunk of response.body ?? []) {
        heard()
        bytes += chunk.length
        if (bytes > maxBytes)
          return failed(response.status, `${shown(at)} has more than ${maxBytes} bytes; that is refused.`)
        await sink(chunk)
      }
      const type = (response.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      return ok({ url: at.href, type })
    } catch (error) {
      const { aborted } = stop.signal
      const why = reason(aborted ? stop.signal.reason : error)
      return err({
        status: null,
        detail: `${withoutSecrets(url)} cannot be read: ${why}.`,
        broken: !aborted,
      })
    } finally {
      clearTimeout(total)
      clearTimeout(silence)
      stop.abort() // an unread body would keep its connection open
    }
  }

  async #open(
    from: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly response: ResponseLike; readonly at: URL }, WebFailure>> {
    let at = new URL(from)
    for (let hops = 0; hops <= ADD_REDIRECTS_MAX; hops++) {
      const allowed = await this.#allowed(at)
      if (!allowed.ok) return allowed
      const { token } = this.#deps
      // Without TLS a token goes no further than this machine.
      const safe = at.protocol === 'https:' || at.hostname === '127.0.0.1'
      const mine = token && safe && at.origin === this.#named.origin
      const response = await this.#deps.fetch(at.href, {
        signal,
        addresses: allowed.value,
        headers: {
          'User-Agent': 'satchel-skills-add',
          ...(mine ? { Authorization: `Bearer ${token}` } : {}),
        },
      })
      const location = response.headers.get('Location')
      if (response.status < 300 || response.status >= 400 || location === null)
        return response.status >= 200 && response.status < 300
          ? ok({ response, at })
          : failed(response.status, answered(at, response.status))
      if (!URL.canParse(location, at.href)) return failed(null, `${shown(at)} leads to what is no address.`)
      const next = new URL(location, at)
      if (at.protocol === 'https:' && next.protocol === 'http:')
        return failed(null, `${shown(at)} leads from https to http (${shown(next)}); that is refused.`)
      at = next
    }
    return failed(null, `${withoutSecrets(from)} leads on and on (more than ${ADD_REDIRECTS_MAX} redirects).`)
  }

  /** The addresses to connect to: the name may resolve to others later. Null: any address. */
  async #allowed(at: URL): Promise<Result<readonly string[] | null, WebFailure>> {
    if (at.protocol !== 'http:' && at.protocol !== 'https:')
      return failed(null, `${at.protocol} addresses are not fetched (${shown(at)}).`)
    if (at.username !== '' || at.password !== '')
      return failed(null, `${at.host} was written with a password; that is refused.`)
    if (at.host === this.#named.host) return ok(null)
    const addresses = await publicAddresses(at.hostname, this.#deps.lookup)
    return addresses
      ? ok(addresses)
      : failed(
          null,
          `${this.#named.host} leads to ${shown(at)}, in a private network; that is refused. Name it yourself if you mean it.`,
        )
  }
}

function answered(at: URL, status: number): string {
  const what = status === 404 ? ': there is nothing there, or it is not yours to see' : ''
  return `${shown(at)} answers ${status}${what}.`
}

/** A query may contain a key for this download. */
function shown(at: URL): string {
  return withoutSecrets(at.href)
}

function failed(status: number | null, detail: string): { readonly ok: false; readonly error: WebFailure } {
  return err({ status, detail })
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}
