// The public addresses of a host that a download leads to. Queries only the given resolver.

import { isIP } from 'node:net'

import { ipAddressOf, isPublic } from '../../src/net/addresses.ts'

/** The addresses of a host name; rejects if there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>

/**
 * Addresses to connect to for a host that the user did not name; null if one of them is not public. `hostname` as
 * in a URL (numbers normalised, IPv6 in brackets). Empty for an unknown name.
 */
export async function publicAddresses(hostname: string, lookup: Lookup): Promise<readonly string[] | null> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return null
  const addresses = isIP(host) === 0 ? await lookup(host).catch(() => []) : [host]
  return addresses.every(isPublicText) ? addresses : null
}

/** Checks an address of a resolver; URL normalises IPv6. */
function isPublicText(text: string): boolean {
  const url = `http://${isIP(text) === 6 ? `[${text}]` : text}`
  const address = URL.canParse(url) ? ipAddressOf(new URL(url).hostname) : null
  return address !== null && isPublic(address)
}
