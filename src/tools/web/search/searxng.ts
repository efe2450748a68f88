// SearXNG (https://docs.searxng.org/dev/search_api.html), a self-hosted engine: GET /search with format=json.

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

const Pages = z.object({
  results: listOf(z.object({ title: textOrEmpty, url: z.string(), content: textOrEmpty })),
})
const Images = z.object({
  results: listOf(
    z.object({ title: textOrEmpty, url: textOrEmpty, content: textOrEmpty, img_src: z.string().min(1) }),
  ),
})

/**
 * Removes the prefixes of `!engine`, `!!bang`, `:language` and `<timeout`, which control the engine and could send the
 * query elsewhere.
 */
function plainQuery(query: string): string {
  return query.replace(/(?<=^|\s)[!:<]+/g, '')
}

/** Throws if there is no URL; src/env/variables.ts requires it. */
export function searxng({ key, url }: SearchSetup): Engine {
  if (url === null) throw new Error('SEARCH_URL is not set')
  const ask = (query: string, category: string): SearchRequest['request'] => ({
    method: 'GET',
    url: urlBelow(url, 'search', { q: plainQuery(query), format: 'json', categories: category }),
    // SearXNG itself has no keys, but a proxy in front of it may require one.
    headers: { Accept: 'application/json', ...(key !== null && { Authorization: `Bearer ${key}` }) },
    body: null,
  })
  return {
    name: 'SearXNG',
    // A self-hosted engine does not charge for searches.
    price: 0,
    web: (query) => ({
      request: ask(query, 'general'),
      read: hitsReader(Pages, ({ results }) =>
        results.map(({ title, url: page, content }) => ({ title, url: page, text: content })),
      ),
    }),
    images: (query) => ({
      request: ask(query, 'images'),
      read: hitsReader(Images, ({ results }) =>
        results.map((hit) => ({
          title: hit.title,
          url: hit.url,
          text: hit.content,
          // Some of its engines omit the scheme.
          image: hit.img_src.startsWith('//') ? `https:${hit.img_src}` : hit.img_src,
        })),
      ),
    }),
    errorMeaning: (status) =>
      status === 403 ? 'it must allow the format json (search.formats in its settings.yml)' : null,
  }
}
