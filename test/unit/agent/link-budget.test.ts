// Guards "the choice of links carries no more than a fixed number of bits": once a model may know private data, the
// addresses that it can fetch without approval between two messages of a person form at most 2^bits sequences.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeAddress, type Choices, type EarlierFetch } from '../../../src/agent/link-budget.ts'
import { LINK_BITS_DEFAULT } from '../../../src/env/limits.ts'

const page = (name: string, count: number, after = 2) => ({
  after,
  queryMessage: null,
  links: Array.from({ length: count }, (_, at) => `https://${name}.example/${at}`),
})
const results = (name: string, count: number, after = 2) => ({
  ...page(name, count, after),
  queryMessage: after,
})
const says = (text: string, after = 1) => ({ text, after })
const NONE: Choices = {
  known: { userTexts: [says('Go.')], links: [] },
  since: 1,
  privateAfter: 0,
  fetched: [],
  hosts: [],
  bits: LINK_BITS_DEFAULT,
}
type Some = Partial<Omit<Choices, 'known'>> & Partial<Choices['known']>
const choices = ({ userTexts: words = NONE.known.userTexts, links = [], ...more }: Some): Choices => ({
  ...NONE,
  ...more,
  known: { userTexts: words, links },
})

/** How many of these addresses are allowed, each in its own message or all in one. */
function through(urls: readonly string[], some: Some, side = false): number {
  const fetched: EarlierFetch[] = []
  let passed = 0
  for (const [at, url] of urls.entries()) {
    const one = { url, message: side ? 9 : 9 + at, ord: side ? at : 0 }
    const given = judgeAddress(one, choices({ ...some, fetched })) === 'given'
    if (given) passed += 1
    fetched.push({ ...one, sent: given ? 'yes' : 'no' })
  }
  return passed
}

describe('links', () => {
  it.each([false, true])('on a page of 500 can carry 40 bits, not a key (in parallel: %s)', (side) => {
    const links = [page('p', 500)]
    expect(through(links[0]?.links.slice(0, 50) ?? [], { links }, side)).toBe(4)
    const more = [page('p', 500), page('q', 10_000, 3)]
    expect(through(more[1]?.links.slice(0, 20) ?? [], { links: more }, side)).toBe(2)
  })

  it('count each time that they are fetched: repeating one carries as much as choosing it', () => {
    const links = [page('p', 1)]
    expect(
      through(
        Array.from({ length: 60 }, () => 'https://p.example/0'),
        { links },
      ),
    ).toBe(LINK_BITS_DEFAULT)
  })

  it('are not counted while the model knows nothing private, and are unknown if they were found nowhere', () => {
    const links = [page('p', 500)]
    const all = links[0]?.links.slice(0, 60) ?? []
    expect(through(all, { links, privateAfter: null })).toBe(60)
    expect(judgeAddress({ url: 'https://p.example/x', message: 9, ord: 0 }, choices({ links }))).toBe(
      'unknown',
    )
    // A page that arrives in the same step had not been read when the address was chosen.
    expect(judgeAddress({ url: all[0] ?? '', message: 2, ord: 0 }, choices({ links }))).toBe('unknown')
  })

  it('count from the message that brought private data', () => {
    const links = [page('p', 500)]
    const fetched =
      links[0]?.links
        .slice(0, 50)
        .map((url, at) => ({ url, message: 3 + at, ord: 0, sent: 'yes' as const })) ?? []
    const after = { url: 'https://p.example/77', message: 60, ord: 0 }
    expect(judgeAddress(after, choices({ links, fetched, privateAfter: 55 }))).toBe('given')
    expect(judgeAddress(after, choices({ links, fetched, privateAfter: 20 }))).toBe('exhausted')
  })

  it('are never free if no person ever wrote', () => {
    expect(through(['https://p.example/0'], { links: [page('p', 1)], userTexts: [], since: null })).toBe(0)
  })

  it('of a host are free once a person allowed it, and those of others are not', () => {
    const links = [page('p', 500), page('q', 500)]
    const some = { links, hosts: [{ host: 'p.example', message: 9, ord: 0 }] }
    expect(through(links[0]?.links.slice(0, 60) ?? [], some)).toBe(60)
    expect(through(links[1]?.links.slice(0, 60) ?? [], some)).toBe(4)
  })
})

describe('search results', () => {
  it('count like links if the model knew nothing private when it searched', () => {
    const links = [results('r', 8)]
    expect(
      through(
        Array.from({ length: 20 }, () => 'https://r.example/3'),
        { links, privateAfter: 2 },
      ),
    ).toBe(12)
  })

  it('also count the choice of the query if it could carry private data', () => {
    const links = Array.from({ length: 50 }, (_, n) => results(`r${n}`, 1, 2 + n))
    const each = links.flatMap((one) => one.links)
    expect(through(each, { links, privateAfter: 0, userTexts: [says('Go.')] })).toBe(1)
    // A query is charged once.
    expect(
      through(
        Array.from({ length: 9 }, () => 'https://r.example/3'),
        { links: [results('r', 8)] },
      ),
    ).toBe(6)
  })

  it('of a search within a message are charged by that message, each search separately', () => {
    const within = Array.from({ length: 5 }, (_, n) => ({ ...results(`r${n}`, 1, 2), queryMessage: 3 }))
    const each = within.flatMap((one) => one.links)
    expect(through(each, { links: within, privateAfter: 2 })).toBe(1)
    expect(through(each, { links: within, privateAfter: 3 })).toBe(5)
  })
})

describe('addresses written by a person', () => {
  const urls = Array.from({ length: 30 }, (_, at) => `https://w.example/${at}`)
  const words = [says(`Read ${urls.join(' ')} please`)]

  it('cost little in the order in which they were written', () => {
    expect(through(urls, { userTexts: words })).toBe(30)
  })

  it('cost as much as links in any other order', () => {
    expect(through(urls.toReversed(), { userTexts: words })).toBeLessThanOrEqual(6)
  })

  it('cost little without the punctuation behind them, and as much as any other with it', () => {
    const listed = [says(`Read ${urls.join(', ')}, please`)]
    expect(through(urls, { userTexts: listed })).toBe(30)
    const withMark = urls.map((url) => `${url},`)
    expect(through(withMark, { userTexts: listed })).toBe(12)
  })

  it('are not skipped for free by a call that sends nothing: the next one pays for it', () => {
    const all = Array.from({ length: 60 }, (_, at) => `https://w.example/${at}`)
    const some = { userTexts: [says(all.join(' '))] }
    // Every second call was refused, had invalid input, or came too late in its step.
    const fetched: EarlierFetch[] = []
    let sent = 0
    for (const [at, url] of all.entries()) {
      const one = { url, message: 9 + at, ord: 0 }
      const made = at % 2 === 1 && judgeAddress(one, choices({ ...some, fetched })) === 'given'
      if (made) sent += 1
      fetched.push({ ...one, sent: made ? 'yes' : 'no' })
    }
    expect(sent).toBeLessThanOrEqual(4)
  })

  it('are not skipped by calls beyond the limit, and requests sent beyond it are charged', () => {
    const some = { userTexts: [says(urls.join(' '))], links: [page('p', 1_000)] }
    const spent = [0, 300, 600].map((at) => `https://p.example/${at}`)
    const skipped = urls.filter((_, at) => at % 2 === 0)
    const kept = urls.filter((_, at) => at % 2 === 1)
    expect(through([...spent, ...skipped.slice(1), ...kept], some)).toBe(3)
    const early = [...spent, ...kept].map((url, at) => ({
      url,
      message: 9 + at,
      ord: 0,
      sent: 'yes' as const,
    }))
    const next = { url: urls[0] ?? '', message: 99, ord: 0 }
    expect(judgeAddress(next, choices({ ...some, fetched: early }))).toBe('exhausted')
  })

  it('can be fetched in parallel while the earlier ones are undecided', () => {
    const fetched = urls.slice(0, 9).map((url, ord) => ({ url, message: 9, ord, sent: 'undecided' as const }))
    const tenth = { url: urls[9] ?? '', message: 9, ord: 9 }
    expect(judgeAddress(tenth, choices({ userTexts: words, fetched, bits: 2 }))).toBe('given')
    const refused = fetched.map((one) => ({ ...one, sent: 'no' as const }))
    expect(judgeAddress(tenth, choices({ userTexts: words, fetched: refused, bits: 2 }))).toBe('exhausted')
  })
})

it('at most 2^bits sequences need no approval, for any input', () => {
  const bits = 9
  const count = (some: Some, fetched: readonly EarlierFetch[], urls: readonly string[]): number => {
    let all = 1
    for (const url of urls) {
      const next = { url, message: 9 + fetched.length, ord: 0 }
      if (judgeAddress(next, choices({ ...some, fetched, bits })) === 'given')
        all += count(some, [...fetched, { ...next, sent: 'yes' }], urls)
    }
    return all
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 4 }), (links, written) => {
      const linked = page('p', links)
      const named = page('w', written).links
      const some = { links: [linked], userTexts: [says(named.join(', '))] }
      const all = [...linked.links, ...named.flatMap((url) => [url, `${url},`])]
      expect(count(some, [], all)).toBeLessThanOrEqual(2 ** bits)
    }),
    { numRuns: 12 },
  )
})

it('whitespace around an address does not make it another one', () => {
  const links = [page('p', 500)]
  for (const blank of ['\u00a0', '\ufeff', '\u2028', '\u3000', ' ']) {
    const urls = links[0]?.links.slice(0, 9).map((url) => `${blank}${url}`) ?? []
    expect(through(urls, { links })).toBe(4)
  }
})
