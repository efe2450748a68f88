// One GET /healthz of a local server. Never throws: a timeout is a result, too.

import { get } from 'node:http'

export interface Health {
  readonly status: number
  readonly body: string
}

/**
 * The answer of /healthz within `timeoutMs`, or null. Uses a new connection: a pooled one may belong to a
 * dead server.
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
