// The class URL with the host's parser, and the module node:url.

import { path } from './library/path.ts'

import { coded } from './base/errors.ts'
import { failure, tried } from './base/host.ts'
import { attachParams, URLSearchParams } from './url-params.ts'

interface Parts {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}
type Settable = Exclude<keyof Parts, 'origin'>

function parsed(href: string, base?: string): Parts | null {
  const text = tried('url', href, base)
  // The cast is safe: the host created this JSON.
  return text === null ? null : (JSON.parse(String(text)) as Parts)
}

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

export class URL {
  #parts: Parts
  readonly #params = new URLSearchParams()

  constructor(href: unknown, base?: unknown) {
    const parts = parsed(String(href), base === undefined ? undefined : String(base))
    if (!parts) {
      // Hide this code from the stack, as Node does.
      const error = Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' })
      throw Object.assign(error, { input: String(href) }, base === undefined ? {} : { base: String(base) })
    }
    this.#parts = parts
    this.#follow()
  }

  #follow(): void {
    attachParams(this.#params, this.#parts.search, () => {
      const search = this.#params.toString()
      this.#set('search', search, false)
    })
  }

  #set(part: Settable, value: unknown, follow = true): void {
    const text = tried('urlSet', this.#parts.href, part, String(value))
    if (text === null) throw coded(new TypeError(failure().message), 'ERR_INVALID_URL')
    // The cast is safe: the host created this JSON.
    this.#parts = JSON.parse(String(text)) as Parts
    if (follow) this.#follow()
  }

  static canParse(href: unknown, base?: unknown): boolean {
    return parsed(String(href), base === undefined ? undefined : String(base)) !== null
  }

  static parse(href: unknown, base?: unknown): URL | null {
    return URL.canParse(href, base) ? new URL(href, base) : null
  }

  get searchParams(): URLSearchParams {
    return this.#params
  }

  get origin(): string {
    return this.#parts.origin
  }

  toString(): string {
    return this.#parts.href
  }

  toJSON(): string {
    return this.#parts.href
  }

  static part(url: URL, part: Settable): string {
    return url.#parts[part]
  }

  static change(url: URL, part: Settable, value: unknown): void {
    url.#set(part, value)
  }

  [inspectSymbol](
    _depth: unknown,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    // In Node's order, which the host's result has, too.
    const { hash, ...parts } = this.#parts
    return `URL ${inspect({ ...parts, searchParams: this.#params, hash }, options)}`
  }
}

const SETTABLE: readonly Settable[] = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
]
const { part, change } = URL
for (const name of SETTABLE)
  Object.defineProperty(URL.prototype, name, {
    get(this: URL) {
      return part(this, name)
    },
    set(this: URL, value: unknown) {
      change(this, name, value)
    },
    enumerable: true,
    configurable: true,
  })
for (const helper of ['part', 'change']) Reflect.deleteProperty(URL, helper)
export function fileURLToPath(url: unknown): string {
  const parsedUrl = url instanceof URL ? url : new URL(url)
  const { protocol, pathname } = parsedUrl as unknown as Parts
  if (protocol !== 'file:')
    throw coded(new TypeError('The URL must be of scheme file'), 'ERR_INVALID_URL_SCHEME')
  return decodeURIComponent(pathname)
}

export function pathToFileURL(name: string): URL {
  const whole = path.resolve(name) + (name.endsWith('/') && name !== '/' ? '/' : '')
  return new URL(`file://${whole.replace(/[%\\\n\r\t?#]/g, (character) => encodeURIComponent(character))}`)
}

/** Schemes that `url.parse` treats specially, with and without their colon. */
const schemes = (names: string): Set<string> =>
  new Set(names.split(' ').flatMap((name) => [name, `${name}:`]))

const asciiHost = (domain: string): string => parsed(`http://${domain}`)?.hostname ?? ''

/** Modules that Node's own `url` module requires. Its legacy functions are used unchanged. */
export const internalUrl = {
  unsafeProtocol: schemes('javascript'),
  hostlessProtocol: schemes('javascript'),
  slashedProtocol: schemes('http https ftp gopher file ws wss'),
  URL,
  URLSearchParams,
  isURL: (value: unknown) => value instanceof URL,
  domainToASCII: asciiHost,
  domainToUnicode: asciiHost,
  fileURLToPath,
  fileURLToPathBuffer: (url: unknown) => globalThis.Buffer.from(fileURLToPath(url)),
  pathToFileURL,
  toPathIfFileURL: (value: unknown) => (value instanceof URL ? fileURLToPath(value) : value),
  urlToHttpOptions: (url: URL) => {
    const { protocol, hostname, hash, search, pathname, href, port, username, password } =
      url as unknown as Parts
    return Object.assign(Object.create(null) as object, {
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      hash,
      search,
      pathname,
      path: pathname + search,
      href,
      ...(port === '' ? {} : { port: Number(port) }),
      ...(username || password
        ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }
        : {}),
    })
  },
}
