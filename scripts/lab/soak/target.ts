// A slow server that counts orders. It runs as long as the soak, whatever is killed.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import type { AddressInfo } from 'node:net'

export interface Target {
  /** `host:port`. */
  readonly host: string
  /** The number of orders for each key. */
  readonly orders: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/** `slowMs` returns the duration of each response. */
export async function startTarget(slowMs: () => number): Promise<Target> {
  const orders = new Map<string, number>()
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void request
      .toArray()
      .then(async (parts) => {
        // The cast is safe: the tool's definition sets this body.
        const { key } = JSON.parse(Buffer.concat(parts).toString()) as { readonly key: string }
        orders.set(key, (orders.get(key) ?? 0) + 1)
        await sleep(slowMs())
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ ordered: key }))
      })
      .catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: a server that listens on a port has an address of this kind.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    orders,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
