// What limits by address count as one client. An IPv6 client controls its whole /64 network.

import type { HttpContext } from '../route/route.ts'

/** The network of the request, from the platform's header. */
export function callersNetwork(c: HttpContext): string {
  return networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown')
}

/** An IPv6 address as its /64 (`2001:db8:0:1::/64`). Other text stays as it is: IPv4, also inside IPv6, and invalid addresses. */
export function networkOf(address: string): string {
  const [text = ''] = address.toLowerCase().split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1]
  if (mapped !== undefined) return mapped
  const groups = firstGroups(text)
  return groups ? `${groups.join(':')}::/64` : address
}

/** The first four of eight groups, without leading zeros; null if it is not an IPv6 address. */
function firstGroups(text: string): readonly string[] | null {
  // Dots appear only in the last two groups, which are not needed.
  const plain = text.replace(/\d+(?:\.\d+){3}$/, '0:0')
  if (!/^[0-9a-f:]+$/.test(plain) || !plain.includes(':')) return null
  const [before = [], after = [], ...more] = plain
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')))
  const gap = 8 - before.length - after.length
  const isWhole = plain.includes('::') ? more.length === 0 && gap > 0 : gap === 0
  const groups = [...before, ...Array.from({ length: Math.max(gap, 0) }, () => '0'), ...after]
  if (!isWhole || !groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
}
