// A client of one MCP server: finds out which revision the server speaks, opens a session if it needs one, lists its
// tools and calls them. Stores nothing, makes no decisions about calls, and never throws.

import type { Clock } from '../lib/clock.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { FetchFailure, FetchTerms, GuardedStream } from '../net/fetch.ts'
import {
  chosenRevision,
  INITIALIZE,
  INITIALIZED,
  mayNeedSse,
  needsSession,
  refusesOwnRevision,
  showsEra,
  sessionIdIn,
  SSE,
  STATELESS,
  type Era,
} from './era.ts'
import { errorAnswer, mcpFailure, notSent, withoutAnswer, type McpFailure } from './failure.ts'
import { sessionHeaders, statelessHeaders, withMeta, type McpSession } from './headers.ts'
import {
  MCP_ANSWER_MAX_BYTES,
  MCP_GOODBYE_TIMEOUT_MS,
  MCP_LIST_MAX_BYTES,
  MCP_LIST_PAGES_MAX,
  MCP_LIST_TIMEOUT_MS,
  MCP_LIST_TOOLS_MAX,
  MCP_ROUNDS_MAX,
} from './limits.ts'
import { HANDSHAKE_REVISIONS, toolsIn, type OfferedMcpTool } from './protocol.ts'
import { exchangeAndResume } from './resume.ts'
import { exchangeOverSse } from './sse.ts'
import { exchange, type Exchange } from './transport.ts'

export interface McpTarget {
  readonly url: string
  /** The headers of each request, with secrets filled in. */
  readonly headers: Readonly<Record<string, string>>
  /** Masks the secrets in everything that the server sends. */
  readonly mask: (text: string) => string
}

export interface McpResult {
  readonly content: readonly unknown[]
  readonly structuredContent: unknown
  readonly isError: boolean
}

export interface McpCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** Headers that repeat parts of the input (param-headers.ts). */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly progress: (text: string) => void
}

type RpcResult = Readonly<Record<string, unknown>>

/** How requests are sent, and through which stream. */
type Terms = FetchTerms & { readonly stream: GuardedStream }

export class McpClient {
  readonly #stream: GuardedStream
  readonly #target: McpTarget
  readonly #now: Clock
  #era: Era | null = null
  #lastId = 0

  constructor(stream: GuardedStream, target: McpTarget, now: Clock) {
    this.#stream = stream
    this.#target = target
    this.#now = now
  }

  /** All tools that the server offers, from all pages, each name once. */
  async listTools(signal: AbortSignal): Promise<Result<readonly OfferedMcpTool[], McpFailure>> {
    const tools = new Map<string, OfferedMcpTool>()
    let left = MCP_LIST_MAX_BYTES
    const stream = counted(this.#stream, (bytes) => (left -= bytes))
    const endsAt = this.#now() + MCP_LIST_TIMEOUT_MS
    let cursor: string | null = null
    for (let page = 0; page < MCP_LIST_PAGES_MAX && tools.size < MCP_LIST_TOOLS_MAX; page += 1) {
      const timeoutMs = endsAt - this.#now()
      if (timeoutMs <= 0) return notSent('did not send all pages of its tool list in time')
      if (left <= 0) return notSent('sent a tool list that is too large')
      const terms = { ...this.#terms(signal, timeoutMs), stream, maxBytes: left }
      const page = await this.#ask('tools/list', cursor === null ? {} : { cursor }, terms)
      if (!page.ok) return page
      for (const tool of toolsIn(page.value)) if (!tools.has(tool.name)) tools.set(tool.name, tool)
      const next = page.value['nextCursor']
      if (typeof next !== 'string' || next === cursor) break
      cursor = next
    }
    return ok([...tools.values()].slice(0, MCP_LIST_TOOLS_MAX))
  }

  /**
   * Calls a tool once. The server must have been listed by this client. A server that only wants its state back before
   * it completes the call gets it.
   */
  async callTool({ name, input, ...of }: McpCall): Promise<Result<McpResult, McpFailure>> {
    const endsAt = this.#now() + of.timeoutMs
    let state: { readonly requestState?: string } = {}
    for (let round = 0; round < MCP_ROUNDS_MAX; round += 1) {
      const _meta = { progressToken: `${name}-${this.#lastId + 1}` }
      const terms = this.#terms(of.signal, Math.max(1, endsAt - this.#now()))
      const params = { name, arguments: input, ...state, _meta }
      const result = await this.#ask('tools/call', params, terms, of.progress, of.headers)
      if (!result.ok) return result
      const { resultType, inputRequests, requestState } = result.value
      const continues = resultType === 'input_required' && inputRequests === undefined
      if (!continues || typeof requestState !== 'string') return resultIn(result.value)
      state = { requestState }
    }
    return answeredOnly('The server did not complete the call, but asked to continue it too often.')
  }

  /** Ends the session, if there is one. */
  async close(): Promise<void> {
    const era = this.#era
    if (era?.kind !== 'session' || era.id === null) return
    const { url, headers } = this.#target
    const request = {
      method: 'DELETE',
      url,
      headers: { ...headers, ...sessionHeaders(era) },
      body: null,
    } as const
    await this.#stream(request, this.#goodbye(), async () => null)
  }

  #terms(signal: AbortSignal, timeoutMs: number): Terms {
    const { mask } = this.#target
    return { stream: this.#stream, signal, timeoutMs, maxBytes: MCP_ANSWER_MAX_BYTES, maxRedirects: 0, mask }
  }

  #goodbye(): Terms {
    return this.#terms(new AbortController().signal, MCP_GOODBYE_TIMEOUT_MS)
  }

  /**
   * Sends a request with the server's transport and revision. Opens a lost session again, once. The first request is a
   * list: it is sent again if a server with sessions has answered it without one.
   */
  async #ask(
    method: string,
    params: RpcResult,
    terms: Terms,
    onProgress: (text: string) => void = () => undefined,
    paramHeaders: Readonly<Record<string, string>> = {},
  ): Promise<Result<RpcResult, McpFailure>> {
    const send = (): Promise<Result<Exchange, FetchFailure>> =>
      this.#send(this.#era ?? STATELESS, method, params, terms, onProgress, paramHeaders)
    if (this.#era === null) {
      const first = await send()
      const probe = first.ok && refusesOwnRevision(first.value) ? await send() : first
      if (!probe.ok || !needsSession(probe.value)) return this.#read(probe, STATELESS)
      const opened = await this.#openSession(terms)
      const isOpen = opened.ok && opened.value === 'session'
      if (!isOpen && probe.value.answer.kind === 'result') return this.#read(probe, STATELESS)
      if (!opened.ok) return opened
      if (opened.value === 'sse')
        return this.#read(await this.#send(SSE, method, params, terms, onProgress, {}), SSE)
    }
    const sent = await send()
    // The server does not know the session, so it has not processed the request.
    if (!sent.ok || sent.value.status !== 404 || !hasSessionId(this.#era)) return this.#read(sent, this.#era)
    const opened = await this.#openSession(terms)
    return opened.ok ? this.#read(await send(), this.#era) : opened
  }

  /** Returns the result in an answer. Remembers the server's transport and revision once it has answered. */
  #read(sent: Result<Exchange, FetchFailure>, era: Era | null): Result<RpcResult, McpFailure> {
    if (!sent.ok) return err(mcpFailure(sent.error))
    const { status, answer } = sent.value
    if (answer.kind === 'other') return err(withoutAnswer(status, answer))
    if (showsEra(sent.value)) this.#era = era
    return answer.kind === 'result'
      ? ok(answer.result)
      : err(errorAnswer(status, answer.error, this.#target.mask))
  }

  /** Opens a session; `sse` if the server may know only HTTP+SSE. */
  async #openSession(terms: Terms): Promise<Result<'session' | 'sse', McpFailure>> {
    this.#lastId += 1
    const message = { ...INITIALIZE, id: this.#lastId }
    const hello = await exchange(terms.stream, this.#target, message, terms, () => undefined)
    if (!hello.ok) return err({ ...mcpFailure(hello.error), sent: false })
    if (mayNeedSse(hello.value)) return ok('sse')
    const { answer, status } = hello.value
    if (answer.kind === 'other') return err({ ...withoutAnswer(status, answer), sent: false })
    if (answer.kind === 'error')
      return err({ ...errorAnswer(status, answer.error, this.#target.mask), sent: false })
    const revision = chosenRevision(answer.result, HANDSHAKE_REVISIONS, this.#target.mask)
    if (!revision.ok) return revision
    const era: Era = { kind: 'session', revision: revision.value, id: sessionIdIn(hello.value) }
    this.#era = era
    const ready = await this.#notify(era, INITIALIZED, undefined, terms)
    return ready.ok ? ok('session') : err({ ...mcpFailure(ready.error), sent: false })
  }

  #notify(
    era: McpSession,
    method: string,
    params: RpcResult | undefined,
    terms: Terms,
  ): Promise<Result<Exchange, FetchFailure>> {
    const { url, headers } = this.#target
    const target = { url, headers: { ...headers, ...sessionHeaders(era) } }
    return exchange(terms.stream, target, { method, params, id: null }, terms, () => undefined)
  }

  async #send(
    era: Era,
    method: string,
    params: RpcResult,
    terms: Terms,
    onProgress: (text: string) => void,
    paramHeaders: Readonly<Record<string, string>>,
  ): Promise<Result<Exchange, FetchFailure>> {
    this.#lastId += 1
    const id = this.#lastId
    const { url, headers: fixed } = this.#target
    if (era.kind === 'sse')
      return exchangeOverSse(terms.stream, this.#target, { method, params }, terms, onProgress)
    if (era.kind === 'stateless') {
      const headers = { ...fixed, ...paramHeaders, ...statelessHeaders(method, params) }
      return exchange(
        terms.stream,
        { url, headers },
        { method, params: withMeta(params), id },
        terms,
        onProgress,
      )
    }
    const target = { url, headers: { ...fixed, ...sessionHeaders(era) } }
    const sent = await exchangeAndResume(
      terms.stream,
      target,
      { method, params, id },
      terms,
      onProgress,
      this.#now,
    )
    // In these revisions, a closed connection does not stop a call.
    if (!sent.ok && (sent.error.code === 'timeout' || sent.error.code === 'stopped'))
      await this.#notify(era, 'notifications/cancelled', { requestId: id }, this.#goodbye())
    return sent
  }
}

/** The same stream, with the bytes of its responses counted. */
function counted(stream: GuardedStream, count: (bytes: number) => void): GuardedStream {
  return (request, terms, use) =>
    stream(request, terms, (response) => {
      const read = async (): Promise<Uint8Array | null> => {
        const bytes = await response.read()
        count(bytes?.length ?? 0)
        return bytes
      }
      return use({ ...response, read })
    })
}

function hasSessionId(era: Era | null): boolean {
  return era?.kind === 'session' && era.id !== null
}

function resultIn(result: RpcResult): Result<McpResult, McpFailure> {
  const { resultType = 'complete', content, structuredContent, isError } = result
  if (resultType === 'input_required')
    return notSent(
      'asks for input from a person before it runs the call, which Satchel cannot give yet',
      true,
    )
  if (resultType !== 'complete') return answeredOnly('The server sent a result of an unknown type.')
  return ok({ content: Array.isArray(content) ? content : [], structuredContent, isError: isError === true })
}

/** The server has answered, but not with what it did. */
function answeredOnly(detail: string): Result<never, McpFailure> {
  return err({ detail, sent: true, interrupted: false, answered: true })
}
