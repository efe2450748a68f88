// The model API of the load test, in its own process: it answers normally, after two seconds for `TWO SECONDS`, slowly
// for `SLOW`, and with malicious answers for `ENDLESS LINE` and `HUGE ERROR`. `node
// scripts/lab/soak/load/model-api.ts`

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { defaultScript } from '../../../../test/fakes/messages-default.ts'
import { startMessagesApi } from '../../../../test/fakes/messages-api.ts'
import { serveParent } from '../../rig/model-api.ts'

const MEGABYTE = Buffer.alloc(1_048_576, 'a')
const ENDLESS_MB = 400
const HUGE_MB = 200

const normalScript = defaultScript({ steps: 0, words: 10 })
/** A minute of streamed text. */
const slowScript = defaultScript({ steps: 0, words: 600, deltaMs: 100 })
const twoSecondsScript = defaultScript({ steps: 0, words: 20, deltaMs: 100 })
const api = await startMessagesApi(
  (request, index) => {
    const is = (mark: string): boolean => request.raw.includes(mark)
    const script = is('SLOW') ? slowScript : is('TWO SECONDS') ? twoSecondsScript : normalScript
    if (typeof script !== 'function') throw new Error('the default script decides by the request')
    return script(request, index)
  },
  { strict: false },
)

/** Sends megabytes for as long as the client accepts them. */
async function sendMegabytes(response: ServerResponse, megabytes: number): Promise<void> {
  const endless = Readable.from(Array.from({ length: megabytes }, () => MEGABYTE))
  // The client closes the connection when it has read enough.
  await pipeline(endless, response).catch(() => undefined)
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer) // a request without an encoding yields buffers
  const raw = Buffer.concat(parts).toString('utf8')
  if (raw.includes('ENDLESS LINE')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('event: message_start\ndata: {"type": "message_start", "text": "')
    return sendMegabytes(response, ENDLESS_MB)
  }
  if (raw.includes('HUGE ERROR')) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.write('{"type": "error", "error": {"type": "invalid_request_error", "message": "')
    return sendMegabytes(response, HUGE_MB)
  }
  const answer = await fetch(`${api.url}${request.url ?? ''}`, {
    method: request.method ?? 'POST',
    body: raw,
  })
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  for await (const chunk of answer.body ?? []) response.write(chunk)
  response.end()
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  serveParent(`http://127.0.0.1:${port}`, () => ({ requests: api.exchanges.length }))
})
