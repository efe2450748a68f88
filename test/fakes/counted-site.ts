// A site that answers as it is configured over `/_/` and records every request, so that a test can prove that nothing
// was sent. Independent of the code that sends requests.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response for a path, whatever its query. */
export interface SitePage {
  readonly path: string
  readonly body: string
  readonly type?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A received request. */
export interface Came {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class CountedSite {
  readonly #pages = new Map<string, SitePage>()
  readonly #came: Came[] = []
  readonly #server = createServer((request, response) => {
    response.on('error', () => undefined)
    void request
      .toArray()
      .then((parts) => this.#answer(request, Buffer.concat(parts).toString(), response))
      .catch(() => response.destroy())
  })

  /** Starts the server and returns its `host:port`. */
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

  #answer(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { method = '', url: path = '/' } = request
    switch (`${method} ${path}`) {
      case 'PUT /_/pages':
        // The cast is safe: a test wrote the value as the type above requires.
        for (const page of JSON.parse(body) as readonly SitePage[]) this.#pages.set(page.path, page)
        return void response.end()
      case 'GET /_/came':
        return void response.end(JSON.stringify(this.#came))
      case 'DELETE /_/came':
        this.#came.length = 0
        return void response.end()
      default: {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const)
        this.#came.push({ method, path, headers: Object.fromEntries(headers), body })
        const page = this.#pages.get(path.split('?')[0] ?? '')
        const type = page?.type ?? 'text/html; charset=utf-8'
        response.writeHead(page?.status ?? 200, { 'Content-Type': type, ...page?.headers })
        response.end(page?.body ?? 'Done.')
      }
    }
  }
}
