// Finds free ports on this machine's loopback address.

import { createServer } from 'node:net'

const HOST = '127.0.0.1'

/** Returns the port, or any free one for 0, if it can be bound now; null if it is in use. Throws on any other error. */
export async function bindablePort(port: number): Promise<number | null> {
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

/** Returns a port that is currently free. */
export async function freePort(): Promise<number> {
  const port = await bindablePort(0)
  if (port === null)
    throw new Error(`There is no free port on ${HOST}. Stop a program that listens on one, then try again.`)
  return port
}
