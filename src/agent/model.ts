// The Model port: one call to a language model, streamed.

import type { ApiMessage, Block, Tokens } from './message.ts'

export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly input_schema: { readonly type: 'object'; readonly [key: string]: unknown }
}

/** A tool that the provider runs itself, within the call. Its keys are the API's. */
export interface ServerToolSpec {
  readonly type: 'web_search_20260318'
  readonly name: 'web_search'
  /** For one request. */
  readonly max_uses: number
  readonly allowed_callers: readonly 'direct'[]
}

export interface ModelRequest {
  readonly model: string
  /** The frozen system prompt, the same bytes as long as the thread exists. */
  readonly system: string
  /** The frozen tool list, in its fixed order. */
  readonly tools: readonly (ToolSpec | ServerToolSpec)[]
  /** Append-only. Implementations send it unchanged. */
  readonly messages: readonly ApiMessage[]
  readonly maxTokens: number
  readonly effort?: Effort | undefined
  /** The last call of a loop: tools remain in the request (the prefix is frozen) but may not be called. */
  readonly forbidTools?: boolean | undefined
}

export interface ModelDelta {
  readonly type: 'text' | 'thinking'
  /** Index of the content block. */
  readonly block: number
  readonly text: string
}

/** What may follow a failed call. `later`: retry with backoff; `once`: one more try; `never`: the run fails. */
export interface ModelFault {
  readonly retry: 'later' | 'once' | 'never'
  /**
   * A short stable code: overloaded, rate_limited, connection, cut, stalled, timeout, server_error, auth, billing,
   * not_found, too_large, history_rejected, invalid_request, bad_response.
   */
  readonly reason: string
  /** One readable sentence without secrets. */
  readonly detail: string
  /** The wait that the API requested, in milliseconds; null if there is none. */
  readonly retryAfterMs: number | null
  /**
   * The usage that the API reported before the failure; NO_TOKENS: it did no work, or was never reached. Null: unknown.
   * What a call without a complete answer is charged: src/thread/executor/charge.ts.
   */
  readonly usage: Tokens | null
}

export type ModelOutcome =
  | {
      readonly kind: 'message'
      readonly content: readonly Block[]
      /** The API's stop_reason, verbatim. */
      readonly stop: string
      /** For `refusal`: the category, when given. */
      readonly stopDetail: string | null
      /** Null: not reported. */
      readonly usage: Tokens | null
    }
  | { readonly kind: 'fault'; readonly fault: ModelFault }

/**
 * Contract of an implementation:
 * - `call` never throws and never rejects: every failure is a `fault`.
 * - `onDelta` is called in order, and awaited if it returns a promise; never after `call` has resolved.
 * - `onPrompt` is called at most once, when the provider begins to answer and reports the billed request; never later.
 * - A `message` exists only when the provider marked it complete (`message_stop`).
 * - When `signal` aborts, it resolves soon with a fault whose reason is `aborted`.
 * - It never retries by itself: each call is billed, and the run's budget counts them.
 */
export interface Model {
  call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => Promise<void> | void,
    signal: AbortSignal,
    onPrompt?: (tokens: Tokens) => void,
  ): Promise<ModelOutcome>
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheWrite: number
  readonly cacheRead: number
}

/** What is known of a model before it is called. */
export interface ModelFacts {
  readonly id: string
  /** Size of its context window in tokens; null if unknown. */
  readonly window: number | null
  /** The price of its calls. */
  readonly price: Price
  /** False: its price is unknown, and `price` is the highest known one. */
  readonly priced: boolean
  readonly capabilities: {
    /** It accepts images. */
    readonly images: boolean
  }
  /** An upper bound of its output tokens per second: limits what a call without an answer can have cost. */
  readonly maxTokensPerSecond: number
  /** US dollars for one web search of its own; null if it has none. */
  readonly searchPrice: number | null
  /** The higher price that some models charge for a whole call with a long prompt. */
  readonly longPrompt: { readonly aboveTokens: number; readonly price: Price } | null
}
