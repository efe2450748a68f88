// Determines the network of a client, to which limits by address apply. An IPv6 client controls an entire /64 network.

import type { HttpContext } from '../route/route.ts'

/** The network that sent the request, from the platform's header. */
export function callersNetwork(c: HttpContext): string {
  return networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown')
}

/**
 * The /24 network of an IPv4 address or the /48 network of an IPv6 address, for records: it never identifies a single client.
 * `unknown` for anything else.
 */
export function recordedNetwork(c: HttpContext): string {
  return wideNetworkOf(callersNetwork(c))
}

/** `network` is what networkOf() returned. */
export function wideNetworkOf(network: string): string {
  const v4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(network)?.[1]
  if (v4 !== undefined) return `${v4}.0/24`
  const v6 = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(network)?.[1]
  return v6 === undefined ? 'unknown' : `${v6}::/48`
}

/**
 * The /64 network of an IPv6 address (`2001:db8:0:1::/64`), or the IPv4 address itself, including one mapped into IPv6. Invalid
 * addresses are returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [text = ''] = address.toLowerCase().split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1]
  if (mapped !== undefined) return mapped
  const groups = firstGroups(text)
  return groups ? `${groups.join(':')}::/64` : address
}

/** The first four of the eight groups, without leading zeros, or null if the text is not an IPv6 address. */
function firstGroups(text: string): readonly string[] | null {
  // Dots appear only in the last two groups, which are not needed.
  const hex = text.replace(/\d+(?:\.\d+){3}$/, '0:0')
  if (!/^[0-9a-f:]+$/.test(hex) || !hex.includes(':')) return null
  const [before = [], after = [], ...extra] = hex
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')))
  const gap = 8 - before.length - after.length
  const hasEightGroups = hex.includes('::') ? extra.length === 0 && gap > 0 : gap === 0
  const groups = [...before, ...Array.from({ length: Math.max(gap, 0) }, () => '0'), ...after]
  if (!hasEightGroups || !groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
}
