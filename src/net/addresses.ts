// Tells which IP addresses are public, according to the IANA special-purpose registries and addresses that
// clouds reserve. Reads addresses as URL normalizes them; resolves no names.

/**
 * Addresses that are not public (RFC 6890 and the IANA registries for IPv4 and IPv6). Also used by the local
 * network binding, which checks resolved addresses. In IPv6, only 2000::/3 is assigned; its ranges for
 * addresses that contain an IPv4 address (Teredo, 6to4), for tests and for documentation are listed. Mapped
 * addresses and NAT64 are in ::/3.
 */
export const RESERVED_NETWORKS: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's host address, which is reachable only from Azure's virtual machines.
  '168.63.129.16/32',
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

interface Address {
  readonly bits: 32 | 128
  readonly value: bigint
}

/**
 * Parses the `hostname` of a parsed URL; null if it is a name. URL has already normalized decimal, octal,
 * hexadecimal and short forms.
 */
export function ipAddressOf(hostname: string): Address | null {
  if (hostname.startsWith('[')) return { bits: 128, value: ipv6(hostname.slice(1, -1)) }
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? { bits: 32, value: ipv4(hostname) } : null
}

function ipv4(text: string): bigint {
  return text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function ipv6(text: string): bigint {
  const [head = '', tail] = text.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeroGroups = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeroGroups, ...after].reduce(
    (value, part) => value * 65_536n + BigInt(`0x${part}`),
    0n,
  )
}

const RESERVED_RANGES = RESERVED_NETWORKS.map((range) => {
  const [network = '', length] = range.split('/')
  const bits = network.includes(':') ? 128 : 32
  const shift = BigInt(bits - Number(length))
  return { bits, shift, network: (bits === 128 ? ipv6(network) : ipv4(network)) >> shift }
})

export function isPublic({ bits, value }: Address): boolean {
  return !RESERVED_RANGES.some((range) => range.bits === bits && value >> range.shift === range.network)
}
