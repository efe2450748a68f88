// Guards the search: it starts a moment after the last key, and shows only the answer to the newest query.

import { expect, it } from 'vitest'

import { createSearch } from '../../../src/page/state/threads/search.ts'
import { fakePage, list, refusal, threadInfo } from './ports.ts'

const match = { before: 'all of the ', hit: 'outage', after: ' in words' }

it('sends one request for text typed in one go, unchanged', async () => {
  const page = fakePage({ 'GET /v1/threads': () => list([{ ...threadInfo('th_1'), match }]) })
  const search = createSearch(page.ports, page.client)
  for (const query of ['o', 'ou', 'out', 'out"AND*']) {
    search.setQuery(query)
    await page.pass(50)
  }
  expect(search.isSearching.value).toBe(true)
  await page.pass(200)
  expect(page.calls).toEqual(['GET /v1/threads?q=out%22AND*&limit=100'])
  expect(search.results.value?.[0]?.match).toEqual(match)
  expect(search.isSearching.value).toBe(false)
})

it('shows no result that arrives after a newer query', async () => {
  const late: ((response: Response) => void)[] = []
  const page = fakePage({ 'GET /v1/threads': async () => new Promise((answer) => late.push(answer)) })
  const search = createSearch(page.ports, page.client)
  search.setQuery('first')
  await page.pass(200)
  search.setQuery('second')
  await page.pass(200)
  late[1]?.(list([{ ...threadInfo('second'), match: null }]))
  await page.pass(0)
  late[0]?.(list([{ ...threadInfo('first'), match: null }]))
  await page.pass(0)
  expect(search.results.value?.map(({ id }) => id)).toEqual(['second'])
})

it('adds a further page, and forgets everything when the query is cleared', async () => {
  const page = fakePage({
    'GET /v1/threads': (url) =>
      url.searchParams.has('cursor')
        ? list([{ ...threadInfo('b'), match: null }])
        : list([{ ...threadInfo('a'), match: null }], 'next'),
  })
  const search = createSearch(page.ports, page.client)
  search.setQuery('words')
  await page.pass(200)
  expect(search.hasMore.value).toBe(true)
  await search.readMore()
  expect(search.results.value?.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(search.hasMore.value).toBe(false)
  search.setQuery('')
  await page.pass(200)
  expect([search.results.value, search.isSearching.value]).toEqual([null, false])
  expect(page.calls).toHaveLength(2)
})

it('reports a failure, and can be retried', async () => {
  let fails = true
  const page = fakePage({ 'GET /v1/threads': () => (fails ? refusal(503, 'not_ready') : list([])) })
  const search = createSearch(page.ports, page.client)
  search.setQuery('words')
  await page.pass(200)
  expect(search.trouble.value).toMatchObject({ title: 'The search failed', remedy: 'again' })
  fails = false
  search.repeat()
  await page.pass(200)
  expect([search.trouble.value, search.results.value]).toEqual([null, []])
})

it('shows no results to the user of the next key', async () => {
  const page = fakePage({ 'GET /v1/threads': () => list([{ ...threadInfo('th_1'), match }]) })
  const search = createSearch(page.ports, page.client)
  search.setQuery('outage')
  await page.pass(200)
  expect(search.results.value).toHaveLength(1)
  page.client.value = null
  expect([search.query.value, search.results.value]).toEqual(['', null])
})
