// The public addresses of a host that a download leads to. Asks the resolver it is given, nobody else.

import { isIP } from 'node:net'

import { ipAddressOf, isPublic } from '../../src/net/addresses.ts'

/** Addresses of a host name; rejects when there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>

/**
 * Where a host that nobody named may be connected to; null when any of its addresses is not public. `hostname` as URL gives it (numbers
 * normalised, IPv6 in brackets). Empty for a name that nobody knows.
 */
export async function publicAddresses(hostname: string, lookup: Lookup): Promise<readonly string[] | null> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return null
  const addresses = isIP(host) === 0 ? await lookup(host).catch(() => []) : [host]
  return addresses.every(isPublicText) ? addresses : null
}

/** Of an address as a resolver writes it; URL brings IPv6 into the one form that is judged. */
function isPublicText(text: string): boolean {
  const url = `http://${isIP(text) === 6 ? `[${text}]` : text}`
  const address = URL.canParse(url) ? ipAddressOf(new URL(url).hostname) : null
  return address !== null && isPublic(address)
}
