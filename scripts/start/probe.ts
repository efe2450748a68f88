// One GET /healthz of a server on this machine. Never throws: no answer in time is an answer too.

import { get } from 'node:http'

export interface Health {
  readonly status: number
  readonly body: string
}

/** What /healthz says within `timeoutMs`, or null. A connection of its own: a pooled one may be a dead server's. */
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
