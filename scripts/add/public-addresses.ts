// Resolves a host to which a download redirects, and accepts only public addresses. Queries only the given
// resolver.

import { isIP } from 'node:net'

import { ipAddressOf, isPublic } from '../../src/net/addresses.ts'

/** The addresses of a host name; rejects if there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>

/**
 * The addresses of a host that the user did not name: null if one of them is not public, empty if the name is
 * unknown. `hostname` is that of a URL (numbers normalised, IPv6 in brackets).
 */
export async function resolvePublicAddresses(
  hostname: string,
  lookup: Lookup,
): Promise<readonly string[] | null> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return null
  const addresses = isIP(host) === 0 ? await lookup(host).catch(() => []) : [host]
  return addresses.every(isPublicAddress) ? addresses : null
}

/** Whether an address returned by the resolver is public. */
function isPublicAddress(text: string): boolean {
  // URL normalises IPv6.
  const url = `http://${isIP(text) === 6 ? `[${text}]` : text}`
  const address = URL.canParse(url) ? ipAddressOf(new URL(url).hostname) : null
  return address !== null && isPublic(address)
}
