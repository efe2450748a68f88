// A fetch that does not trust the server: follows no redirects and limits the bodies of errors, which the SDK would
// otherwise read completely, whatever their length.

import { joinBytes } from '../lib/bytes.ts'
import { jsonDepth } from '../lib/json-depth.ts'
import { MODEL_JSON_MAX_DEPTH } from '../limits/model.ts'
import { MODEL_ERROR_MAX_BYTES } from './limits.ts'
import { isRedirect } from './failure.ts'

/** The beginning of a body, even if it breaks off. Cancels everything after it. */
async function readBeginning(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const reader = body.getReader()
  try {
    for (let size = 0; size < maxBytes; size += parts.at(-1)?.length ?? 0) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value.subarray(0, maxBytes - size))
    }
  } catch {
    // An incomplete body does not matter, because the status is reported anyway.
  }
  reader.cancel().catch(() => undefined)
  return joinBytes(parts)
}

/** The same response with a short body, which is empty if it is JSON that is nested too deeply for the SDK. */
async function shortenBody(response: Response): Promise<Response> {
  const { body, status, headers } = response
  const maxBytes = isRedirect(status) ? 0 : MODEL_ERROR_MAX_BYTES
  const text = body === null ? '' : new TextDecoder().decode(await readBeginning(body, maxBytes))
  const safeText = jsonDepth(text) > MODEL_JSON_MAX_DEPTH ? '' : text
  return new Response(status === 304 ? null : safeText, { status: Math.min(status, 599), headers })
}

/** `fetch` for the SDK. Does not limit successful responses, because sse.ts does. */
export function boundedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    return response.ok ? response : shortenBody(response)
  }
}
