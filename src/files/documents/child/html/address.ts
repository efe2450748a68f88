// Makes the addresses of a page absolute. Sends no requests.

import { HTML_ADDRESS_MAX_CHARS } from '../../../../limits/files.ts'

/** The absolute address, or null if it is invalid, not http or https, too long, or contains credentials. */
export function absoluteAddress(written: string, base: string | null): string | null {
  const trimmed = written.trim()
  if (trimmed === '' || trimmed.length > HTML_ADDRESS_MAX_CHARS) return null
  const url = parseAddress(trimmed, base)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username !== '' || url.password !== '' || url.href.length > HTML_ADDRESS_MAX_CHARS) return null
  return url.href
}

/** The address without its fragment, which is not part of a request. */
export function withoutFragment(href: string): string {
  const hash = href.indexOf('#')
  return hash === -1 ? href : href.slice(0, hash)
}

function parseAddress(written: string, base: string | null): URL | null {
  return base === null ? URL.parse(written) : URL.parse(written, base)
}

/** The first usable address of an `img`. Many pages put a placeholder into `src` and the real address into another attribute. */
export function imageAddress(attributes: ReadonlyMap<string, string>, base: string | null): string | null {
  const sets = ['data-srcset', 'srcset'].map((name) => attributes.get(name)?.trim().split(/[\s,]/, 1)[0])
  const single = ['data-src', 'data-original', 'data-lazy-src', 'src'].map((name) => attributes.get(name))
  for (const candidate of [...single, ...sets]) {
    const address = candidate === undefined ? null : absoluteAddress(candidate, base)
    if (address !== null) return address
  }
  return null
}
