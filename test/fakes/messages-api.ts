// A local HTTP server that speaks the streaming Messages API from a script, records every request and, like the real
// API, refuses requests whose tool calls and results do not pair.
// By hand: `node test/fakes/messages-api.ts --port 9000 [--first-token-ms 300] [--delta-ms 20] [--steps 4]`

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Tokens } from '../../src/agent/message.ts'
import { defaultScript } from './messages-default.ts'
import { pairingProblems } from './messages-oracle.ts'
import { Recorder } from './messages-wire.ts'
import type { ModelRequest, Exchange, Plan, Reply, Script } from './messages-wire.ts'

export interface MessagesApi {
  /** The value for ANTHROPIC_BASE_URL. */
  readonly url: string
  /** All requests so far, in the order of their arrival. */
  readonly exchanges: readonly Exchange[]
  close(): Promise<void>
}

export interface MessagesApiOptions {
  /** 0: any free port. */
  readonly port?: number
  /** False: the script also answers invalid histories, and prompts are not billed. */
  readonly strict?: boolean
  /** Called with the billed tokens of each answer once it is sent or its client has left. */
  readonly onBilled?: (tokens: Tokens) => void
}

/** Starts the server on 127.0.0.1. Without a script it uses the default one. */
export async function startMessagesApi(
  script: Script = defaultScript(),
  { port = 0, strict = true, onBilled }: MessagesApiOptions = {},
): Promise<MessagesApi> {
  const pick = (requested: ModelRequest, index: number): Reply | undefined =>
    typeof script === 'function' ? script(requested, index) : script[index]
  const recorder = new Recorder((requested, index) => {
    const problem = strict ? refusal(requested) : null
    if (problem !== null) return { status: 400, type: 'invalid_request_error', message: problem }
    return pick(requested, index) ?? { status: 500, message: `The script has no reply ${index}.` }
  }, strict)
  const server = createServer((request, response) => {
    serve(request, response, recorder, onBilled).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${actual}`,
    exchanges: recorder.exchanges,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function refusal(requested: ModelRequest): string | null {
  try {
    const problems = pairingProblems((JSON.parse(requested.raw) as { messages: [] }).messages) // wrong shapes throw
    return problems[0] ?? null
  } catch {
    return 'The body is not a Messages API request.'
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  recorder: Recorder,
  onBilled?: (tokens: Tokens) => void,
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer) // a request without an encoding yields buffers
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const raw = Buffer.concat(parts).toString('utf8')
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (request.method !== 'POST' || path !== '/v1/messages') {
    response.writeHead(404, { 'content-type': 'application/json' })
    const error = { type: 'not_found_error', message: `No ${request.method} ${path} here.` }
    response.end(JSON.stringify({ type: 'error', error }))
    return
  }
  const plan = recorder.take({ raw, headers, path })
  const prompt = recorder.exchanges.at(-1)?.prompt ?? null
  if (plan instanceof Error) {
    request.socket.destroy()
    return
  }
  const sent = await send(plan, response)
  if (prompt) onBilled?.({ ...prompt, output_tokens: outputOf(plan, sent) })
}

/** Output tokens that a complete answer reports; otherwise estimated from the sent text, at four characters a token. */
function outputOf(plan: Plan, sent: number): number {
  const texts = plan.chunks.slice(0, sent).map((chunk) => new TextDecoder().decode(chunk))
  const stated = texts.flatMap((text) => /"message_delta".*"output_tokens":(\d+)/.exec(text)?.[1] ?? [])
  if (stated[0] !== undefined) return Number(stated[0])
  const part = /"(?:text|thinking|partial_json)":"((?:[^"\\]|\\.)*)"/
  return Math.ceil(texts.reduce((sum, text) => sum + (part.exec(text)?.[1]?.length ?? 0), 0) / 4)
}

/** Sends the plan and returns how many chunks were sent. */
async function send(plan: Plan, response: ServerResponse): Promise<number> {
  response.writeHead(plan.status, plan.headers)
  response.flushHeaders()
  for (const [at, chunk] of plan.chunks.entries()) {
    const pause = at === 0 ? plan.firstDelayMs : plan.delayMs
    if (pause > 0) await wait(pause)
    if (plan.hold?.at === at) await plan.hold.until
    if (response.destroyed) return at
    response.write(chunk)
  }
  if (plan.end === 'close') response.end()
  // The bytes written so far must be sent before the connection is closed, or the cut would come too early.
  if (plan.end === 'cut') response.write('', () => response.destroy())
  return plan.chunks.length
}

if (import.meta.main) {
  const number = { type: 'string' } as const
  const options = { port: number, 'first-token-ms': number, 'delta-ms': number, steps: number }
  const { values } = parseArgs({ options })
  const script = defaultScript({
    firstTokenMs: Number(values['first-token-ms'] ?? 0),
    deltaMs: Number(values['delta-ms'] ?? 0),
    steps: Number(values.steps ?? 2),
  })
  const api = await startMessagesApi(script, { port: Number(values.port ?? 0) })
  process.stdout.write(`Messages API at ${api.url}\n`)
}
