// Which addresses lie in a private network or on this machine. Asks the resolver it is given, nobody else.

import { BlockList, isIP } from 'node:net'

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6')

/** Addresses of a host name; rejects when there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>

/**
 * Where a stranger's address may be connected to; null when any of it is private. `hostname` as URL gives it (numbers
 * normalised, IPv6 in brackets). Empty for a name that nobody knows.
 */
export async function publicAddresses(hostname: string, lookup: Lookup): Promise<readonly string[] | null> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return null
  const addresses = isIP(host) === 0 ? await lookup(host).catch(() => []) : [host]
  const isPrivate = addresses.some((address) => PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
  return isPrivate ? null : addresses
}
