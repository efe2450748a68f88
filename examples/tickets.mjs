// A ticket service for trying tools: it says what it received, and forgets it. `node examples/tickets.mjs 4010`
// Not a part of Satchel; plain JavaScript, so that any Node runs it.

import { createServer } from 'node:http'

const port = Number(process.argv[2] ?? 4010)
const MOST_BYTES = 100_000
let count = 0

async function take(request, response) {
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(body)}\n`)
  }
  if (request.method !== 'POST' || request.url !== '/tickets') return answer(404, { error: 'POST /tickets' })
  let text = ''
  for await (const part of request) {
    text += part
    if (text.length > MOST_BYTES) return answer(413, { error: 'too large' })
  }
  let ticket
  try {
    ticket = JSON.parse(text)
  } catch {
    return answer(400, { error: 'not JSON' })
  }
  if (typeof ticket?.title !== 'string') return answer(422, { error: 'a ticket needs a title' })
  count++
  console.log(`ticket ${count}: ${JSON.stringify(ticket)}`)
  answer(201, { id: count, title: ticket.title, state: 'open' })
}

const server = createServer(
  (request, response) => void take(request, response).catch(() => response.destroy()),
)

server.on('error', (error) => {
  console.error(`Port ${port}: ${error.message}`)
  process.exitCode = 1
})
server.listen(port, '127.0.0.1', () => console.log(`Tickets are taken at http://127.0.0.1:${port}/tickets`))
