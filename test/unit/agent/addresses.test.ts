// Guards "links cannot spell data out": a fetch goes unasked only where its very address was given, and to so many links of
// one page a run.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressesIn, givenHosts, judgeAddress, type Known } from '../../../src/agent/addresses.ts'

const NOTHING: Known = { words: [], links: [], fetched: [] }
const MOST = 3
const judged = (address: string, known: Partial<Known>): string =>
  judgeAddress(address, { ...NOTHING, ...known }, MOST)

describe('an address', () => {
  const words = ['Read https://a.example/x?y=1, then (b.example/docs). And "http://c.example:8080/"!']
  it.each([
    'https://a.example/x?y=1',
    'https://a.example/x?y=1#part',
    'https://b.example/docs',
    'http://c.example:8080/',
    'HTTPS://A.example/x?y=1',
  ])('%s that the user wrote is given', (address) => {
    expect(judged(address, { words })).toBe('given')
  })

  it.each([
    ['Look at README.md, main.py and setup.sh.', []],
    ['Run tools/setup.sh/now in Site.app/Contents, see ./notes.dev/x and src/site.dev/x', []],
    ['Ask example.com, or me@b.example/x', []],
    ['See www.a.example, b.example/x and https://README.md', ['www.a.example/', 'b.example/x', 'readme.md/']],
  ] as const)('%s: only what nobody takes for a file or a name is one', (text, found) => {
    // With and without what may be the sentence's end.
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
  ])('%s that only resembles one is not', (address) => {
    expect(judged(address, { words })).toBe('unknown')
  })

  it('of a search result is given, however many were fetched', () => {
    const links = [{ page: null, links: Array.from({ length: 50 }, (_, at) => `https://r.example/${at}`) }]
    const fetched = links[0]?.links.slice(0, 49) ?? []
    expect(judged('https://r.example/49', { links, fetched })).toBe('given')
  })

  it('is found in time that grows with the text alone', () => {
    for (const text of [`https://a/${'.'.repeat(200_000)}x`, 'a.'.repeat(100_000), 'a-'.repeat(100_000)])
      expect(addressesIn(text).size).toBeLessThan(3)
  }, 5_000)

  it('of a mail address is none', () => {
    expect([...addressesIn('Write to ops@a.example please')]).toEqual([])
  })
})

describe('links of a page', () => {
  const page = (name: string, count = 10) => ({
    page: `https://${name}.example/`,
    links: Array.from({ length: count }, (_, at) => `https://${name}.example/${at}`),
  })

  it('are given until so many were fetched in the run, then a person is asked', () => {
    const links = [page('p')]
    const fetched = links[0]?.links.slice(0, MOST) ?? []
    expect(judged('https://p.example/7', { links, fetched: fetched.slice(1) })).toBe('given')
    expect(judged('https://p.example/7', { links, fetched })).toBe('exhausted')
  })

  it('count each time that they are fetched: the order of a few spells as well as the choice of one', () => {
    const links = [page('p')]
    const fetched = links[0]?.links.slice(0, MOST) ?? []
    expect(judged('https://p.example/1', { links, fetched: fetched.slice(1) })).toBe('given')
    expect(judged('https://p.example/1', { links, fetched })).toBe('exhausted')
  })

  it('count together, however often and under which address the page was fetched', () => {
    const [first, second] = [page('p'), { ...page('p'), page: 'https://p.example/#top' }]
    const fetched = first.links.slice(0, MOST)
    expect(judged('https://p.example/7', { links: [first, second], fetched })).toBe('exhausted')
  })

  it('of pages that links led to count together: a chain of pages has no links more than one', () => {
    const words = ['Read https://p0.example/']
    // Each page has one link, to the next.
    const links = Array.from({ length: 10 }, (_, at) => ({
      page: `https://p${at}.example/`,
      links: [`https://p${at + 1}.example/`],
    }))
    const chain = (length: number): readonly string[] => links.slice(0, length).flatMap((one) => one.links)
    expect(judged('https://p5.example/', { words, links: links.slice(0, 5), fetched: chain(MOST) })).toBe(
      'given',
    )
    expect(judged('https://p6.example/', { words, links: links.slice(0, 6), fetched: chain(MOST + 2) })).toBe(
      'exhausted',
    )
  })

  it('do not count where the user gave the address, too', () => {
    const links = [page('p')]
    const words = [links[0]?.links.join(' ') ?? '']
    expect(judged('https://p.example/7', { links, words, fetched: links[0]?.links.slice(0, 6) ?? [] })).toBe(
      'given',
    )
  })

  it('never let more than so many of one page through, whatever is asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 60 }), (wanted) => {
        const links = [page('p')]
        let through = 0
        const fetched: string[] = []
        for (const one of wanted) {
          const address = `https://p.example/${one}`
          if (judged(address, { links, fetched }) === 'given') {
            through += 1
            fetched.push(address)
          }
        }
        expect(through).toBeLessThanOrEqual(MOST)
      }),
    )
  })

  it('and results name the hosts that a redirect may lead to', () => {
    const known = {
      ...NOTHING,
      words: ['see www.a.example'],
      links: [page('p', 1), { page: null, links: ['https://r.example/'] }],
    }
    expect([...givenHosts(known)].sort()).toEqual(['p.example', 'r.example', 'www.a.example'])
  })
})

it('is one address, whatever blanks a model writes around it', () => {
  const links = [
    { page: 'https://p.example/', links: Array.from({ length: 10 }, (_, at) => `https://p.example/${at}`) },
  ]
  for (const blank of ['\u00a0', '\ufeff', '\u2028', '\u3000', ' ']) {
    const fetched = [0, 1, 2].map((at) => `${blank}https://p.example/${at}`)
    expect(judged(`${blank}https://p.example/7`, { links, fetched })).toBe('exhausted')
  }
})
