// Downloads for skills:add, with limits on size, time and redirects. Sends the token only to the host that
// the user named, and follows no redirect into a private network.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { ADD_REDIRECTS_MAX, ADD_SILENCE_MAX_MS, ADD_DOWNLOAD_MAX_MS } from './limits.ts'
import type { ResponseLike, HttpRequest } from './http-get.ts'
import { resolvePublicAddresses, type Lookup } from './public-addresses.ts'
import { withoutSecrets } from './source.ts'

export interface WebDeps {
  /** Sends one request, and follows no redirect. */
  fetch(url: string, request: HttpRequest): Promise<ResponseLike>
  readonly lookup: Lookup
  /** The address that the user named. Only its host may be in a private network. */
  readonly namedUrl: string
  /** Sent only to the origin of `named`. */
  readonly token?: string | undefined
}

export interface WebFailure {
  /** The HTTP status, or null if there was no usable response. */
  readonly status: number | null
  readonly detail: string
  /** Whether the connection broke, so that a retry may succeed. */
  readonly isConnectionBroken?: boolean
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
  readonly #namedUrl: URL

  constructor(deps: WebDeps) {
    this.#deps = deps
    this.#namedUrl = new URL(deps.namedUrl)
  }

  /** Downloads the entire body into memory. */
  async bytes(url: string, maxBytes: number): Promise<Result<WebDownload, WebFailure>> {
    let chunks: Uint8Array[] = []
    const download = await this.stream(url, maxBytes, async () => {
      chunks = []
      return async (chunk) => void chunks.push(chunk)
    })
    return download.ok ? ok({ ...download.value, bytes: new Uint8Array(Buffer.concat(chunks)) }) : download
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
    const first = await this.#downloadOnce(url, maxBytes, await open())
    if (first.ok || first.error.isConnectionBroken !== true) return first
    const second = await this.#downloadOnce(url, maxBytes, await open())
    if (second.ok || second.error.isConnectionBroken !== true) return second
    return err({ ...second.error, detail: `${second.error.detail} It was tried twice.` })
  }

  async #downloadOnce(
    url: string,
    maxBytes: number,
    sink: Sink,
  ): Promise<Result<Omit<WebDownload, 'bytes'>, WebFailure>> {
    const abortController = new AbortController()
    const totalTimer = setTimeout(
      () => abortController.abort(new Error('the download took too long')),
      ADD_DOWNLOAD_MAX_MS,
    )
    let silenceTimer: NodeJS.Timeout | undefined
    const restartSilenceTimer = (): void => {
      clearTimeout(silenceTimer)
      silenceTimer = setTimeout(
        () => abortController.abort(new Error('the server stopped sending data')),
        ADD_SILENCE_MAX_MS,
      )
    }
    restartSilenceTimer()
    try {
      const opened = await this.#open(url, abortController.signal)
      if (!opened.ok) return opened
      const { response, at: finalUrl } = opened.value
      let bytes = 0
      for await (const chunk of response.body ?? []) {
        restartSilenceTimer()
        bytes += chunk.length
        if (bytes > maxBytes)
          return webFailure(
            response.status,
            `${printableUrl(finalUrl)} has more than ${maxBytes} bytes, the limit.`,
          )
        await sink(chunk)
      }
      const type = (response.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      return ok({ url: finalUrl.href, type })
    } catch (error) {
      const { aborted } = abortController.signal
      const reason = reasonOf(aborted ? abortController.signal.reason : error)
      return err({
        status: null,
        detail: `${withoutSecrets(url)} cannot be read: ${reason}.`,
        isConnectionBroken: !aborted,
      })
    } finally {
      clearTimeout(totalTimer)
      clearTimeout(silenceTimer)
      abortController.abort() // an unread body would keep its connection open
    }
  }

  async #open(
    from: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly response: ResponseLike; readonly at: URL }, WebFailure>> {
    let currentUrl = new URL(from)
    for (let hops = 0; hops <= ADD_REDIRECTS_MAX; hops++) {
      const allowedAddresses = await this.#resolveAllowed(currentUrl)
      if (!allowedAddresses.ok) return allowedAddresses
      const { token } = this.#deps
      // Without TLS, the token is sent only to this machine.
      const isSecure = currentUrl.protocol === 'https:' || currentUrl.hostname === '127.0.0.1'
      const sendsToken = token && isSecure && currentUrl.origin === this.#namedUrl.origin
      const response = await this.#deps.fetch(currentUrl.href, {
        signal,
        addresses: allowedAddresses.value,
        headers: {
          'User-Agent': 'satchel-skills-add',
          ...(sendsToken ? { Authorization: `Bearer ${token}` } : {}),
        },
      })
      const location = response.headers.get('Location')
      if (response.status < 300 || response.status >= 400 || location === null)
        return response.status >= 200 && response.status < 300
          ? ok({ response, at: currentUrl })
          : webFailure(response.status, explainStatus(currentUrl, response.status))
      if (!URL.canParse(location, currentUrl.href))
        return webFailure(null, `${printableUrl(currentUrl)} redirects to an invalid address.`)
      const nextUrl = new URL(location, currentUrl)
      if (currentUrl.protocol === 'https:' && nextUrl.protocol === 'http:')
        return webFailure(
          null,
          `${printableUrl(currentUrl)} redirects from https to http (${printableUrl(nextUrl)}), which is not allowed.`,
        )
      currentUrl = nextUrl
    }
    return webFailure(null, `${withoutSecrets(from)} redirects more than ${ADD_REDIRECTS_MAX} times.`)
  }

  /**
   * The only addresses to connect to, because the name may resolve to others later; null for the named host.
   */
  async #resolveAllowed(url: URL): Promise<Result<readonly string[] | null, WebFailure>> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return webFailure(null, `${url.protocol} addresses are not supported (${printableUrl(url)}).`)
    if (url.username !== '' || url.password !== '')
      return webFailure(
        null,
        `The URL for ${url.host} contains a user name or password, which is not allowed.`,
      )
    if (url.host === this.#namedUrl.host) return ok(null)
    const addresses = await resolvePublicAddresses(url.hostname, this.#deps.lookup)
    return addresses
      ? ok(addresses)
      : webFailure(
          null,
          `${this.#namedUrl.host} redirects to ${printableUrl(url)} in a private network, which is not allowed. If you trust it, pass that address instead.`,
        )
  }
}

function explainStatus(url: URL, status: number): string {
  const hint = status === 404 ? ': it does not exist, or you may not see it' : ''
  return `${printableUrl(url)} responded with status ${status}${hint}.`
}

/** The address to print, without credentials in its query. */
function printableUrl(url: URL): string {
  return withoutSecrets(url.href)
}

function webFailure(
  status: number | null,
  detail: string,
): { readonly ok: false; readonly error: WebFailure } {
  return err({ status, detail })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}
