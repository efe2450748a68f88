// The Model port: one call to a language model, streamed.

import type { ApiMessage, Block, Tokens } from './message.ts'

export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly input_schema: { readonly type: 'object'; readonly [key: string]: unknown }
}

/** A tool that the provider runs within the call. The fields are those of the provider's API. */
export interface ServerToolSpec {
  readonly type: 'web_search_20260318'
  readonly name: 'web_search'
  /** The maximum number of searches in one request. */
  readonly max_uses: number
  readonly allowed_callers: readonly 'direct'[]
}

export interface ModelRequest {
  readonly model: string
  /** The frozen system prompt: identical bytes as long as the thread exists. */
  readonly system: string
  /** The frozen tool list, in its fixed order. */
  readonly tools: readonly (ToolSpec | ServerToolSpec)[]
  /** The append-only transcript. Implementations send it unchanged. */
  readonly messages: readonly ApiMessage[]
  readonly maxTokens: number
  readonly effort?: Effort | undefined
  /** Set for the last call after a detected loop: the tools remain in the request (its prefix is frozen) but may not be called. */
  readonly forbidTools?: boolean | undefined
}

export interface ModelDelta {
  readonly type: 'text' | 'thinking'
  /** Index of the content block. */
  readonly block: number
  readonly text: string
}

/** A failed call. `retry` says what may follow: `later` is a retry with backoff, `once` a single retry, `never` fails the run. */
export interface ModelFault {
  readonly retry: 'later' | 'once' | 'never'
  /**
   * A short stable code: overloaded, rate_limited, connection, cut, stalled, timeout, server_error, auth, billing,
   * not_found, too_large, history_rejected, invalid_request, bad_response.
   */
  readonly reason: string
  /** A readable sentence without secrets. */
  readonly detail: string
  /** The delay that the API requested, in milliseconds, or null if it requested none. */
  readonly retryAfterMs: number | null
  /**
   * The usage that the API reported before the failure. It is NO_TOKENS if the API did no work or was never reached, and null if
   * unknown. src/thread/executor/charge.ts decides what is charged for an incomplete response.
   */
  readonly usage: Tokens | null
}

export type ModelOutcome =
  | {
      readonly kind: 'message'
      readonly content: readonly Block[]
      /** The API's stop_reason, verbatim. */
      readonly stop: string
      /** The category of a `refusal`, if the API gave one. */
      readonly stopDetail: string | null
      /** Null if the API did not report it. */
      readonly usage: Tokens | null
    }
  | { readonly kind: 'fault'; readonly fault: ModelFault }

/**
 * Contract of an implementation:
 * - `call` never throws and never rejects: every failure is a `fault`.
 * - `onDelta` is called in order, and awaited if it returns a promise; never after `call` has resolved.
 * - `onPrompt` is called at most once: when the provider begins to respond and reports the tokens of the billed request.
 * - A `message` exists only when the provider marked it complete (`message_stop`).
 * - When `signal` aborts, `call` soon resolves with a fault whose reason is `aborted`.
 * - `call` never retries: each request is billed, and the run's budget counts them.
 */
export interface Model {
  call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => Promise<void> | void,
    signal: AbortSignal,
    onPrompt?: (tokens: Tokens) => void,
  ): Promise<ModelOutcome>
}

/** Prices in US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheWrite: number
  readonly cacheRead: number
}

/** The known properties of a model. */
export interface ModelFacts {
  readonly id: string
  /** Size of its context window in tokens; null if unknown. */
  readonly window: number | null
  readonly price: Price
  /** False if the model's price is unknown; `price` is then the highest known price. */
  readonly priced: boolean
  readonly capabilities: {
    /** Whether the model accepts images. */
    readonly images: boolean
  }
  /** An upper bound on output tokens per second. It limits what a call without a response can have cost. */
  readonly maxTokensPerSecond: number
  /** The price in US dollars of one web search by the provider, or null if the provider offers none. */
  readonly searchPrice: number | null
  /** The higher price that some models charge for all tokens of a call with a long prompt. */
  readonly longPrompt: { readonly aboveTokens: number; readonly price: Price } | null
}
