// Tavily (https://docs.tavily.com): POST /search. Images are part of the response to a web search.

import * as z from 'zod'
import type { Outgoing } from '../../../net/fetch.ts'
import { urlBelow, listOf, hitsReader, textOrEmpty, type Engine, type SearchSetup } from './engine.ts'

const Pages = z.object({
  results: listOf(z.object({ title: textOrEmpty, url: z.string(), content: textOrEmpty })),
})
/** Images are plain addresses if no descriptions were requested. */
const Images = z.object({
  images: listOf(
    z.union([
      z.string().transform((url) => ({ url, description: '' })),
      z.object({ url: z.string(), description: textOrEmpty }),
    ]),
  ),
})

export function tavily({ key, url }: SearchSetup): Engine {
  const ask = (body: object): Outgoing => ({
    method: 'POST',
    url: urlBelow(url ?? 'https://api.tavily.com', 'search'),
    headers: {
      Authorization: `Bearer ${key ?? ''}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
    },
    body: JSON.stringify(body),
  })
  return {
    name: 'Tavily',
    // A basic search is one credit, $0.008 without a plan (docs.tavily.com, November 2026).
    price: 0.008,
    web: (query, max) => ({
      request: ask({ query, max_results: max }),
      read: hitsReader(Pages, ({ results }) =>
        results.map(({ title, url: page, content }) => ({ title, url: page, text: content })),
      ),
    }),
    images: (query, max) => ({
      request: ask({ query, max_results: max, include_images: true, include_image_descriptions: true }),
      read: hitsReader(Images, ({ images }) =>
        // The response does not name the page that contains an image.
        images.map(({ url: image, description }) => ({ title: description, url: '', text: '', image })),
      ),
    }),
    // 432 means the limit of the plan, and 433 the limit of pay-as-you-go.
    errorMeaning: (status) => (status === 432 || status === 433 ? "the key's plan is used up" : null),
  }
}
