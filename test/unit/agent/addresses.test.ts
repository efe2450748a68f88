// Guards "a fetch needs no approval only if its exact address was given": which parts of a text are addresses.

import { describe, expect, it } from 'vitest'
import { knownHosts, normalizeUrl, addressesInText } from '../../../src/agent/addresses.ts'

const addressesIn = (text: string): ReadonlySet<string> => new Set(addressesInText(text).flat())

describe('an address', () => {
  const words = 'Read https://a.example/x?y=1, then (b.example/docs). And "http://c.example:8080/"!'
  it.each([
    'https://a.example/x?y=1',
    'https://a.example/x?y=1#part',
    'https://b.example/docs',
    'http://c.example:8080/',
    'HTTPS://A.example/x?y=1',
  ])('%s written by the user counts as given', (address) => {
    expect(addressesIn(words)).toContain(normalizeUrl(address))
  })

  it.each([
    ['Look at README.md, main.py and setup.sh.', []],
    ['Run tools/setup.sh/now in Site.app/Contents, see ./notes.dev/x and src/site.dev/x', []],
    ['Ask example.com, me@b.example/x, and übera.example/x', []],
    ['See www.a.example, b.example/x and https://README.md', ['www.a.example/', 'b.example/x', 'readme.md/']],
  ] as const)('in %s is one only if nobody takes it for a file or a name', (text, found) => {
    // With and without a final character that may end the sentence.
    const all = new Set([...addressesIn(text)].filter((one) => !/[,.]\/?$/.test(one)))
    expect([...all]).toEqual(found.map((one) => `https://${one}`))
  })

  it.each([
    'https://a.example/',
    'https://a.example/x?y=12',
    'https://a.example/x?y=1&z=secret',
    'https://a.example/x',
    'https://evil.example/?https://a.example/x?y=1',
    'https://a.example@evil.example/x?y=1',
    'https://xb.example/docs',
    'http://b.example/docs',
    'data:text/plain,x',
    'not an address',
  ])('%s that only resembles one does not count', (address) => {
    expect(addressesIn(words)).not.toContain(normalizeUrl(address))
  })

  it('is found in time linear in the length of the text', () => {
    for (const text of [`https://a/${'.'.repeat(200_000)}x`, 'a.'.repeat(100_000), 'a-'.repeat(100_000)])
      expect(addressesIn(text).size).toBeLessThan(3)
  }, 5_000)

  it('is not found in an e-mail address', () => {
    expect([...addressesIn('Write to ops@a.example please')]).toEqual([])
  })
})

it('links and results also name the hosts that a redirect may lead to', () => {
  const known = {
    userTexts: [{ after: 1, text: 'see www.a.example' }],
    links: [
      { after: 2, links: ['https://p.example/0'], queryMessage: null },
      { after: 2, links: ['https://r.example/'], queryMessage: 2 },
    ],
  }
  expect([...knownHosts(known)].sort()).toEqual(['p.example', 'r.example', 'www.a.example'])
})
