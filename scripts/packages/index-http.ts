// Sends requests to a package index. Its address is a setting without a default. Responses are limited in size, and
// messages contain no credentials.

import { ok } from '../../src/lib/result.ts'
import { httpGet } from '../add/http-get.ts'
import {
  PACKAGE_INDEX_ANSWER_MAX_BYTES,
  PACKAGE_INDEX_REDIRECTS_MAX,
  PACKAGE_INDEX_TIMEOUT_MS,
  PACKAGE_ARCHIVE_MAX_BYTES,
} from './limits.ts'
import { problem, type PackageResult } from './problem.ts'

export interface IndexHttp {
  /** Reads JSON from this address; null if the index does not have it (404). */
  json(url: string, accept: string): Promise<PackageResult<unknown>>
  archive(url: string): Promise<PackageResult<Uint8Array<ArrayBuffer>>>
}

/** `base` is the address of the index, from a setting. Credentials in it are sent only to its own host. */
export function indexHttp(base: string): IndexHttp {
  return {
    async json(url, accept) {
      const got = await get(base, url, accept, PACKAGE_INDEX_ANSWER_MAX_BYTES)
      if (!got.ok || got.value === null) return got
      try {
        return ok(JSON.parse(new TextDecoder().decode(got.value)) as unknown)
      } catch {
        return problem(
          'index_unavailable',
          `${shownUrl(url)} did not answer with JSON. Use an index that offers the JSON form of the simple API (Python) or an npm registry.`,
        )
      }
    },
    async archive(url) {
      const got = await get(base, url, '*/*', PACKAGE_ARCHIVE_MAX_BYTES)
      if (!got.ok) return got
      return got.value === null
        ? problem('index_unavailable', `${shownUrl(url)} does not exist, although the index names it.`)
        : ok(got.value)
    },
  }
}

/** Validates a setting. Returns the address without a trailing slash. */
export function indexAddress(setting: string): PackageResult<string> {
  const url = URL.canParse(setting) ? new URL(setting) : null
  const isLocal = url !== null && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    return problem(
      'index_missing',
      `${JSON.stringify(shownUrl(setting))} is not the address of an index. It must begin with https:// (http:// only on this machine).`,
    )
  return ok(setting.replace(/\/+$/, ''))
}

/** An address without credentials and query. */
function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text.slice(0, 120)
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`
}

async function get(
  base: string,
  address: string,
  accept: string,
  maxBytes: number,
): Promise<PackageResult<Uint8Array<ArrayBuffer> | null>> {
  const unavailable = (reason: string): PackageResult<never> =>
    problem(
      'index_unavailable',
      `The index ${shownUrl(address)} ${reason}. Check the address, or try again later.`,
    )
  let url = new URL(address)
  try {
    for (let redirects = 0; redirects <= PACKAGE_INDEX_REDIRECTS_MAX; redirects++) {
      const signal = AbortSignal.timeout(PACKAGE_INDEX_TIMEOUT_MS)
      const headers = { Accept: accept, ...credentials(new URL(base), url) }
      const response = await httpGet(`${url.origin}${url.pathname}${url.search}`, {
        headers,
        signal,
        addresses: null,
      })
      const location = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && location !== null) {
        const next = new URL(location, url)
        if (next.protocol !== 'https:' && next.origin !== url.origin)
          return unavailable('redirects to an address without https')
        url = next
        continue
      }
      if (response.status === 404 || response.status === 410) return ok(null)
      if (response.status !== 200) return unavailable(`answered with status ${response.status}`)
      return await body(response.body, maxBytes, address)
    }
    return unavailable('redirects too often')
  } catch (error) {
    const detail = error instanceof Error && 'code' in error ? String(error.code) : 'no answer in time'
    return unavailable(`cannot be reached (${detail})`)
  }
}

async function body(
  pieces: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  address: string,
): Promise<PackageResult<Uint8Array<ArrayBuffer>>> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces ?? []) {
    bytes += piece.length
    if (bytes > maxBytes)
      return problem('package_too_large', `${shownUrl(address)} has more than ${maxBytes} bytes, the limit.`)
    read.push(piece)
  }
  return ok(new Uint8Array(Buffer.concat(read)))
}

function credentials(base: URL, url: URL): Readonly<Record<string, string>> {
  if (base.username === '' || base.origin !== url.origin) return {}
  const text = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`
  return { Authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}
