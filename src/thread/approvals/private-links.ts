// Which links to private hosts may be fetched unasked. The operator names these hosts so that tools reach them; a page or a
// search result from elsewhere must not make the agent send a request of its own choice to one (a confused deputy). Pure.

import { hostAndPort, hostAndPortOf } from '../../lib/hosts.ts'
import { isNamedHost } from '../../net/guard.ts'

/**
 * The links without those to a host that the operator names, on whatever port, unless a page of that very host and port has
 * them. `page`: where the page was read, after redirects; null: a search found them, and no engine speaks for such a host.
 */
export function withoutForeignPrivate(
  links: readonly string[],
  page: string | null,
  privateHosts: readonly string[],
): readonly string[] {
  if (privateHosts.length === 0) return links
  const hosts = privateHosts.flatMap((named) => hostAndPort(named)?.replace(/:\d+$/, '') ?? [])
  const from = page === null ? null : URL.parse(page)
  const place = from && hostAndPortOf(from)
  return links.filter((link) => {
    // There may be hundreds of thousands: only those that may lead there are parsed.
    if (!hosts.some((host) => link.includes(host))) return true
    const url = new URL(link)
    return !isNamedHost(url, privateHosts) || hostAndPortOf(url) === place
  })
}
