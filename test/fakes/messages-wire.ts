// A scripted Messages API as pure data: takes a request, returns the bytes of the streaming wire format. A script sets
// the answer event by event, and how the connection misbehaves. Without node:*, so that it also runs in workerd.

import { PromptCache, type Billed } from './messages-cache.ts'

export interface WireBlock {
  readonly type: string
  readonly [field: string]: unknown
}

export interface WireEvent {
  readonly event: string
  readonly data: unknown
}

/** One streamed answer. Everything except `content` has a default. */
interface Say {
  readonly content: readonly WireBlock[]
  /** Default: `tool_use` if there is a tool call, else `end_turn`. */
  readonly stop?: string
  readonly stopDetails?: unknown
  /** Usage of `message_start` and of `message_delta`; null leaves it out. */
  readonly usage?: { readonly start?: unknown; readonly last?: unknown }
  /** Characters for each delta. Default 12. */
  readonly deltaChars?: number
  /** Events inserted before the one with this index. */
  readonly insert?: readonly ({ readonly at: number } & WireEvent)[]
  /** Edits the finished list of events, for streams that no correct server sends. */
  readonly rewrite?: (events: readonly WireEvent[]) => readonly WireEvent[]
  /** The body ends after this many events, `cleanly` or (default) with a lost connection. */
  readonly cutAfter?: number
  readonly cleanly?: boolean
  /** No further event is sent after this many, and the connection stays open. */
  readonly stallAfter?: number
  /** The events from this index on are sent once the promise resolves. Only over HTTP. */
  readonly hold?: { readonly at: number; readonly until: Promise<unknown> }
  readonly firstDelayMs?: number
  readonly delayMs?: number
  /** Bytes in one write; 1 splits at every byte. Default: one event for each write. */
  readonly chunkBytes?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A response that is not a stream: an API error, or whatever a proxy may send. */
interface Fault {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. Default: the API's own error shape with `type` and `message`. */
  readonly body?: unknown
  readonly type?: string
  readonly message?: string
}

/** `connection`: the connection fails without a reason; otherwise the error code that the runtime gives. */
export type Reply = Say | Fault | { readonly refuse: 'connection' | 'ECONNREFUSED' | 'ENOTFOUND' }

/** A request, byte for byte. */
export interface ModelRequest {
  readonly raw: string
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
}

export type Script = readonly Reply[] | ((requested: ModelRequest, index: number) => Reply)

/** A request and its outcome: the returned content if the message was sent whole, else null. */
export interface Exchange extends ModelRequest {
  readonly returned: readonly WireBlock[] | null
  readonly stop: string | null
  /** What the prompt is billed; null if the request was refused. */
  readonly prompt: Billed | null
}

/** How an answer is sent. */
export interface Plan {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly Uint8Array[]
  readonly end: 'close' | 'cut' | 'stall'
  readonly hold: Say['hold'] | null
  readonly firstDelayMs: number
  readonly delayMs: number
}

const encoder = new TextEncoder()

/** A prompt of a few tokens, for tests that check exact numbers. */
const FEW = { input_tokens: 25, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

function eventsOf(say: Say, id: string, model: string, billed: object | string): readonly WireEvent[] {
  const events: WireEvent[] = []
  const push = (type: string, fields: object = {}): void => {
    events.push({ event: type, data: { type, ...fields } })
  }
  const first = typeof billed === 'string' ? FEW : billed
  const start = say.usage?.start === undefined ? { ...first, output_tokens: 1 } : say.usage.start
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null }
  push('message_start', {
    message: { ...message, stop_sequence: null, ...(start !== null && { usage: start }) },
  })
  push('ping')
  for (const [index, block] of say.content.entries()) {
    const { opening, deltas } = pieces(block, say.deltaChars ?? 12)
    push('content_block_start', { index, content_block: opening })
    for (const delta of deltas) push('content_block_delta', { index, delta })
    push('content_block_stop', { index })
  }
  const last = say.usage?.last === undefined ? { output_tokens: 7, ...searched(say.content) } : say.usage.last
  const details = say.stopDetails === undefined ? {} : { stop_details: say.stopDetails }
  const delta = { stop_reason: stopOf(say), stop_sequence: null, ...details }
  push('message_delta', { delta, ...(last !== null && { usage: last }) })
  push('message_stop')
  const inserted = say.insert ?? []
  const whole = events.flatMap((event, at) => [...inserted.filter((extra) => extra.at === at), event])
  return say.rewrite?.(whole) ?? whole
}

/** The usage that the API reports for its own searches; failed ones are not billed. */
function searched(content: readonly WireBlock[]): object {
  const { length } = content.filter(
    (block) => block.type === 'web_search_tool_result' && Array.isArray(block['content']),
  )
  return length === 0 ? {} : { server_tool_use: { web_search_requests: length, web_fetch_requests: 0 } }
}

function stopOf(say: Say): string {
  return say.stop ?? (say.content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn')
}

function cut(text: string, size: number): readonly string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []
}

/** A block as the API opens it, and the deltas that complete it. */
function pieces(block: WireBlock, size: number): { opening: WireBlock; deltas: readonly object[] } {
  const field = (name: string): string => (typeof block[name] === 'string' ? block[name] : '')
  switch (block.type) {
    case 'text': {
      const citations = Array.isArray(block['citations']) ? block['citations'] : []
      const deltas = [
        ...cut(field('text'), size).map((text) => ({ type: 'text_delta', text })),
        ...citations.map((citation: unknown) => ({ type: 'citations_delta', citation })),
      ]
      const empty = citations.length > 0 ? { ...block, text: '', citations: [] } : { ...block, text: '' }
      return { opening: empty, deltas }
    }
    case 'thinking': {
      const deltas = [
        ...cut(field('thinking'), size).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: field('signature') },
      ]
      return { opening: { ...block, thinking: '', signature: '' }, deltas }
    }
    case 'tool_use':
    case 'server_tool_use': {
      const json = JSON.stringify(block['input'])
      const parts = json === '{}' ? [''] : cut(json, size)
      const deltas = parts.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      return { opening: { ...block, input: {} }, deltas }
    }
    default:
      return { opening: block, deltas: [] }
  }
}

function frame({ event, data }: WireEvent): Uint8Array {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return encoder.encode(`event: ${event}\ndata: ${text}\n\n`)
}

function rechunk(frames: readonly Uint8Array[], size: number): Uint8Array[] {
  const all = frames.flatMap((bytes) => [...bytes])
  const chunks: Uint8Array[] = []
  for (let at = 0; at < all.length; at += size) chunks.push(Uint8Array.from(all.slice(at, at + size)))
  return chunks
}

function planOf(
  reply: Exclude<Reply, { refuse: unknown }>,
  number: number,
  model: string,
  billed: object | string,
): Plan {
  const requestId = `req_fake_${number}`
  if ('status' in reply) {
    const error = { type: reply.type ?? 'api_error', message: reply.message ?? 'Scripted fault' }
    const body = reply.body ?? { type: 'error', error, request_id: requestId }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { 'content-type': 'application/json', 'request-id': requestId, ...reply.headers }
    const chunks = [encoder.encode(text)]
    return { status: reply.status, headers, chunks, end: 'close', hold: null, firstDelayMs: 0, delayMs: 0 }
  }
  const events = eventsOf(reply, `msg_fake_${number}`, model, billed)
  const shown = events.slice(0, reply.cutAfter ?? reply.stallAfter ?? events.length)
  const frames = shown.map(frame)
  const broken = reply.cleanly === true ? 'close' : 'cut'
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'request-id': requestId,
      ...reply.headers,
    },
    chunks: reply.chunkBytes === undefined ? frames : rechunk(frames, reply.chunkBytes),
    end: reply.cutAfter !== undefined ? broken : reply.stallAfter !== undefined ? 'stall' : 'close',
    hold: reply.hold ?? null,
    firstDelayMs: reply.firstDelayMs ?? 0,
    delayMs: reply.delayMs ?? 0,
  }
}

/** Records the requests and answers of a scripted API, and takes the next reply from the script. */
export class Recorder {
  readonly exchanges: Exchange[] = []
  /** Number of `fakeFetch` answers that stalled after everything before was read. */
  silent = 0
  readonly #script: Script
  readonly #cache: PromptCache | null

  /** `bills`: an answer without its own usage is billed for its real prompt, otherwise for a few tokens. */
  constructor(script: Script, bills: boolean) {
    this.#script = script
    this.#cache = bills ? new PromptCache() : null
  }

  /** The plan for a request, or the error with which the connection fails. */
  take(requested: ModelRequest): Plan | Error {
    const number = this.exchanges.length
    const script = this.#script
    const reply = typeof script === 'function' ? script(requested, number) : script[number]
    const missing = { status: 500, message: `The script has ${number} replies and was asked once more.` }
    const billed = reply && 'content' in reply ? (this.#cache?.bill(requested.raw) ?? FEW) : FEW
    const actual: Reply =
      typeof billed === 'string'
        ? { status: 400, type: 'invalid_request_error', message: billed }
        : (reply ?? missing)
    const output = 'content' in actual && actual.cutAfter === undefined && actual.stallAfter === undefined
    const whole = output ? actual : null
    const prompt = 'content' in actual && typeof billed === 'object' ? billed : null
    const returned = whole?.content ?? null
    this.exchanges.push({ ...requested, returned, stop: whole ? stopOf(whole) : null, prompt })
    return 'refuse' in actual
      ? failing(actual.refuse)
      : planOf(actual, number, modelOf(requested.raw), billed)
  }
}

function failing(code: string): Error {
  const cause = new Error(code === 'connection' ? 'connect ECONNREFUSED' : `connect ${code}`)
  return new TypeError('fetch failed', {
    cause: code === 'connection' ? cause : Object.assign(cause, { code }),
  })
}

function modelOf(raw: string): string {
  return /"model":"([^"]*)"/.exec(raw)?.[1] ?? 'unknown'
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The scripted API as a `fetch`, for tests without a socket. `recorder.exchanges` lists the requests. */
export function fakeFetch(
  script: Script,
  bills = false,
): { readonly fetch: typeof fetch; readonly recorder: Recorder } {
  const recorder = new Recorder(script, bills)
  const fake: typeof fetch = async (address, init) => {
    const url = new URL(address instanceof Request ? address.url : address)
    const raw = typeof init?.body === 'string' ? init.body : ''
    const headers = Object.fromEntries(new Headers(init?.headers).entries())
    const plan = recorder.take({ raw, headers, path: url.pathname })
    if (plan instanceof Error) throw plan
    const body = streamOf(plan, init?.signal ?? null, () => (recorder.silent += 1))
    return new Response(body, { status: plan.status, headers: plan.headers })
  }
  return { fetch: fake, recorder }
}

function streamOf(plan: Plan, signal: AbortSignal | null, onSilence: () => void): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')))
    },
    async pull(controller) {
      const pause = at === 0 ? plan.firstDelayMs : plan.delayMs
      if (pause > 0) await wait(pause)
      const chunk = plan.chunks[at]
      at += 1
      if (chunk !== undefined) controller.enqueue(chunk)
      else if (plan.end === 'close') controller.close()
      else if (plan.end === 'cut') controller.error(new TypeError('terminated'))
      else {
        onSilence()
        await new Promise(() => undefined)
      }
    },
  })
}
