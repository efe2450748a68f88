// A fetch that does not trust who answers: redirects are not followed, and no more of an error's body is read than an
// error needs. The SDK reads such a body whole, whatever its length.

import { joinBytes } from '../lib/bytes.ts'
import { jsonDepth } from '../lib/json-depth.ts'
import { MODEL_JSON_MAX_DEPTH } from '../limits/model.ts'
import { MODEL_ERROR_MAX_BYTES } from './limits.ts'
import { isRedirect } from './failure.ts'

/** The beginning of a body, and of one that breaks off what came of it. The rest is given up unread. */
async function beginning(body: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const reader = body.getReader()
  try {
    for (let size = 0; size < max; size += parts.at(-1)?.length ?? 0) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value.subarray(0, max - size))
    }
  } catch {
    // The status is told all the same.
  }
  reader.cancel().catch(() => undefined)
  return joinBytes(parts)
}

/** The same answer with a body that is short and, where it is JSON, flat enough for the SDK to quote. */
async function shortened(response: Response): Promise<Response> {
  const { body, status, headers } = response
  const max = isRedirect(status) ? 0 : MODEL_ERROR_MAX_BYTES
  const text = body === null ? '' : new TextDecoder().decode(await beginning(body, max))
  const said = jsonDepth(text) > MODEL_JSON_MAX_DEPTH ? '' : text
  return new Response(status === 304 ? null : said, { status: Math.min(status, 599), headers })
}

/** `fetch` as the SDK may use it. An answer that is none of an error's passes as it is: its reader counts. */
export function boundedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    return response.ok ? response : shortened(response)
  }
}
