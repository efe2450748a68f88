// What becomes of a delivery, from its raw bytes: refused, answered as a test of the address, filtered, or accepted with
// the message and the thread of its run. Stores nothing.

import { utf8 } from '../lib/bytes.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { WEBHOOK_BODY_MAX_BYTES } from '../limits/requests.ts'
import { hasMark, replyMark } from '../replies/marker.ts'
import { messageOf } from './deliveries.ts'
import { whyFiltered } from './filter.ts'
import type { StoredHook } from './hook-rows.ts'
import { contentOf } from './schemes/content.ts'
import type { Handshake, RawDelivery, Verified } from './schemes/scheme.ts'
import { NOT_VERIFIED, SCHEMES } from './schemes/verify.ts'
import { threadIdOf } from './thread-key.ts'

const OWN_REPLY = 'It contains a reply of this hook.'

export interface JudgedDelivery {
  readonly id: Verified['id']
  /** The body as the template sees it. */
  readonly content: Uint8Array
  /** Why no run starts; null if one does. */
  readonly filtered: string | null
  /** The message and thread of the run; null if it is filtered. */
  readonly run: { readonly message: string; readonly threadId: string } | null
}

/**
 * `secrets` are those of the hook that are valid now. Only the log says why a delivery is refused as `unauthenticated`. Everything else is decided after verification, so that only the
 * sender learns about it.
 */
export async function judge(
  hook: StoredHook,
  secrets: readonly string[],
  delivery: RawDelivery,
): Promise<Result<JudgedDelivery | { readonly handshake: Handshake }>> {
  const { headers, body } = delivery
  if (body.byteLength > WEBHOOK_BODY_MAX_BYTES)
    return fail(
      'too_large',
      `A delivery's body may be at most ${WEBHOOK_BODY_MAX_BYTES} bytes long. Send a shorter body.`,
    )
  const verified = await SCHEMES[hook.scheme](secrets, delivery, hook.signature)
  if (!verified.ok) {
    console.warn(JSON.stringify({ event: 'webhook.refused', hook: hook.id, reason: verified.error }))
    return NOT_VERIFIED
  }
  const { id, handshake } = verified.value
  if (handshake) return ok({ handshake })
  const text = contentOf(headers['content-type'] ?? '', body)
  const content = text === null ? body : utf8(text)
  const isOwnReply = hook.reply !== null && hasMark(text ?? '', await replyMark(hook.id))
  const filtered = isOwnReply ? OWN_REPLY : whyFiltered(hook.filter, headers, text ?? '')
  if (filtered !== null) return ok({ id, content, filtered, run: null })
  // No run is promised that could never start.
  const message = messageOf(hook.template, content)
  if (!message.ok) return fail('invalid_request', message.error)
  const threadId = await threadIdOf(hook, text ?? '')
  return ok({ id, content, filtered, run: { message: message.value, threadId } })
}
