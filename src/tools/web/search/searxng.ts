// SearXNG (https://docs.searxng.org/dev/search_api.html), an engine that a team runs itself: GET /search with format=json.

import * as z from 'zod'
import { below, listOf, reading, text, type Engine, type SearchRequest, type SearchSetup } from './engine.ts'

const Pages = z.object({ results: listOf(z.object({ title: text, url: z.string(), content: text })) })
const Images = z.object({
  results: listOf(z.object({ title: text, url: text, content: text, img_src: z.string().min(1) })),
})

/** `!engine`, `!!bang`, `:language` and `<timeout` order the engine about, and may choose who else gets the query. */
function words(query: string): string {
  return query.replace(/(?<=^|\s)[!:<]+/g, '')
}

/** Throws without an address; src/env/variables.ts sees that there is one. */
export function searxng({ key, url }: SearchSetup): Engine {
  if (url === null) throw new Error('SEARCH_URL is not set')
  const ask = (query: string, category: string): SearchRequest['request'] => ({
    method: 'GET',
    url: below(url, 'search', { q: words(query), format: 'json', categories: category }),
    // It has no keys itself; a proxy before it may.
    headers: { Accept: 'application/json', ...(key !== null && { Authorization: `Bearer ${key}` }) },
    body: null,
  })
  return {
    name: 'SearXNG',
    // Whoever runs one pays for its machine, not for searches.
    price: 0,
    web: (query) => ({
      request: ask(query, 'general'),
      read: reading(Pages, ({ results }) =>
        results.map(({ title, url: page, content }) => ({ title, url: page, text: content })),
      ),
    }),
    images: (query) => ({
      request: ask(query, 'images'),
      read: reading(Images, ({ results }) =>
        results.map((hit) => ({
          title: hit.title,
          url: hit.url,
          text: hit.content,
          // Some of its engines leave the scheme out.
          image: hit.img_src.startsWith('//') ? `https:${hit.img_src}` : hit.img_src,
        })),
      ),
    }),
    meaning: (status) =>
      status === 403 ? 'it has to allow the format json (search.formats in its settings.yml)' : null,
  }
}
