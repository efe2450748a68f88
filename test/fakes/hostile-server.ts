// A server that counts its clients and misbehaves in every way that servers do. Independent of the code that sends
// requests.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import { once } from 'node:events'
import { Readable } from 'node:stream'

import type { AddressInfo } from 'node:net'

/** Text in a header of a server that does not encode it: UTF-8 bytes, without characters that would end the header. */
function onTheLine(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n]/g, '')).toString('latin1')
}

/** Filler in pieces of 64 KiB. */
function* filler(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(65_536)
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length))
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://here')
  const number = (name: string): number => Number(url.searchParams.get(name))
  switch (url.pathname) {
    case '/redirect':
      response
        .writeHead(number('status') || 302, { Location: onTheLine(url.searchParams.get('to') ?? '') })
        .end()
      return
    case '/again':
      response.writeHead(302, { Location: `/again?n=${number('n') + 1}` }).end()
      return
    case '/big':
      Readable.from(filler(number('bytes') || Number.POSITIVE_INFINITY)).pipe(response)
      return
    case '/bomb':
      response.writeHead(200, { 'Content-Encoding': 'gzip' })
      Readable.from(filler(number('bytes')))
        .pipe(createGzip())
        .pipe(response)
      return
    case '/silent':
      return
    case '/slow': {
      const timer = setInterval(() => response.write('.'), 20)
      response.once('close', () => clearInterval(timer))
      return
    }
    case '/broken':
      response.writeHead(200, { 'Content-Length': '1000' }).write('half')
      setImmediate(() => response.destroy())
      return
    case '/cookies':
      response.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Kept': 'yes' }).end('cookies')
      return
    default:
      response.writeHead(200, { 'Content-Type': 'application/json' })
      void request.toArray().then((body) =>
        response.end(
          JSON.stringify({
            method: request.method,
            path: request.url,
            headers: request.headers,
            body: Buffer.concat(body).toString(),
          }),
        ),
      )
  }
}

export interface HostileServer {
  readonly port: number
  /** Paths with queries of all requests, except for `/count`. */
  readonly came: readonly string[]
  close(): Promise<void>
}

/** Listens on all addresses of this machine, including IPv6 if available. `/count` returns the number of requests. */
export async function hostileServer(): Promise<HostileServer> {
  const came: string[] = []
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    if (request.url === '/count') return void response.end(String(came.length))
    came.push(request.url ?? '')
    answer(request, response)
  })
  server.listen(0)
  await once(server, 'listening')
  // The cast is safe: a server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    port,
    came,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
