// An MCP server over HTTP whose behaviour a test sets. Written from the protocol, not from the client. A test outside of
// its process sets the state with `PUT /state` and reads what came with `GET /state`.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

interface FakeTool {
  readonly name: string
  readonly [field: string]: unknown
}

/** Everything that a test can set. */
export interface McpState {
  /** `none`: no sessions, as of 2026-07-28; `2024-11-05`: HTTP+SSE; otherwise the revision with sessions. */
  readonly revision: string
  readonly tools: readonly FakeTool[]
  /** The result of each call; null breaks the connection after the call was recorded. */
  readonly result: unknown
  /** Answers each request with this status instead. */
  readonly status: number | null
  /** The body of an answer with such a status, and of a refusal of HTTP+SSE. */
  readonly body: string
  /** Tools per page; a negative number never ends. */
  readonly page: number
  /** Sends answers as a stream that stays open, after these messages. */
  readonly events: readonly object[] | null
  /** Forgets all sessions before the next request. */
  readonly forgets: boolean
  /** Answers requests without a session, too, and names a session in each answer; `mute` knows no handshake. */
  readonly lenient: 'yes' | 'mute' | null
  /** Ends the stream of each call before the answer, so that it must be read on. */
  readonly cuts: boolean
  /** Records each call and never answers it: `silent` sends nothing, `talking` sends progress without end. */
  readonly stalls: 'silent' | 'talking' | null
  /** HTTP+SSE: the address for messages. */
  readonly endpoint: string
  /** Asks for the token that it issued last. It is its own authorization server; the fields replace its metadata. */
  readonly oauth:
    | {
        readonly [field in 'resource' | 'server' | 'issuer' | 'endpoint' | 'metadata' | 'token']?: string
      }
    | null
}

export interface McpSeen {
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly params: Readonly<Record<string, unknown>>
}

const ADD: FakeTool = {
  name: 'add_note',
  description: 'Adds a note.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}
const LIST: FakeTool = {
  name: 'list.notes',
  description: 'Lists the notes.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
}

export const FRESH_STATE: McpState = {
  revision: 'none',
  tools: [ADD, LIST],
  result: { content: [{ type: 'text', text: 'noted' }] },
  status: null,
  body: 'no',
  page: 100,
  events: null,
  forgets: false,
  lenient: null,
  cuts: false,
  stalls: null,
  endpoint: '/messages',
  oauth: null,
}

export class FakeMcpServer {
  state: McpState = FRESH_STATE
  seen: McpSeen[] = []
  /** How many of its streams were closed by the client before they ended. */
  left = 0
  /** How many tokens it has issued. */
  tokens = 0
  /** The open stream of HTTP+SSE. */
  #stream: ServerResponse | null = null
  /** The ID of the call whose stream was cut. */
  #cut: unknown = null
  #sessions = new Set<string>()
  #made = 0
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response))

  /** Returns its `host:port`. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    // The cast is safe: it listens on a port.
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** The methods of the requests, in order. */
  get methods(): readonly string[] {
    return this.seen.map(({ method }) => method)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    if (request.url === '/state') return this.#control(request, body, response)
    const { state } = this
    const message: Record<string, unknown> = body.startsWith('{') ? JSON.parse(body) : {}
    const named = message['method']
    const method = typeof named === 'string' ? named : String(request.method)
    // The cast is safe: clients send objects or nothing.
    const params = (message['params'] ?? {}) as McpSeen['params']
    if (request.url !== '/token') this.seen.push({ method, headers: request.headers, params })
    if (state.oauth && this.#refuses(request, response, body)) return
    if (state.status !== null) return void response.writeHead(state.status).end(state.body)
    if (state.revision === '2024-11-05') return this.#answerOverSse(request, response, message)
    const session = String(request.headers['mcp-session-id'] ?? '')
    if (state.forgets) this.#sessions.clear()
    if (state.lenient) response.setHeader('Mcp-Session-Id', 'session-0')
    if (state.lenient === 'mute' && method === 'initialize') return void response.writeHead(400).end()
    if (state.revision !== 'none' && method !== 'initialize' && !(state.lenient && session === '')) {
      if (session === '') return void response.writeHead(400).end('{"error": "no session"}')
      if (!this.#sessions.has(session)) return void response.writeHead(404).end()
    }
    if (state.revision === 'none' && method === 'initialize') return void response.writeHead(400).end()
    if (method === 'GET' && request.headers['last-event-id'] === 'event-7') {
      const answer = { jsonrpc: '2.0', id: this.#cut, result: state.result }
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      return void response.end(`data: ${JSON.stringify(answer)}\n\n`)
    }
    if (method === 'GET') return void response.writeHead(405).end()
    if (message['id'] === undefined) return void response.writeHead(method === 'DELETE' ? 200 : 202).end()
    if (method === 'initialize') {
      const id = `session-${++this.#made}`
      this.#sessions.add(id)
      this.state = { ...state, forgets: false }
      response.setHeader('Mcp-Session-Id', id)
    }
    if (method === 'tools/call' && state.cuts) {
      this.#cut = message['id']
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      return void response.end('id: event-7\nretry: 10\ndata:\n\n')
    }
    if (method === 'tools/call' && state.stalls) return this.#stall(response, state.stalls)
    if (method === 'tools/call' && state.result === null) return void response.destroy()
    this.#send(response, { jsonrpc: '2.0', id: message['id'], result: this.#result(method, params) })
  }

  /** Whether this request is none of MCP, or lacks the newest token; it is answered then. */
  #refuses(request: IncomingMessage, response: ServerResponse, body: string): boolean {
    const { oauth } = this.state
    const own = `http://${request.headers.host}`
    const path = request.url ?? ''
    const say = (status: number, json: object): true => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
      return true
    }
    if (path === '/.well-known/oauth-protected-resource/mcp')
      return say(200, {
        resource: oauth?.resource ?? `${own}/mcp`,
        authorization_servers: [oauth?.server ?? own],
      })
    if (path === '/.well-known/oauth-authorization-server')
      return say(200, { issuer: oauth?.issuer ?? own, token_endpoint: oauth?.endpoint ?? `${own}/token` })
    if (path === '/token') {
      const form = Object.fromEntries(new URLSearchParams(body))
      this.seen.push({ method: 'token', headers: request.headers, params: form })
      const token = oauth?.token ?? `tok-${++this.tokens}-4f1c9a`
      return say(200, { access_token: token, token_type: 'Bearer', expires_in: oauth?.token ? 1e9 : 3600 })
    }
    const isKnown = this.tokens > 0 && request.headers.authorization === `Bearer tok-${this.tokens}-4f1c9a`
    if (isKnown) return false
    if (oauth?.metadata !== undefined)
      response.setHeader('WWW-Authenticate', `Bearer resource_metadata="${oauth.metadata}"`)
    return say(401, {})
  }

  #answerOverSse(request: IncomingMessage, response: ServerResponse, message: Record<string, unknown>): void {
    const { revision, endpoint, status, body, result } = this.state
    if (request.method === 'GET') {
      this.#stream = response
      return this.#openStream(response, `event: endpoint\ndata: ${endpoint}\n\n`)
    }
    if (request.url === '/mcp') return void response.writeHead(405).end(body)
    const isKnown = request.headers['mcp-protocol-version'] === (message['id'] === 1 ? undefined : revision)
    if (!isKnown || status !== null) return void response.writeHead(status ?? 400).end()
    response.writeHead(202).end('Accepted')
    const { id, method } = message
    if (id === undefined) return
    if (method === 'tools/call' && result === null) return void this.#stream?.destroy()
    // The cast is safe: clients send objects or nothing.
    const answer = this.#result(String(method), (message['params'] ?? {}) as McpSeen['params'])
    for (const event of [...(this.state.events ?? []), { jsonrpc: '2.0', id, result: answer }])
      this.#stream?.write(`data: ${JSON.stringify(event)}\n\n`)
  }

  #stall(response: ServerResponse, how: 'silent' | 'talking'): void {
    if (how === 'silent') return void response.on('close', () => (this.left += 1))
    this.#openStream(response)
    const message = { method: 'notifications/progress', params: { progress: 1, total: 3 } }
    const timer = setInterval(() => response.write(`data: ${JSON.stringify(message)}\n\n`), 5)
    response.on('close', () => clearInterval(timer))
  }

  #openStream(response: ServerResponse, text = ''): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(text)
    response.on('close', () => (this.left += response.writableEnded ? 0 : 1))
  }

  #result(method: string, params: McpSeen['params']): unknown {
    const { revision, tools, page, result } = this.state
    if (method === 'initialize')
      return {
        protocolVersion: revision,
        capabilities: { tools: {} },
        serverInfo: { name: 'fake', version: '1' },
      }
    if (method === 'tools/call') return result
    const from = Number(params['cursor'] ?? 0)
    if (page < 0) return { tools: [{ ...ADD, name: `endless_${from}` }], nextCursor: String(from + 1) }
    const next = from + page < tools.length ? { nextCursor: String(from + page) } : {}
    return { tools: tools.slice(from, from + page), ...next }
  }

  #send(response: ServerResponse, message: object): void {
    const { events } = this.state
    if (!events)
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(message))
    this.#openStream(response)
    for (const event of [...events, message])
      response.write(`event: message\ndata: ${JSON.stringify(event)}\n\n`)
  }

  #control(request: IncomingMessage, body: string, response: ServerResponse): void {
    const seen = this.seen
    if (request.method === 'PUT') {
      this.state = { ...FRESH_STATE, ...JSON.parse(body) }
      this.seen = []
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(seen))
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
