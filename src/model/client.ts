// Makes the SDK's client. Only the messages resource is built, so that the rest of the SDK is not bundled.

import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { Messages } from '@anthropic-ai/sdk/resources/messages'
import { boundedFetch } from './bounded-fetch.ts'

export interface ClientOptions {
  readonly apiKey: string
  /** Null: the public API. */
  readonly baseUrl: string | null
  /** Stands in for the platform's fetch. */
  readonly fetch?: typeof fetch | undefined
}

const DEFAULT_BASE_URL = 'https://api.anthropic.com'

/** The SDK's messages resource for these options. */
export function messagesClient({ apiKey, baseUrl, fetch }: ClientOptions): Messages {
  const client = new BaseAnthropic({
    apiKey,
    // Given explicitly, or the SDK would look for one in the environment.
    baseURL: baseUrl ?? DEFAULT_BASE_URL,
    webhookKey: null,
    maxRetries: 0,
    // The SDK would log whole requests at debug level, and trace each call: neither is ours to leave on.
    logLevel: 'off',
    openTelemetry: false,
    fetch: boundedFetch(fetch ?? globalThis.fetch),
  })
  return new Messages(client)
}
