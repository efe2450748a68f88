// Promise: however an address is spelled, the guard classifies it as private or public as Node's own block list does,
// and never throws. SEED and CASES: see seed.ts.

import { BlockList, isIPv4, SocketAddress } from 'node:net'
import { expect, test } from 'vitest'

import { judgeUrl } from '../../src/net/guard.ts'
import { seeded, type Random } from './archive-cases.ts'
import { betweenTasks, casesOr, SEED } from './seed.ts'

const RANGES =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32'
    .split(' ')
    .map((range) => range.split('/') as [string, string]) // each has its slash

/** The private ranges, copied independently and checked by Node. */
const PRIVATE = new BlockList()
for (const [network, length] of RANGES) PRIVATE.addSubnet(network, Number(length), 'ipv4')
/** The public IPv6 addresses: the global unicast range (2000::/3) without its special-purpose ranges. */
const GLOBAL_UNICAST = new BlockList()
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6')
const SPECIAL_PURPOSE = new BlockList()
for (const [network, length] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  SPECIAL_PURPOSE.addSubnet(network, length, 'ipv6')

const part = (chance: Random, value: number): string =>
  chance.of(
    String(value),
    `0x${'0'.repeat(chance.below(4))}${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0${'0'.repeat(chance.below(3))}${value.toString(8)}`,
  )

function spelled(chance: Random, bytes: readonly number[]): string {
  const parts = 1 + chance.below(4)
  const head = bytes.slice(0, parts - 1)
  const rest = bytes.slice(parts - 1).reduce((value, byte) => value * 256 + byte, 0)
  const text = [...head, rest].map((value) => part(chance, value)).join('.')
  return chance.of(
    text,
    text,
    `${text}.`,
    text.replaceAll('.', '。'),
    text.replaceAll('.', '%2e'),
    text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  )
}

function v4(chance: Random): readonly number[] {
  const [network = '', length = '0'] = RANGES[chance.below(RANGES.length)] ?? []
  const base = network.split('.').reduce((value, byte) => value * 256 + Number(byte), 0)
  const size = 2 ** (32 - Number(length))
  // At the edge of a range, within one, or anywhere.
  const value = chance.of(
    base + chance.below(3) - 1,
    base + size + chance.below(3) - 1,
    base + chance.below(Math.min(size, 2 ** 31)),
    chance.below(2 ** 31) * 2 + chance.below(2),
  )
  const whole = ((value % 2 ** 32) + 2 ** 32) % 2 ** 32
  return [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256)
}

function v6(chance: Random): string {
  const start = chance.of(
    '2001',
    '2002',
    '2000',
    '2a00',
    '3fff',
    '3ffe',
    'fc00',
    'fe80',
    '64',
    '0',
    '4000',
    'ff02',
    '2001:db8',
    '2001:1ff',
    '2001:200',
  )
  const more = Array.from({ length: 5 }, () => chance.below(0x10000).toString(16))
  const four = v4(chance).join('.')
  return chance.of(
    `${start}::${chance.below(0x10000).toString(16)}`,
    `${start}:${more.join(':')}::`,
    `::ffff:${four}`,
    `::${four}`,
    `64:ff9b::${four}`,
    `${start}::${four}`,
  )
}

/** Whether Node's lists call the address public, in the form in which URL writes it. */
function isOpen(hostname: string): boolean {
  if (isIPv4(hostname)) return !PRIVATE.check(hostname, 'ipv4')
  const address = new SocketAddress({ address: hostname.slice(1, -1), family: 'ipv6' })
  return GLOBAL_UNICAST.check(address) && !SPECIAL_PURPOSE.check(address)
}

test('classifies randomly spelled addresses', async () => {
  const chance = seeded(SEED)
  const wrong: unknown[] = []
  const seen = { public: 0, private: 0 }
  for (let at = 0; at < casesOr(20_000); at++) {
    await betweenTasks(at)
    const text = `https://${chance.below(3) > 0 ? spelled(chance, v4(chance)) : `[${v6(chance)}]`}/`
    if (!URL.canParse(text)) continue
    const url = new URL(text)
    const host = url.hostname
    const open = isOpen(host)
    seen[open ? 'public' : 'private']++
    const listed = judgeUrl(url, { allowHosts: [host], denyHosts: [], privateHosts: [] })
    const bare = judgeUrl(url, { allowHosts: [], denyHosts: [], privateHosts: [] })
    if (listed.ok !== open || bare.ok) wrong.push([text, host, open, listed, bare])
  }
  expect(wrong.slice(0, 5)).toEqual([])
  expect(Math.min(seen.public, seen.private)).toBeGreaterThan(100)
})
