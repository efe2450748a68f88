// Sends GET /healthz to a local server. Never throws, because a timeout is also a result.

import { get } from 'node:http'

export interface Health {
  readonly status: number
  readonly body: string
}

/**
 * The response of /healthz, or null if there is none within `timeoutMs`. Uses a new connection, because a pooled one may
 * lead to a server that has ended.
 */
export async function probe(port: number, timeoutMs: number): Promise<Health | null> {
  return new Promise((resolve) => {
    const request = get(
      { host: '127.0.0.1', port, path: '/healthz', agent: false, signal: AbortSignal.timeout(timeoutMs) },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        response.on('error', () => resolve(null))
      },
    )
    request.on('error', () => resolve(null))
  })
}
