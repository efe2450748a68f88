// Ports of this machine's loopback address. Binds for an instant, never keeps one.

import { createServer } from 'node:net'

const HOST = '127.0.0.1'

/** `port`, or any free one for 0, if it can be bound now; null if it is taken. Throws on any other error. */
export async function bindable(port: number): Promise<number | null> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null)
      else reject(error)
    })
    server.listen(port, HOST, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const port = await bindable(0)
  if (port === null) throw new Error(`No free port on ${HOST}: close something that listens and try again.`)
  return port
}
