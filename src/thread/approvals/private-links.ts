// Which links to private hosts may be fetched without an approval. The operator allows these hosts for tools; a page or
// search result from elsewhere must not make the agent send them a chosen request (a confused deputy). Pure.

import { hostAndPort, hostAndPortOf } from '../../lib/hosts.ts'
import { isNamedHost } from '../../net/guard.ts'

/**
 * Removes links to hosts that the operator names, on any port, except links on a page of that same host and port.
 * `page`: the page's address after redirects; null: a search found the links, and no engine vouches for such a host.
 */
export function withoutForeignPrivate(
  links: readonly string[],
  page: string | null,
  privateHosts: readonly string[],
): readonly string[] {
  if (privateHosts.length === 0) return links
  const hosts = privateHosts.flatMap((named) => hostAndPort(named)?.replace(/:\d+$/, '') ?? [])
  const from = page === null ? null : URL.parse(page)
  const pageHost = from && hostAndPortOf(from)
  return links.filter((link) => {
    // There may be hundreds of thousands: only candidates are parsed.
    if (!hosts.some((host) => link.includes(host))) return true
    const url = new URL(link)
    return !isNamedHost(url, privateHosts) || hostAndPortOf(url) === pageHost
  })
}
