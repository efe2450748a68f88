// Creates the SDK's client without its resource classes and requests the API by path, so that unused parts of the SDK
// (streams, tools, tracing) are not bundled.

import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import { boundedFetch } from './bounded-fetch.ts'

export interface ModelClientOptions {
  readonly apiKey: string
  /** Null for the public API. */
  readonly baseUrl: string | null
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof fetch | undefined
}

const DEFAULT_BASE_URL = 'https://api.anthropic.com'

/** Requests a message as a stream of events. Rejects with the SDK's errors. */
export type CreateMessage = (body: MessageCreateParamsStreaming, signal: AbortSignal) => Promise<Response>

/** A function that calls the Messages API with these options. */
export function messagesClient({ apiKey, baseUrl, fetch }: ModelClientOptions): CreateMessage {
  const client = new BaseAnthropic({
    apiKey,
    // Otherwise the SDK would read it from the environment.
    baseURL: baseUrl ?? DEFAULT_BASE_URL,
    webhookKey: null,
    maxRetries: 0,
    // Otherwise the SDK would log complete requests at debug level and trace each call.
    logLevel: 'off',
    openTelemetry: false,
    fetch: boundedFetch(fetch ?? globalThis.fetch),
  })
  return async (body, signal) => client.post('/v1/messages', { body, signal, stream: true }).asResponse()
}
