// Guards limits by address: the addresses of one IPv6 network count as one, and different networks are counted
// separately.

import { expect, test } from 'vitest'

import { networkOf, wideNetworkOf } from '../../../src/api/admission/address.ts'

test('addresses of one IPv6 /64 are one, however they are written', () => {
  for (const one of [
    '2001:db8:0:1::1',
    '2001:DB8:0:1:ffff:ffff:ffff:ffff',
    '2001:0db8:0000:0001:a:b:c:d',
    '2001:db8::1:0:0:0:9',
    '2001:db8:0:1::192.0.2.7',
    '2001:db8:0:1::2%eth0',
  ])
    expect(networkOf(one), one).toBe('2001:db8:0:1::/64')
})

test('the next /64, and short addresses, are different', () => {
  expect(networkOf('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('1::')).toBe('1:0:0:0::/64')
  expect(networkOf('::ffff:1:2:3:4')).toBe('0:0:0:ffff::/64')
})

test('an IPv4 address counts separately, even inside IPv6', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
})

test('text that is no address is used unchanged', () => {
  for (const odd of [
    'unknown',
    '',
    'client-7',
    '1:2:3',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    ':::',
    'g::1',
  ])
    expect(networkOf(odd), odd).toBe(odd)
})

test('a record contains a /24 or /48 and never an address', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:0DB8:7:1::1', '2001:db8:7::/48'],
    ['::1', '0:0:0::/48'],
    ['unknown', 'unknown'],
    ['client-7', 'unknown'],
    ['1:2:3', 'unknown'],
    ['192.0.2.7, 10.0.0.1', 'unknown'],
  ] as const)
    expect(wideNetworkOf(networkOf(address)), address).toBe(network)
})
