// Downloads for skills:add, with limits on size, time and redirects. Sends the token only to the host that
// the user named, and follows no redirect into a private network.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { ADD_REDIRECTS_MAX, ADD_SILENCE_MS, ADD_TOTAL_MS } from './limits.ts'
import type { ResponseLike, HttpRequest } from './http-get.ts'
import { publicAddresses, type Lookup } from './public-addresses.ts'
import { withoutSecrets } from './source.ts'

export interface WebDeps {
  /** Sends one request, and follows no redirect. */
  fetch(url: string, request: HttpRequest): Promise<ResponseLike>
  readonly lookup: Lookup
  /** The address that the user named. Only its host may be in a private network. */
  readonly named: string
  /** Sent only to the origin of `named`. */
  readonly token?: string | undefined
}

export interface WebFailure {
  /** The HTTP status, or null if there was no usable response. */
  readonly status: number | null
  readonly detail: string
  /** The connection broke; a retry may succeed. */
  readonly broken?: boolean
}

export interface WebDownload {
  /** The final address after redirects. */
  readonly url: string
  /** The media type of the response in lower case, without parameters; '' if it is missing. */
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Receives a body in chunks. */
type Sink = (chunk: Uint8Array) => Promise<void>
/** Opens an empty sink for a body. A retry after a broken connection opens another one. */
type OpenSink = () => Promise<Sink>

export class Web {
  readonly #deps: WebDeps
  readonly #named: URL

  constructor(deps: WebDeps) {
    this.#deps = deps
    this.#named = new URL(deps.named)
  }

  /** Downloads the entire body into memory. */
  async bytes(url: string, maxBytes: number): Promise<Result<WebDownload, WebFailure>> {
    let chunks: Uint8Array[] = []
    const done = await this.stream(url, maxBytes, async () => {
      chunks = []
      return async (chunk) => void chunks.push(chunk)
    })
    return done.ok ? ok({ ...done.value, bytes: new Uint8Array(Buffer.concat(chunks)) }) : done
  }

  /**
   * Passes the body on as it arrives, and retries once if the connection breaks. Data passed on before a
   * failure must be discarded.
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
    const totalTimer = setTimeout(() => stop.abort(new Error('the download took too long')), ADD_TOTAL_MS)
    let silenceTimer: NodeJS.Timeout | undefined
    const restartSilenceTimer = (): void => {
      clearTimeout(silenceTimer)
      silenceTimer = setTimeout(
        () => stop.abort(new Error('the server stopped sending data')),
        ADD_SILENCE_MS,
      )
    }
    restartSilenceTimer()
    try {
      const opened = await this.#open(url, stop.signal)
      if (!opened.ok) return opened
      const { response, at } = opened.value
      let bytes = 0
      for await (const chunk of response.body ?? []) {
        restartSilenceTimer()
        bytes += chunk.length
        if (bytes > maxBytes)
          return failed(response.status, `${shown(at)} has more than ${maxBytes} bytes, the limit.`)
        await sink(chunk)
      }
      const type = (response.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      return ok({ url: at.href, type })
    } catch (error) {
      const { aborted } = stop.signal
      const why = reasonOf(aborted ? stop.signal.reason : error)
      return err({
        status: null,
        detail: `${withoutSecrets(url)} cannot be read: ${why}.`,
        broken: !aborted,
      })
    } finally {
      clearTimeout(totalTimer)
      clearTimeout(silenceTimer)
      stop.abort() // an unread body would keep its connection open
    }
  }

  async #open(
    from: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly response: ResponseLike; readonly at: URL }, WebFailure>> {
    let at = new URL(from)
    for (let hops = 0; hops <= ADD_REDIRECTS_MAX; hops++) {
      const allowed = await this.#resolveAllowed(at)
      if (!allowed.ok) return allowed
      const { token } = this.#deps
      // Without TLS, the token is sent only to this machine.
      const isSecure = at.protocol === 'https:' || at.hostname === '127.0.0.1'
      const sendsToken = token && isSecure && at.origin === this.#named.origin
      const response = await this.#deps.fetch(at.href, {
        signal,
        addresses: allowed.value,
        headers: {
          'User-Agent': 'satchel-skills-add',
          ...(sendsToken ? { Authorization: `Bearer ${token}` } : {}),
        },
      })
      const location = response.headers.get('Location')
      if (response.status < 300 || response.status >= 400 || location === null)
        return response.status >= 200 && response.status < 300
          ? ok({ response, at })
          : failed(response.status, explainStatus(at, response.status))
      if (!URL.canParse(location, at.href))
        return failed(null, `${shown(at)} redirects to an invalid address.`)
      const next = new URL(location, at)
      if (at.protocol === 'https:' && next.protocol === 'http:')
        return failed(
          null,
          `${shown(at)} redirects from https to http (${shown(next)}), which is not allowed.`,
        )
      at = next
    }
    return failed(null, `${withoutSecrets(from)} redirects more than ${ADD_REDIRECTS_MAX} times.`)
  }

  /**
   * The only addresses to connect to, because the name may resolve to others later; null for the named host.
   */
  async #resolveAllowed(at: URL): Promise<Result<readonly string[] | null, WebFailure>> {
    if (at.protocol !== 'http:' && at.protocol !== 'https:')
      return failed(null, `${at.protocol} addresses are not supported (${shown(at)}).`)
    if (at.username !== '' || at.password !== '')
      return failed(null, `The address on ${at.host} contains a password, which is not allowed.`)
    if (at.host === this.#named.host) return ok(null)
    const addresses = await publicAddresses(at.hostname, this.#deps.lookup)
    return addresses
      ? ok(addresses)
      : failed(
          null,
          `${this.#named.host} redirects to ${shown(at)} in a private network, which is not allowed. If you trust it, pass that address instead.`,
        )
  }
}

function explainStatus(at: URL, status: number): string {
  const hint = status === 404 ? ': it does not exist, or you may not see it' : ''
  return `${shown(at)} responded with status ${status}${hint}.`
}

/** The address to print, without credentials in its query. */
function shown(at: URL): string {
  return withoutSecrets(at.href)
}

function failed(status: number | null, detail: string): { readonly ok: false; readonly error: WebFailure } {
  return err({ status, detail })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}
