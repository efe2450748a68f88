// Which links to private hosts may be fetched without an approval. The operator allows tools to reach these
// hosts, but a page or search result from elsewhere must not make the agent send them a request that it chose
// (a confused deputy). Pure.

import { hostAndPort, hostAndPortOf } from '../../lib/hosts.ts'
import { isNamedHost } from '../../net/guard.ts'

/**
 * Removes links to hosts that the operator lists, on any port, except links on a page of that same host and
 * port. `page` is the page's address after redirects. It is null if a search returned the links; a search
 * engine cannot vouch for private hosts.
 */
export function withoutForeignPrivateLinks(
  links: readonly string[],
  page: string | null,
  privateHosts: readonly string[],
): readonly string[] {
  if (privateHosts.length === 0) return links
  const hosts = privateHosts.flatMap((privateHost) => hostAndPort(privateHost)?.replace(/:\d+$/, '') ?? [])
  const pageUrl = page === null ? null : URL.parse(page)
  const pageHost = pageUrl && hostAndPortOf(pageUrl)
  return links.filter((link) => {
    // There may be hundreds of thousands of links, so only candidates are parsed.
    if (!hosts.some((host) => link.includes(host))) return true
    const url = new URL(link)
    return !isNamedHost(url, privateHosts) || hostAndPortOf(url) === pageHost
  })
}
