// Guards against a hostile upstream server: no more is read of its response than an answer could have, and redirects
// are not followed. The real SDK over a real socket; the test measures how much the server could send.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  MODEL_RESPONSE_MAX_BYTES,
  MODEL_ERROR_MAX_BYTES,
  MODEL_EVENT_MAX_BYTES,
  MODEL_ERROR_QUOTE_MAX_CHARS,
} from '../../../src/model/limits.ts'
import { anthropicModel } from '../../../src/model/anthropic.ts'
import { NO_TOKENS } from '../../../src/agent/message.ts'
import type { ModelFault } from '../../../src/agent/model.ts'
import { API_KEY, callOnce, faultOf } from './helpers.ts'

/** Bytes that buffers on both sides may hold when the client disconnects. */
const IN_FLIGHT = 12_582_912
const HUGE = 419_430_400
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":9}}}\n\n'

interface Hostile {
  readonly url: string
  /** Bytes of bodies that the client's side accepted. */
  taken(): number
  readonly requests: string[]
  /** Resolves once the client has disconnected. */
  readonly hungUp: Promise<void>
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

type Answer = (response: ServerResponse, request: IncomingMessage) => void

async function hostile(answer: Answer): Promise<Hostile> {
  const requested: string[] = []
  const sockets = new Set<Socket>()
  const gone = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    request.resume()
    sockets.add(request.socket)
    response.on('close', () => gone.resolve())
    answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    taken: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    requests: requested,
    hungUp: gone.promise,
  }
}

/** Writes `piece` repeatedly, as fast as it is accepted, until `bytes` were sent or the client is gone. */
function pour(response: ServerResponse, piece: string, bytes = HUGE): void {
  let left = bytes
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length
      if (!response.write(piece)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

async function faultFrom(url: string): Promise<ModelFault> {
  const { outcome } = await callOnce(anthropicModel({ apiKey: API_KEY, baseUrl: url, silenceMaxMs: 20_000 }))
  return faultOf(outcome)
}

describe('a stream', () => {
  const stream: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(START)
  }
  const X = 'x'.repeat(65_536)
  const lines = `${'data: x\n'.repeat(8_192)}`
  const ping = `${'event: ping\ndata: {}\n\n'.repeat(3_000)}`

  it.each([
    ['an endless line', `data: ${X}`, MODEL_EVENT_MAX_BYTES],
    ['an endless line without a field name', X, MODEL_EVENT_MAX_BYTES],
    ['an event of endless lines', lines, MODEL_EVENT_MAX_BYTES],
    ['endless comments', `: ${X}\n`, MODEL_EVENT_MAX_BYTES],
    ['endless pings', ping, MODEL_RESPONSE_MAX_BYTES],
  ])('with %s is disconnected at its limit', async (_, piece, limit) => {
    const api = await hostile((response, request) => {
      stream(response, request)
      pour(response, piece)
    })
    const fault = await faultFrom(api.url)
    expect(fault).toMatchObject({ reason: 'bad_response', retry: 'never' })
    expect(fault.detail).toContain(String(limit))
    expect(fault.usage?.input_tokens).toBe(9)
    await api.hungUp
    expect(api.taken()).toBeGreaterThan(limit)
    expect(api.taken()).toBeLessThan(limit + IN_FLIGHT)
  })
})

describe('an error', () => {
  it.each([
    ['of 400 MB', 529, {}, 'overloaded'],
    ['that claims to be short', 500, { 'content-length': '5' }, 'server_error'],
    ['of an unknown type', 418, {}, 'invalid_request'],
  ])('%s is identified by its status, and its body is disconnected', async (_, status, headers, reason) => {
    const api = await hostile((response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      pour(response, 'x'.repeat(65_536))
    })
    const fault = await faultFrom(api.url)
    expect(fault.reason).toBe(reason)
    expect(fault.detail.length).toBeLessThan(3 * MODEL_ERROR_QUOTE_MAX_CHARS)
    await api.hungUp
    expect(api.taken()).toBeLessThan(MODEL_ERROR_MAX_BYTES + IN_FLIGHT)
  })

  it('with an endlessly nested body is identified by its status', async () => {
    const body = `{"error":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const api = await hostile((response) => {
      response.writeHead(529, { 'content-type': 'application/json' })
      response.end(body)
    })
    expect(await faultFrom(api.url)).toMatchObject({ reason: 'overloaded', retry: 'later' })
  })

  it('with an interrupted body is identified by its status', async () => {
    const api = await hostile((response) => {
      response.writeHead(429, { 'content-length': '500' })
      response.write('{"error"', () => response.destroy())
    })
    expect(await faultFrom(api.url)).toMatchObject({ reason: 'rate_limited', retry: 'later' })
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %i is not followed, and the error says what to fix',
    async (status) => {
      const elsewhere = await hostile((response) => response.end('secrets'))
      const api = await hostile((response) => {
        response.writeHead(status, { location: `${elsewhere.url}/v1/messages` })
        pour(response, 'x'.repeat(65_536), 1_048_576)
      })
      const fault = await faultFrom(api.url)
      expect(fault).toMatchObject({ reason: 'bad_response', retry: 'never', usage: NO_TOKENS })
      expect(fault.detail).toContain('redirect')
      expect(fault.detail).toContain('ANTHROPIC_BASE_URL')
      expect(elsewhere.requests).toEqual([])
      expect(api.requests).toHaveLength(1)
    },
  )
})
