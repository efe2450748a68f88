// What Satchel is measured against: the least Worker that does the same job. One object hop, the SDK's stream inside
// the object, text deltas passed on as Server-Sent Events. Nothing is checked, authenticated or stored.

import Anthropic from '@anthropic-ai/sdk'

interface Stub {
  fetch(request: Request): Promise<Response>
}

interface Env {
  readonly BARE: { getByName(name: string): Stub }
  readonly ANTHROPIC_API_KEY: string
  readonly ANTHROPIC_BASE_URL: string
}

export interface BareRequest {
  readonly thread: string
  readonly message: string
}

type Block = Anthropic.ContentBlockParam
interface ToolUse {
  readonly id: string
  readonly name: string
  json: string
}

const TOOLS: Anthropic.Tool[] = [
  { name: 'note', description: 'Notes a word.', input_schema: { type: 'object', properties: {} } },
]
const encoder = new TextEncoder()

export class Bare {
  readonly #anthropic: Anthropic

  constructor(_state: unknown, env: Env) {
    const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseURL } = env
    this.#anthropic = new Anthropic({ apiKey, baseURL, maxRetries: 0 })
  }

  async fetch(request: Request): Promise<Response> {
    // The bench's own request.
    const { message } = (await request.json()) as BareRequest
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const send = (event: string, data: object): void => {
      void writer.write(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    }
    void this.#run(message, send).then(
      () => writer.close(),
      (error: unknown) => {
        send('run.failed', { error: String(error) })
        return writer.close()
      },
    )
    return new Response(readable, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
  }

  async #run(message: string, send: (event: string, data: object) => void): Promise<void> {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: message }]
    for (;;) {
      const { content, calls } = await this.#step(messages, send)
      if (calls.length === 0) break
      messages.push({ role: 'assistant', content })
      messages.push({
        role: 'user',
        content: calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: 'noted' })),
      })
    }
    send('run.completed', {})
  }

  async #step(
    messages: Anthropic.MessageParam[],
    send: (event: string, data: object) => void,
  ): Promise<{ content: Block[]; calls: readonly ToolUse[] }> {
    const stream = await this.#anthropic.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 1_024,
      tools: TOOLS,
      messages,
      stream: true,
    })
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
    const used: Block[] = calls.map(({ id, name, json }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(json || '{}') as object, // what a scripted model sent
    }))
    return { content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...used], calls }
  }
}

const worker = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const body = await request.text()
    // The bench's own request.
    const { thread } = JSON.parse(body) as BareRequest
    return env.BARE.getByName(thread).fetch(new Request(request.url, { method: 'POST', body }))
  },
}

// oxlint-disable-next-line import/no-default-export -- the platform takes a Worker by its default export
export default worker
