// Creates the SDK's client without its resources: the only request goes by its path, so that unused streams, tools and tracing
// are not bundled.

import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import { boundedFetch } from './bounded-fetch.ts'

export interface ModelClientOptions {
  readonly apiKey: string
  /** Null: the public API. */
  readonly baseUrl: string | null
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof fetch | undefined
}

const DEFAULT_BASE_URL = 'https://api.anthropic.com'

/** Requests a message; the answer is a stream of events. Rejects with the SDK's errors. */
export type CreateMessage = (body: MessageCreateParamsStreaming, signal: AbortSignal) => Promise<Response>

/** The SDK's call of the Messages API for these options. */
export function messagesClient({ apiKey, baseUrl, fetch }: ModelClientOptions): CreateMessage {
  const client = new BaseAnthropic({
    apiKey,
    // Set explicitly; otherwise the SDK reads it from the environment.
    baseURL: baseUrl ?? DEFAULT_BASE_URL,
    webhookKey: null,
    maxRetries: 0,
    // Otherwise the SDK would log whole requests at debug level, and trace each call.
    logLevel: 'off',
    openTelemetry: false,
    fetch: boundedFetch(fetch ?? globalThis.fetch),
  })
  return async (body, signal) => client.post('/v1/messages', { body, signal, stream: true }).asResponse()
}
