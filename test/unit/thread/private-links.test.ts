// Guards "a page or a search makes no agent ask a private host": which links to private hosts are dropped.

import { expect, it } from 'vitest'
import { normalizeUrl } from '../../../src/agent/addresses.ts'
import { withoutForeignPrivateLinks } from '../../../src/thread/approvals/private-links.ts'

const NAMED = ['127.0.0.1:4010', 'Wiki.example.com:8443', '[::1]:4010', 'tickets.internal:80']

it.each([
  ['http://127.0.0.1:4010/jobs?x', 'https://evil.example/', false],
  ['http://127.0.0.1:4010/jobs?x', null, false],
  ['http://127.0.0.1:4010/jobs?x', 'http://127.0.0.1:4010/', true],
  ['http://127.0.0.1:4010/jobs?x', 'http://127.0.0.1:4011/', false],
  ['http://2130706433:4010/', 'https://evil.example/', false],
  ['https://[0:0::1]:4010/', 'https://evil.example/', false],
  ['http://tickets.internal/', 'https://evil.example/', false],
  ['http://tickets.internal/7', 'http://tickets.internal:80/8', true],
  ['https://tickets.internal/', 'http://tickets.internal/', false],
  ['https://wiki.example.com:8443/', 'http://tickets.internal/', false],
  ['https://wiki.example.com:8443/', 'https://evil.example/?wiki.example.com:8443', false],
  ['https://WIKI.example.com./', null, false],
  ['https://wiki.example.com/a', 'https://wiki.example.com/b', true],
  ['https://other.example.com/?at=wiki.example.com', null, true],
  ['https://a.wiki.example.com/', null, true],
])('%s, named by %s, may be fetched without approval: %s', (link, page, stays) => {
  const address = normalizeUrl(link) ?? ''
  expect(withoutForeignPrivateLinks([address], page, NAMED)).toEqual(stays ? [address] : [])
  expect(withoutForeignPrivateLinks([address], page, [])).toEqual([address])
})
