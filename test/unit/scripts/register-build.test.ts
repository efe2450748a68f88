// Promise: at the start, a busy Worker is retried, and a Worker that refuses the build ends the start with its reason.

import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'

import { afterEach, expect, test } from 'vitest'

import { freePort } from '../../../scripts/lib/free-port.ts'
import { lastReport, registerBuild } from '../../../scripts/start/register-build.ts'
import { SEND_ATTEMPTS_MAX } from '../../../src/client/limits.ts'

let server: Server | null = null
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = null
})

async function listening(answer: RequestListener): Promise<number> {
  server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** A Worker that gives this response to every request. */
async function saying(status: number, code: string): Promise<number> {
  return listening((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/problem+json' })
    response.end(
      JSON.stringify({ type: 'about:blank', title: code, status, code, detail: 'Busy.', request_id: 'r' }),
    )
  })
}

/** How the server process would end, and how many requests it made. */
async function ending(port: number): Promise<{ readonly type: string; readonly tries: number }> {
  let requested = 0
  const failed = await registerBuild(
    { port, adminKey: 'k' },
    'd',
    () => (requested += 1),
    async () => {},
  ).then(
    () => null,
    (error: unknown) => error,
  )
  return { type: lastReport(failed, null).type, tries: requested }
}

test.each([
  [429, 'rate_limited'],
  [503, 'overloaded'],
  [503, 'not_ready'],
])(
  'a Worker that answers %d %s to every attempt was too busy: the start is aborted',
  async (status, code) => {
    expect(await ending(await saying(status, code))).toEqual({ type: 'broken-off', tries: SEND_ATTEMPTS_MAX })
  },
)

test('an unreachable Worker aborts the start, too', async () => {
  expect(await ending(await freePort())).toEqual({ type: 'broken-off', tries: SEND_ATTEMPTS_MAX })
})

test('a Worker that refuses, or whose catalog is broken, is not retried forever: the start has failed', async () => {
  expect(await ending(await saying(422, 'invalid_request'))).toEqual({ type: 'failed', tries: 1 })
  server?.close()
  expect(await ending(await saying(503, 'catalog_broken'))).toEqual({
    type: 'failed',
    tries: SEND_ATTEMPTS_MAX,
  })
})

test('a Worker that accepts the build is asked once; other errors are failures unless workerd was killed', async () => {
  let requested = 0
  const port = await listening((_, response) => response.end('{}'))
  await registerBuild(
    { port, adminKey: 'k' },
    'd',
    () => (requested += 1),
    async () => {},
  )
  expect(requested).toBe(1)
  expect(lastReport(new Error('No bundle.'), null)).toEqual({ type: 'failed', message: 'No bundle.' })
  expect(lastReport(new Error('No bundle.'), 'SIGKILL')).toEqual({
    type: 'broken-off',
    why: 'workerd ended (SIGKILL)',
  })
})
