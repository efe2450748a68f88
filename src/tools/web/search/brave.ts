// Brave Search (https://api-dashboard.search.brave.com): GET /res/v1/web/search and /res/v1/images/search.

import * as z from 'zod'
import {
  urlBelow,
  listOf,
  hitsReader,
  textOrEmpty,
  type Engine,
  type SearchRequest,
  type SearchSetup,
} from './engine.ts'

/** `web` is missing if there are no results. */
const Pages = z.object({
  web: z
    .object({ results: listOf(z.object({ title: textOrEmpty, url: z.string(), description: textOrEmpty })) })
    .nullish(),
})
const Images = z.object({
  results: listOf(
    z.object({
      title: textOrEmpty,
      url: textOrEmpty,
      source: textOrEmpty,
      properties: z.object({ url: z.string() }),
    }),
  ),
})

export function brave({ key, url }: SearchSetup): Engine {
  const ask = (path: string, query: Readonly<Record<string, string>>): SearchRequest['request'] => ({
    method: 'GET',
    url: urlBelow(url ?? 'https://api.search.brave.com', path, query),
    headers: { 'X-Subscription-Token': key ?? '', Accept: 'application/json' },
    body: null,
  })
  return {
    name: 'Brave Search',
    // $5 for 1,000 requests (brave.com/search/api, November 2026).
    price: 0.005,
    web: (query, max) => ({
      request: ask('res/v1/web/search', {
        q: query,
        count: String(max),
        result_filter: 'web',
        text_decorations: 'false',
      }),
      read: hitsReader(Pages, ({ web }) =>
        (web?.results ?? []).map(({ title, url: page, description }) => ({
          title,
          url: page,
          text: description,
        })),
      ),
    }),
    images: (query, max) => ({
      request: ask('res/v1/images/search', { q: query, count: String(max), safesearch: 'strict' }),
      read: hitsReader(Images, ({ results }) =>
        results.map((hit) => ({
          title: hit.title,
          url: hit.url,
          text: hit.source,
          image: hit.properties.url,
        })),
      ),
    }),
    errorMeaning: (status) => (status === 422 ? 'it rejected the query or the key' : null),
  }
}
