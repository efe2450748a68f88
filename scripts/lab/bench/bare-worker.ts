// The baseline for Satchel: a minimal Worker that does the same job. It makes one hop to an object, runs the SDK's
// stream inside the object, and passes text deltas on as Server-Sent Events. It validates, authenticates and stores
// nothing. It sends either only the message, or as many bytes as Satchel: the same prompt, tools and results, and the
// thread so far from memory. One object also verifies and records webhooks.

import Anthropic from '@anthropic-ai/sdk'
import { Webhook } from 'standardwebhooks'

interface Stub {
  fetch(request: Request): Promise<Response>
}

interface Sql {
  exec(query: string, ...bindings: unknown[]): unknown
}

interface Env {
  readonly BARE: { getByName(name: string): Stub }
  readonly ANTHROPIC_API_KEY: string
  readonly ANTHROPIC_BASE_URL: string
}

export interface BareRequest {
  readonly thread: string
  readonly message: string
  /** After POST /same, sends what Satchel sends. */
  readonly same: boolean
}

/** The body of POST /same: what Satchel sent in a run of the tools scene. */
export interface RecordedRun {
  /** The request without its messages. */
  readonly request: Omit<Anthropic.MessageCreateParamsStreaming, 'messages'>
  /** The results of its calls, in order. */
  readonly results: readonly string[]
}

type Block = Anthropic.ContentBlockParam
interface ToolUse {
  readonly id: string
  readonly name: string
  json: string
}

const MINIMAL_RUN: RecordedRun = {
  request: {
    model: 'claude-sonnet-5-5',
    max_tokens: 1_024,
    tools: [{ name: 'note', description: 'Notes a word.', input_schema: { type: 'object', properties: {} } }],
    stream: true,
  },
  results: [],
}
/** The secret of the benchmark's deliveries (webhooks.ts). */
const HOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const encoder = new TextEncoder()

/** Shared by the Worker and its objects, which run in one isolate. */
let recorded: RecordedRun = MINIMAL_RUN

export class Bare {
  readonly #anthropic: Anthropic
  /** The thread so far, for a request with equal bytes. */
  readonly #thread: Anthropic.MessageParam[] = []

  readonly #sql: Sql

  constructor(state: { readonly storage: { readonly sql: Sql } }, env: Env) {
    this.#sql = state.storage.sql
    const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseURL } = env
    this.#anthropic = new Anthropic({ apiKey, baseURL, maxRetries: 0 })
  }

  async fetch(request: Request): Promise<Response> {
    if (request.headers.has('webhook-id')) return this.#record(request)
    // The cast is safe: the benchmark sends this request.
    const { message, same } = (await request.json()) as BareRequest
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const send = (event: string, data: object): void => {
      void writer.write(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    }
    void this.#run(message, same, send).then(
      () => writer.close(),
      (error: unknown) => {
        send('run.failed', { error: String(error) })
        return writer.close()
      },
    )
    return new Response(readable, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
  }

  /** Verifies a delivery and records it once. The response waits for the disk. */
  async #record(request: Request): Promise<Response> {
    const body = await request.text()
    const headers = Object.fromEntries(request.headers)
    new Webhook(HOOK_SECRET).verify(body, headers)
    this.#sql.exec('CREATE TABLE IF NOT EXISTS deliveries (id TEXT PRIMARY KEY, headers TEXT, body TEXT)')
    const insert = 'INSERT INTO deliveries VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
    this.#sql.exec(insert, headers['webhook-id'], JSON.stringify(headers), body)
    return Response.json({ delivery_id: headers['webhook-id'] }, { status: 202 })
  }

  async #run(message: string, same: boolean, send: (event: string, data: object) => void): Promise<void> {
    const { request, results } = same ? recorded : MINIMAL_RUN
    const messages: Anthropic.MessageParam[] = same ? this.#thread : []
    messages.push({ role: 'user', content: message })
    for (let callRounds = 0; ; callRounds++) {
      const { content, calls } = await this.#step({ ...request, messages }, send)
      messages.push({ role: 'assistant', content })
      if (calls.length === 0) break
      const result = results[callRounds] ?? 'noted'
      messages.push({
        role: 'user',
        content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: result })),
      })
    }
    send('run.completed', {})
  }

  async #step(
    request: Anthropic.MessageCreateParamsStreaming,
    send: (event: string, data: object) => void,
  ): Promise<{ content: Block[]; calls: readonly ToolUse[] }> {
    const stream = await this.#anthropic.messages.create(request)
    let text = ''
    const calls: ToolUse[] = []
    for await (const event of stream) {
      if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
        calls.push({ id: event.content_block.id, name: event.content_block.name, json: '' })
      if (event.type !== 'content_block_delta') continue
      const { delta } = event
      const call = calls.at(-1)
      if (delta.type === 'input_json_delta' && call) call.json += delta.partial_json
      if (delta.type !== 'text_delta') continue
      text += delta.text
      send('text.delta', { text: delta.text })
    }
    const toolUses: Block[] = calls.map(({ id, name, json }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(json || '{}') as object, // the scripted model sends objects
    }))
    return { content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...toolUses], calls }
  }
}

const worker = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/hooks/')) return env.BARE.getByName(pathname).fetch(request)
    const body = await request.text()
    if (pathname === '/same') {
      // The cast is safe: the benchmark sends this request.
      recorded = JSON.parse(body) as RecordedRun
      return new Response(null, { status: 204 })
    }
    // The cast is safe: the benchmark sends this request.
    const { thread } = JSON.parse(body) as BareRequest
    return env.BARE.getByName(thread).fetch(new Request(request.url, { method: 'POST', body }))
  },
}

// oxlint-disable-next-line import/no-default-export -- the platform expects a Worker as the default export
export default worker
