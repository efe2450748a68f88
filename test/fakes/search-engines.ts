// Search engines for tests: one server that speaks the documented wire formats of Tavily, Brave and SearXNG, and
// refuses what they refuse. `hits` sets the results of all three.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface FakeHit {
  readonly title: string
  readonly url: string
  readonly text: string
  readonly image: string
}

type Reply = readonly [status: number, body: unknown]

export class SearchEngines {
  hits: readonly FakeHit[] = []
  /** Sent instead of the normal answer if set. */
  instead: {
    readonly status: number
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  } | null = null
  readonly key = 'the-key-of-the-tests'
  readonly #server = createServer((request, response) => {
    void this.#reply(request).then(([status, body]) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...this.instead?.headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    // The cast is safe: a server that listens on a port has an address of this kind.
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #reply(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://here')
    const body = Buffer.concat(await request.toArray()).toString()
    if (this.instead) return [this.instead.status, this.instead.body]
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /search':
        return this.#tavily(request, body)
      case 'GET /res/v1/web/search':
      case 'GET /res/v1/images/search':
        return this.#brave(request, url)
      case 'GET /searx/search':
        return this.#searxng(url)
      default:
        return [404, { detail: 'no such place' }]
    }
  }

  #tavily({ headers }: IncomingMessage, text: string): Reply {
    if (headers.authorization !== `Bearer ${this.key}`)
      return [401, { detail: { error: 'Unauthorized: missing or invalid API key.' } }]
    if (headers['content-type'] !== 'application/json') return [422, { detail: [] }]
    const requested = JSON.parse(text) as { query?: string; max_results?: number; include_images?: boolean } // checked below
    if (!requested.query || (requested.max_results ?? 5) > 20)
      return [400, { detail: { error: 'bad request' } }]
    const found = this.hits.slice(0, requested.max_results ?? 5)
    return [
      200,
      {
        query: requested.query,
        follow_up_questions: null,
        answer: null,
        images: requested.include_images
          ? found.map(({ image, text: description }) => ({ url: image, description }))
          : [],
        results: found.map(({ title, url, text: content }, at) => ({
          url,
          title,
          content,
          score: 1 - at / 10,
          raw_content: null,
        })),
        response_time: 1.09,
        request_id: '4a1a0e4e',
      },
    ]
  }

  #brave({ headers }: IncomingMessage, url: URL): Reply {
    if (headers['x-subscription-token'] !== this.key)
      return [422, { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID', status: 422 } }]
    const query = url.searchParams.get('q') ?? ''
    const count = Number(url.searchParams.get('count'))
    const images = url.pathname.includes('images')
    if (query === '' || query.length > 400 || count < 1 || count > (images ? 200 : 20))
      return [422, { type: 'ErrorResponse', error: { code: 'VALIDATION', status: 422 } }]
    const found = this.hits.slice(0, count)
    if (images)
      return [
        200,
        {
          type: 'images',
          query: { original: query },
          results: found.map(({ title, url: page, image }) => ({
            type: 'image_result',
            title,
            url: page,
            source: new URL(page).hostname,
            thumbnail: { src: 'https://imgs.search.brave.com/x' },
            properties: { url: image, placeholder: 'https://imgs.search.brave.com/y' },
          })),
        },
      ]
    const marks = url.searchParams.get('text_decorations') !== 'false'
    const results = found.map(({ title, url: page, text }) => ({
      type: 'search_result',
      title,
      url: page,
      description: marks ? `<strong>${text}</strong>` : text,
      profile: { name: 'x' },
    }))
    return [
      200,
      {
        type: 'search',
        query: { original: query },
        ...(results.length > 0 && { web: { type: 'search', results } }),
      },
    ]
  }

  #searxng(url: URL): Reply {
    if (url.searchParams.get('format') !== 'json') return [403, 'Forbidden']
    const images = url.searchParams.get('categories') === 'images'
    return [
      200,
      {
        query: url.searchParams.get('q'),
        number_of_results: 0,
        results: this.hits.map(({ title, url: page, text, image }) =>
          images
            ? {
                title,
                url: page,
                content: text,
                img_src: image.replace('https:', ''),
                template: 'images.html',
              }
            : { title, url: page, content: text, engine: 'brave', score: 1 },
        ),
        answers: [],
        suggestions: [],
        unresponsive_engines: [],
      },
    ]
  }
}
