// URL and URLSearchParams by the parser of the host, and Node's module of that name.

import path from 'path-browserify'

import { coded } from './errors.ts'
import { failure, tried } from './host.ts'

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
  // The cast: the host's own words.
  return text === null ? null : (JSON.parse(String(text)) as Parts)
}

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

export class URLSearchParams {
  #pairs: [string, string][] = []
  #changed: (() => void) | null = null

  constructor(init: unknown = '') {
    if (typeof init === 'string') this.#pairs = pairsOf(init)
    else if (typeof init === 'object' && init !== null) {
      // The casts: any iterable of pairs, or a record.
      const pairs = Symbol.iterator in init ? [...(init as Iterable<Iterable<unknown>>)].map((pair) => [...pair]) : Object.entries(init)
      this.#pairs = pairs.map(([name, value]) => [String(name), String(value)])
    }
  }

  /** Whoever holds these is told when they change. */
  static attach(params: URLSearchParams, search: string, changed: () => void): void {
    params.#pairs = pairsOf(search)
    params.#changed = changed
  }

  get size(): number {
    return this.#pairs.length
  }

  append(name: unknown, value: unknown): void {
    this.#pairs.push([String(name), String(value)])
    this.#changed?.()
  }

  delete(name: unknown, value?: unknown): void {
    this.#pairs = this.#pairs.filter(([key, held]) => key !== String(name) || (value !== undefined && held !== String(value)))
    this.#changed?.()
  }

  get(name: unknown): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null
  }

  getAll(name: unknown): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value)
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some(([key, held]) => key === String(name) && (value === undefined || held === String(value)))
  }

  set(name: unknown, value: unknown): void {
    const first = this.#pairs.find(([key]) => key === String(name))
    if (!first) return this.append(name, value)
    first[1] = String(value)
    this.#pairs = this.#pairs.filter((pair) => pair === first || pair[0] !== String(name))
    this.#changed?.()
  }

  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#changed?.()
  }

  forEach(call: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this.#pairs) call.call(self, value, name, this)
  }

  *entries(): Generator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value]
  }

  *keys(): Generator<string> {
    for (const [name] of this.#pairs) yield name
  }

  *values(): Generator<string> {
    for (const [, value] of this.#pairs) yield value
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries()
  }

  toString(): string {
    return this.#pairs.map(([name, value]) => `${coderOf(name)}=${coderOf(value)}`).join('&')
  }

  [inspectSymbol](_depth: unknown, options: object, inspect: (value: unknown, options: object) => string): string {
    const pairs = this.#pairs.map(([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`)
    return pairs.length === 0 ? 'URLSearchParams {}' : `URLSearchParams { ${pairs.join(', ')} }`
  }
}

function pairsOf(search: string): [string, string][] {
  const text = search.startsWith('?') ? search.slice(1) : search
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [plain(part), ''] : [plain(part.slice(0, at)), plain(part.slice(at + 1))]
    })
}

function plain(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced.replace(/(?:%[\da-f]{2})+/gi, (part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return '\ufffd'
      }
    })
  }
}

function coderOf(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

export class URL {
  #parts: Parts
  readonly #params = new URLSearchParams()

  constructor(href: unknown, base?: unknown) {
    const parts = parsed(String(href), base === undefined ? undefined : String(base))
    if (!parts) {
      const error = coded(new TypeError('Invalid URL'), 'ERR_INVALID_URL')
      throw Object.assign(error, { input: String(href) }, base === undefined ? {} : { base: String(base) })
    }
    this.#parts = parts
    this.#follow()
  }

  #follow(): void {
    URLSearchParams.attach(this.#params, this.#parts.search, () => {
      const search = this.#params.toString()
      this.#set('search', search, false)
    })
  }

  #set(part: Settable, value: unknown, follow = true): void {
    const text = tried('urlSet', this.#parts.href, part, String(value))
    if (text === null) throw coded(new TypeError(failure().message), 'ERR_INVALID_URL')
    // The cast: the host's own words.
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

  [inspectSymbol](_depth: unknown, options: object, inspect: (value: unknown, options: object) => string): string {
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = this.#parts
    const shown = { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams: this.#params, hash }
    return `URL ${inspect(shown, options)}`
  }
}

const SETTABLE: readonly Settable[] = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']
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
const { attach } = URLSearchParams
Reflect.deleteProperty(URLSearchParams, 'attach')
// Kept for URL alone.
Object.defineProperty(URLSearchParams, 'attach', { value: attach, enumerable: false })

export function fileURLToPath(url: unknown): string {
  const parsedUrl = url instanceof URL ? url : new URL(url)
  const { protocol, pathname } = parsedUrl as unknown as Parts
  if (protocol !== 'file:') throw coded(new TypeError('The URL must be of scheme file'), 'ERR_INVALID_URL_SCHEME')
  return decodeURIComponent(pathname)
}

export function pathToFileURL(name: string): URL {
  const whole = path.resolve(name) + (name.endsWith('/') && name !== '/' ? '/' : '')
  return new URL(`file://${whole.replace(/[%\\\n\r\t?#]/g, (character) => encodeURIComponent(character))}`)
}

/** The module `url`; its old parser by the new one. */
export const urlModule = {
  URL,
  URLSearchParams,
  fileURLToPath,
  pathToFileURL,
  domainToASCII: (domain: string) => parsed(`http://${domain}`)?.hostname ?? '',
  domainToUnicode: (domain: string) => parsed(`http://${domain}`)?.hostname ?? '',
  format: (url: unknown) => (typeof url === 'object' && url !== null && 'href' in url ? String(url.href) : String(url)),
  resolve: (from: string, to: string) => {
    const url = new URL(to, new URL(from, 'resolve://'))
    return String(url).replace(/^resolve:\/\//, '')
  },
  parse: (text: string, query = false) => {
    const parts = parsed(text) ?? parsed(text, 'relative://')
    if (!parts) throw coded(new TypeError('Invalid URL'), 'ERR_INVALID_URL')
    const relative = parts.protocol === 'relative:'
    const search = parts.search === '' ? null : parts.search
    const bare = parts.search.slice(1)
    return {
      protocol: relative ? null : parts.protocol,
      slashes: relative ? null : true,
      auth: parts.username === '' ? null : `${parts.username}:${parts.password}`,
      host: relative ? null : parts.host,
      port: parts.port || null,
      hostname: relative ? null : parts.hostname,
      hash: parts.hash || null,
      search,
      query: query ? Object.fromEntries(new URLSearchParams(bare)) : search && bare,
      pathname: parts.pathname,
      path: parts.pathname + parts.search,
      href: relative ? text : parts.href,
    }
  },
}
